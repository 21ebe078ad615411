import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The tutorial about jobs as a reader goes through it: its files are saved, its commands run, in its order.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/tutorial/first-job.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sh|yaml)\n(.*?)^```$/gms)].map(([, , text = '']) => text);
const [greet = '', config = '', ...commands] = blocks;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-tutorial-'));
  save('greet.sh', greet, 0o755);
  save('redrive.yaml', config);
  // npx would look in this directory; the reader has installed what it finds.
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  mkdirSync(join(directory, 'bin'));
  save('bin/npx', `#!/bin/sh\nshift\nexec "${process.execPath}" "${launcher}" "$@"\n`, 0o755);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

function save(name: string, text: string, mode = 0o644): void {
  writeFileSync(join(directory, name), text);
  chmodSync(join(directory, name), mode);
}

/** Runs a block as it stands, and answers what it printed. */
function run(block: string | undefined, id = ''): string {
  const env = { ...process.env, PATH: `${join(directory, 'bin')}:${process.env.PATH}` };
  const text = (block ?? expect.fail('the page has fewer blocks')).replaceAll('<id>', id);
  const { stdout, stderr, error } = spawnSync('sh', ['-c', text], {
    cwd: directory,
    env,
    encoding: 'utf8',
    timeout: 25_000,
  });
  if (error) throw error;
  return stdout + stderr;
}

// A dozen processes, one after the other: on a busy machine that takes a while.
test('the tutorial about jobs does what it says', { timeout: 120_000 }, () => {
  const [enqueue, start, look, die, repair, ...rest] = commands;
  expect(rest).toEqual([]);

  const id = run(enqueue).trim();
  expect(run(start)).toContain('Retry succeeded: attempt 3');
  const first = run(look, id);
  expect(first.match(/nobody at home \(exit code 1\)/g)).toHaveLength(2);
  expect(first).toContain('"Hello, Ada"');

  const died = run(die);
  expect(died).toContain('exit code 5');
  expect(died).toContain('final_error');
  const [bob = ''] = died.split('\n');
  expect(run(repair, bob)).toContain('"Hello, Bob"');
});
