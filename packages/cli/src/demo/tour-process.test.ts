import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The launcher as npm links it, over what `tsc -b` has built.
const launcher = fileURLToPath(new URL('../../bin/redrive.cjs', import.meta.url));

test('redrive demo plays every scene, in plain text of 80 columns when piped', () => {
  const run = spawnSync(process.execPath, [launcher, 'demo'], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  const lines = run.stdout.split('\n');
  expect(lines.filter((line) => /^\d {2}[A-Z]/.test(line))).toEqual([
    '1  A call that fails twice',
    '2  A server that asks for patience',
    '3  A dependency dies and comes back',
    '4  An outage is not multiplied',
    '5  Giving up tells the whole story',
    '6  Every decision can be derived again',
  ]);
  expect(run.stdout).toMatch(/three loops {2}64\.00x {2}640,000 calls {2}█+\n/);
  expect(run.stdout).toMatch(/one account {3}4\.00x {3}40,000 calls {2}█+\n/);
  expect(run.stdout).toMatch(/and a budget {2}1\.02x {3}10,199 calls {2}█\n/);
  expect(run.stdout).toContain('✓ the same');
  expect(lines.at(-2)).toContain('npm run bench');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(run.stdout).not.toContain('\x1b');
});
