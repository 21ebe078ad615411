import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { storeWithAll } from '../testing/store-with-all.ts';

const colourful = { isTTY: true, columns: 100, hasColors: () => true };

test('--quiet leaves out hints, and neither results, warnings nor errors', async () => {
  const store = await storeWithAll();
  const run = (line: string) => runMain(line.split(' '), { store });
  const page = await run('jobs list --limit 1');
  expect(page.stderr).toContain('--after');
  for (const line of [
    'jobs list --limit 1 --quiet',
    'jobs list --limit 1 -q',
    '-q jobs list --limit 1',
  ])
    expect(await run(line)).toEqual({ ...page, stderr: '' });
  const { stdout, stderr } = await run('kill engage queue mial -q');
  expect(stdout).toContain('Stopped: the queue mial');
  expect(stderr).not.toContain('To let it go on');
  expect(stderr).toContain('mial');
  expect((await run('jobs show nobody --quiet')).stderr).toContain('There is no job');
});

test('--no-color leaves out colours, before and after the command, of results and errors', async () => {
  const store = await storeWithAll();
  const run = (line: string) => runMain(line.split(' '), { store, stream: colourful });
  expect((await run('jobs list')).stdout).toContain('\x1b[');
  expect((await run('jobs show nobody')).stderr).toContain('\x1b[');
  for (const line of [
    'jobs list --no-color',
    '--no-color jobs list',
    '--no-color jobs show nobody',
  ]) {
    const { stdout, stderr } = await run(line);
    expect(stdout + stderr).not.toContain('\x1b[');
    expect((stdout + stderr).length).toBeGreaterThan(10);
  }
});

test('shared options are explained once in the reference', () => {
  const page = readFileSync(
    new URL('../../../../docs/reference/command-line.md', import.meta.url),
    'utf8',
  );
  for (const flags of [
    '--store <url>',
    '--reason <text>',
    '-v, --verbose',
    '--jsonl',
    '-q, --quiet',
  ])
    expect(page.split(`| \`${flags}\` |`).length - 1, flags).toBe(flags === '--jsonl' ? 7 : 1);
  expect(page.split('| `--json` |').length - 1).toBe(2);
});
