import { parseConfig } from '@redrive/config';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { simulateLoads } from './simulate-loads.ts';

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

describe('--simulate: every declared load in a stall of ten seconds', () => {
  const LOADS = `version: "1.1.0"
policies:
  checkout:
    name: Checkout
    max_attempts: 4
    backoff_type: exponential
    base_delay: 0.1
    max_delay: 10
    jitter_type: full
    jitter_amount: 1
    attempt_timeout: 1
  search: { extends: checkout, name: Search, dependency: search }
budgets: { search: { ratio: 0.1, floor_per_second: 0, burst: 50 } }
load:
  payments: { utilisation: 0.5, layers: [checkout] }
  search: { utilisation: 0.8, capacity: 50, layers: [search] }
  nothing: { utilisation: 0, layers: [checkout] }
`;

  test('as JSON: the rule and the recovery time of each', async () => {
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': LOADS });
    const args = ['config', 'validate', '--simulate', '--json'];
    const { exitCode, stdout } = await runMain(args, { directory });
    expect(exitCode).toBe(0);
    const { stalls } = JSON.parse(stdout);
    expect(stalls).toMatchObject([
      { dependency: 'payments', rule: '0.5 × 4 (checkout)', demand: 2, stable: false },
      { dependency: 'search', demand: 0.88, stable: true },
      { dependency: 'nothing', recovers_after_ms: 0 },
    ]);
    expect(stalls[0].recovers_after_ms).toBeNull();
    expect(stalls[1].recovers_after_ms).toBeGreaterThan(5_000);
    expect(stalls[1].recovers_after_ms).toBeLessThan(90_000);
  });

  test('as text; and without a load it says so', async () => {
    const directory = scratchDirectory(onTestFinished, {
      'redrive.yaml': LOADS,
      'plain.yaml': 'version: "1.1.0"\n',
    });
    const run = (...args: string[]) =>
      runMain(['config', 'validate', ...args], { directory, env: { COLUMNS: '200' } });
    const { stdout } = await run('--simulate');
    expect(stdout).toContain(
      'load.payments: 0.5 × 4 (checkout) = 2, not below 1; after a stall of 10 s it does not recover within 540 s',
    );
    expect((await run('plain.yaml', '--simulate')).stdout).toContain('No load is declared');
    expect((await run()).stdout).not.toContain('stall');
  });

  test('a run that reaches a limit has no recovery time: it is not called one that does not recover', async () => {
    const { config } = parseConfig(LOADS);
    const { signal } = new AbortController();
    const limits = { attempts: 20_000, events: Infinity, openSessions: Infinity };
    expect(config && (await simulateLoads({}, config, signal, limits))).toMatchObject([
      { dependency: 'payments', recovers_after_ms: null, cut: true },
      { dependency: 'search', recovers_after_ms: null, cut: true },
      { dependency: 'nothing', recovers_after_ms: 0, cut: false },
    ]);
  });

  test('130: Ctrl-C ends it, with the loads that were simulated', async () => {
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': LOADS });
    const { exitCode, stdout, stderr } = await runMain(['config', 'validate', '--simulate'], {
      directory,
      onSignals: (send) => send('SIGINT'),
    });
    expect(exitCode).toBe(130);
    expect(stdout).toContain('redrive.yaml: valid');
    expect(stdout).not.toContain('stall');
    expect(stderr).toContain('Stopped');
  });

  test('a capacity is a number above 0', async () => {
    const wrong = LOADS.replace('capacity: 50', 'capacity: 0');
    const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': wrong });
    expect((await runMain(['config', 'validate'], { directory })).exitCode).toBe(1);
  });
});
