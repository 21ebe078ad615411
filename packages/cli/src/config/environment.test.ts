import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('the variables for events reach the presets alone, and say so', async () => {
  const directory = scratchDirectory(onTestFinished);
  const env = { RETRY_MAX_ATTEMPTS: '3' };
  const args = ['policy', 'explain', 'events.default', '--json'];
  const { stdout } = await runMain(args, { directory, env });
  const { max_attempts, delays_ms, sources } = JSON.parse(stdout);
  expect(max_attempts).toBe(3);
  expect(delays_ms).toHaveLength(2);
  expect(sources.maxAttempts).toEqual({ kind: 'environment', where: 'RETRY_MAX_ATTEMPTS' });
});

test('they beat the file, and config show names them', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml':
      'version: "1.1.0"\npolicies:\n  events.default: { extends: events.default, max_attempts: 5 }\n',
  });
  const { stdout } = await runMain(['config', 'show', '--json'], {
    directory,
    env: { RETRY_MAX_ATTEMPTS: '3' },
  });
  expect(JSON.parse(stdout).values).toContainEqual({
    path: 'policies.events.default.max_attempts',
    value: 3,
    source: 'environment',
    where: 'RETRY_MAX_ATTEMPTS',
  });
});

test('a malformed one is an error that names it', async () => {
  const env = { RETRY_MAX_ATTEMPTS: 'many' };
  const directory = scratchDirectory(onTestFinished);
  const checked = await runMain(['config', 'validate'], { directory, env });
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toMatch(/^RETRY_MAX_ATTEMPTS error RETRY_MAX_ATTEMPTS must be/);
  const used = await runMain(['policy', 'list'], { directory, env });
  expect(used).toMatchObject({ exitCode: 1, stdout: '' });
  expect(used.stderr).toContain('RETRY_MAX_ATTEMPTS must be');
});
