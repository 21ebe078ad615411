import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The newcomer's path: the tutorial about dead letters as a reader goes through it, its commands run in its order.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/tutorial/first-dead-letter.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-tutorial-'));
  // npx would look in this directory; the reader has installed what it finds.
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  mkdirSync(join(directory, 'bin'));
  const npx = join(directory, 'bin/npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(npx, 0o755);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const exported: Record<string, string> = {};

/** Runs a block as it stands, and answers what it printed. */
function run(block: string | undefined, id = ''): string {
  const text = (block ?? expect.fail('the page has fewer blocks')).replaceAll('<id>', id);
  const { stdout, stderr, status, error } = spawnSync('sh', ['-ec', text], {
    cwd: directory,
    env: { ...process.env, ...exported, PATH: `${join(directory, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error) throw error;
  expect(status, text + stdout + stderr).toBe(0);
  return stdout + stderr;
}

/** What the reader's shell remembers. */
function remember(block: string | undefined): void {
  const [, name = '', value = ''] = /^export (\w+)=(\S+)\n$/.exec(block ?? '') ?? [];
  expect(name).not.toBe('');
  exported[name] = value;
}

// A dozen processes, two of them with a demo: on a busy machine that takes a while.
test('the tutorial about dead letters does what it says', { timeout: 240_000 }, () => {
  const [start, remembered, list, show, mend, requeue, plan, again, look, prove, mine, ...rest] =
    blocks;
  expect(rest).toEqual([]);

  expect(run(start)).toContain('npx redrive dlq list');
  remember(remembered);
  const listed = run(list);
  expect(listed).toContain('returned final: <path> does not exist');
  expect(listed).toContain('‹redrive-demo.csv› does not exist');
  const [, id = ''] = /^(\S+) +import /m.exec(listed) ?? [];

  const shown = run(show, id);
  expect(shown).toContain('final_error');
  expect(shown).toContain(`redrive dlq requeue ${id}`);
  run(mend);
  expect(run(requeue, id)).toMatch(/^1 dead letter was requeued\./m);
  expect(run(plan)).toMatch(/^1 dead letter would be requeued\./m);

  expect(run(again)).toContain('The demo continues with 1 job from before');
  const life = run(look, id);
  expect(life).toContain(`import ${id}  succeeded`);
  expect(life).toMatch(/^ +2\.1 .*: succeeded$/m);

  const proof = run(prove, id);
  expect(proof).toContain('The audit log is sound.');
  expect(proof).toMatch(/^head \d+:[0-9a-f]{64}$/m);
  expect(proof).toMatch(/decisions: 1 derived again, all with the same/);
  expect(run(mine, id)).toMatch(/requeue .*by\s+cli:.*@.*"the file\s+is\s+there\s+now"/s);
});
