import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a run of tests without a terminal prints no colour codes', () => {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const args = [
    'run',
    '--reporter=default',
    'scripts/lint/lint-rules.test.ts',
    '-t',
    'no such test',
  ];
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'vitest.mjs'), ...args], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env,
    timeout: 60_000,
  });
  expect(run.stdout).toContain('RUN');
  expect(run.stdout + run.stderr).not.toContain('\x1b');
}, 90_000);
