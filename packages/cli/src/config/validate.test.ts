import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const SIX_MISTAKES = `version: "1.1.0"

global_defaults:
  jitter_typ: full

policies:
  orders:
    name: Orders
    max_attempts: 0
    backoff_type: exponental
    base_delay: 5
    max_delay: 2
  payments:
    name: Payments
    max_attempts: 3
    backoff_type: fixed
    base_delay: 1
    max_delay: 10
    jitter_amount: 1.5

subsystem_mappings:
  shop:
    orders: orders
    payments: paymnets
`;

describe('a file with six different mistakes', () => {
  test('as JSON: six problems, each with its line, and 1', async () => {
    const directory = scratchDirectory(onTestFinished, { 'six.yaml': SIX_MISTAKES });
    const args = ['config', 'validate', 'six.yaml', '--json'];
    const { exitCode, stdout, stderr } = await runMain(args, { directory });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    const { valid, problems } = JSON.parse(stdout);
    expect(valid).toBe(false);
    const places = problems.map((each: Record<string, unknown>) => [
      each.severity,
      each.path,
      each.line,
    ]);
    expect(places).toEqual([
      ['error', 'global_defaults.jitter_typ', 4],
      ['error', 'policies.orders.max_attempts', 9],
      ['error', 'policies.orders.backoff_type', 10],
      ['error', 'policies.orders.max_delay', 12],
      ['error', 'policies.payments.jitter_amount', 19],
      ['error', 'subsystem_mappings.shop.payments', 24],
    ]);
    for (const problem of problems) {
      expect(Object.keys(problem).slice(0, 7)).toEqual([
        'severity',
        'code',
        'path',
        'line',
        'column',
        'message',
        'suggestion',
      ]);
      expect(problem.suggestion).not.toBeNull();
    }
  });

  test('for people: the place, the line with a caret, and what to write', async () => {
    const directory = scratchDirectory(onTestFinished, { 'six.yaml': SIX_MISTAKES });
    const { exitCode, stdout } = await runMain(['config', 'validate', 'six.yaml'], { directory });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^six\.yaml:9:19 error max_attempts .*\n {4}not 0 .*\n {8}max_attempts: 0\n {22}\^\n {4}→ .*max_attempts/m,
    );
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('six.yaml: not valid, 6 errors');
  });
});

test('the sample is valid', async () => {
  const directory = scratchDirectory(onTestFinished);
  await runMain(['config', 'init'], { directory });
  const { exitCode, stdout } = await runMain(['config', 'validate'], { directory });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('redrive.yaml: valid');
});

test('warnings do not make a file invalid', async () => {
  const unused = SIX_MISTAKES.replace('jitter_typ:', 'jitter_type:')
    .replace('max_attempts: 0', 'max_attempts: 4')
    .replace('exponental', 'exponential')
    .replace('max_delay: 2', 'max_delay: 20')
    .replace('1.5', '1')
    .replace('    payments: paymnets\n', '');
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': unused });
  const { exitCode, stdout } = await runMain(['config', 'validate', '--json'], { directory });
  const { valid, problems } = JSON.parse(stdout);
  expect({ exitCode, valid }).toEqual({ exitCode: 0, valid: true });
  expect(problems).toContainEqual(
    expect.objectContaining({ severity: 'warning', path: 'policies.payments' }),
  );
});

test('what a file says cannot reach the terminal as a command', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'x.yaml': 'version: "1.1.0"\n"\\e[2Jkey": 1\n',
  });
  const { stdout } = await runMain(['config', 'validate', 'x.yaml'], { directory });
  expect(stdout).not.toContain('\x1b');
});

test('other commands refuse a file that is not valid, with its problems on stderr', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': SIX_MISTAKES });
  const { exitCode, stdout, stderr } = await runMain(['policy', 'list'], { directory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/redrive\.yaml:9:19 error/);
  expect(stderr).toMatch(/redrive: redrive\.yaml is not valid.*\n.*redrive config validate/);
  expect(stderr).not.toContain('--store');
  // This one reads it only for the store.
  const jobs = await runMain(['jobs', 'list'], { directory });
  expect(jobs.stderr).toMatch(
    /"redrive config validate"\. With --store or REDRIVE_STORE this command works without the configuration\.\n$/,
  );
});
