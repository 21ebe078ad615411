import { describe, expect, onTestFinished, test } from 'vitest';
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
    group: 'policies.events.default',
    value: 3,
    unit: null,
    source: 'environment',
    where: 'RETRY_MAX_ATTEMPTS',
    served_by: null,
  });
});

test('a malformed one is an error that names it', async () => {
  const env = { RETRY_MAX_ATTEMPTS: 'many' };
  const directory = scratchDirectory(onTestFinished);
  const checked = await runMain(['config', 'validate'], { directory, env });
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toMatch(
    /^RETRY_MAX_ATTEMPTS error The environment variable RETRY_MAX_ATTEMPTS must be/,
  );
  const used = await runMain(['policy', 'list'], { directory, env });
  expect(used).toMatchObject({ exitCode: 1, stdout: '' });
  expect(used.stderr).toContain('RETRY_MAX_ATTEMPTS must be');
});

describe('a bad environment variable is not reported as a bad redrive.yaml', () => {
  const files = { 'redrive.yaml': 'version: "1.1.0"\nenv_file: prod.env\n', 'prod.env': '' };
  async function run(args: string[], env: Record<string, string>, envFile = '') {
    const directory = scratchDirectory(onTestFinished, { ...files, 'prod.env': envFile });
    const { exitCode, stdout, stderr } = await runMain(args, { directory, env });
    expect(exitCode).toBe(1);
    return (stdout + stderr).replaceAll(/\n {4,}/g, ' ');
  }

  test('of the process: its name, its problem, where it came from', async () => {
    const env = { RETRY_MAX_ATTEMPTS: 'many' };
    const text =
      'The environment variable RETRY_MAX_ATTEMPTS must be a whole number from 1 up to 1000000000, not "many"';
    const validated = await run(['config', 'validate'], env);
    expect(validated).toContain(text);
    expect(validated).toContain(
      'The environment variable RETRY_MAX_ATTEMPTS: not valid, 1 error; redrive.yaml is valid',
    );
    const used = await run(['policy', 'list'], env);
    expect(used).toContain(text);
    expect(used).toContain(
      'redrive: The environment variable RETRY_MAX_ATTEMPTS is not valid, so nothing was done.',
    );
    expect(used).not.toContain('redrive.yaml is not valid');
  });

  test('of the env_file: the file and the line', async () => {
    const text = 'prod.env:2:1 error RETRY_TTL_MINUTES must be a number of minutes above 0';
    const validated = await run(['config', 'validate'], {}, '\nRETRY_TTL_MINUTES=abc\n');
    expect(validated).toContain(text);
    expect(validated).toContain('prod.env: not valid, 1 error; redrive.yaml is valid');
    const used = await run(['policy', 'list'], {}, '\nRETRY_TTL_MINUTES=abc\n');
    expect(used).toContain('redrive: prod.env is not valid, so nothing was done.');
  });

  test('one that contradicts the rest: both values, and which variable to change', async () => {
    const env = { RETRY_MAX_DELAY_SECONDS: '0.1', RETRY_MAX_ATTEMPTS: '3' };
    expect(await run(['config', 'validate'], env)).toContain(
      'RETRY_MAX_DELAY_SECONDS error The environment variable RETRY_MAX_DELAY_SECONDS contradicts the rest of events.default: maxDelayMs must be at least baseDelayMs, 250, not 100.',
    );
    const both = await run(['config', 'validate'], env, 'RETRY_BASE_DELAY_MS=5000\n');
    expect(both).toContain(
      'prod.env:1:1 error RETRY_BASE_DELAY_MS (prod.env:1) and the environment variable RETRY_MAX_DELAY_SECONDS contradict the rest of events.default:',
    );
  });

  test('beside a bad file both are named', async () => {
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': 'version: 7\n' });
    const env = { RETRY_MAX_ATTEMPTS: 'many' };
    const { stdout } = await runMain(['config', 'validate'], { directory, env });
    expect(stdout).toContain(
      'redrive.yaml, the environment variable RETRY_MAX_ATTEMPTS: not valid, 2 errors',
    );
  });
});
