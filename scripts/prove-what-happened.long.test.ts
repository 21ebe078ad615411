import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The how-to about proofs as an operator and an outsider go through it. The outsider has another directory, with the two
// files that he was given and nothing else.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/prove-what-happened.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-proof-'));
  for (const name of ['bin', 'operator', 'outsider']) mkdirSync(join(directory, name));
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  const npx = join(directory, 'bin/npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(npx, 0o755);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

function run(where: 'operator' | 'outsider', command: string, id = ''): Ran {
  const { stdout, stderr, status, error } = spawnSync(
    'sh',
    ['-c', command.replaceAll('<id>', id)],
    {
      cwd: join(directory, where),
      env: { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` },
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  if (error) throw error;
  return { status, text: stdout + stderr };
}

/** What a day of work leaves: one job that succeeded, sealed when its worker stops. */
const DAY = `
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
const store = await openStore('redrive.db');
const jobs = jobsOn(store, { order: () => 'shipped' });
await jobs.start();
const { id } = await jobs.enqueue('order', { secret: 'payload-4711' });
await jobs.wait(id);
await jobs.stop();
await store.close();
console.log(id);
`;

test('the how-to about proofs does what it says', { timeout: 120_000 }, () => {
  const [head = '', list = '', prove = '', check = '', ...rest] = blocks;
  expect(rest).toEqual([]);
  writeFileSync(join(directory, 'day.mjs'), DAY);
  const day = run('operator', `"${process.execPath}" ../day.mjs`);
  expect(day.status, day.text).toBe(0);
  const id = day.text.trim();

  expect(run('operator', head).status).toBe(0);
  const given = readFileSync(join(directory, 'operator/head.txt'), 'utf8');
  expect(given, 'the head and nothing else').toMatch(/^\d+:[0-9a-f]{64}\n$/);
  const listed = run('operator', list, id);
  expect(listed.text).toMatch(/"record":"\d+\.\d+"/);
  const proven = run('operator', prove, id);
  expect(proven.status, proven.text).toBe(0);
  const proof = readFileSync(join(directory, 'operator/proof.json'), 'utf8');
  expect(proof).not.toContain('payload-4711');

  const give = (name: string, text: string) =>
    writeFileSync(join(directory, 'outsider', name), text);
  give('proof.json', proof);
  give('head.txt', given);
  const checked = run('outsider', check);
  expect(checked.status, checked.text).toBe(0);
  expect(checked.text).toMatch(/^The proof holds/);
  expect(checked.text).toContain(id);

  // One word of the record, and the same word wherever it stands.
  give('proof.json', proof.replace('"succeeded"', '"cancelled"'));
  expect(run('outsider', check)).toMatchObject({ status: 1 });
  give('proof.json', proof.replaceAll('succeeded', 'cancelled'));
  const changed = run('outsider', check);
  expect(changed.status).toBe(1);
  expect(changed.text).toContain('The proof does not hold.');
});
