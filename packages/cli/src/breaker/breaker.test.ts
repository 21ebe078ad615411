import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { openBreaker, parkJobs, probeBreaker, withWorker } from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

async function setUp(...dependencies: string[]) {
  const { store: bare, clock } = jobStore(virtualClock(START));
  const store = withWorker(bare);
  for (const dependency of dependencies) await openBreaker(store, dependency);
  const run = (...args: string[]) => runMain(['breaker', ...args], { store, clock });
  const json = async (...args: string[]) => {
    const { exitCode, stdout } = await run(...args, '--json');
    return { exitCode, ...JSON.parse(stdout) };
  };
  return { store, bare, clock, run, json };
}

test('an empty list says what would make rows appear', async () => {
  const { run } = await setUp();
  const { exitCode, stdout } = await run('list');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^No breaker has counted a failure\. A breaker appears when a job fails/);
});

test('list: those that are not closed first, with probes and what waits', async () => {
  const { run, store } = await setUp('bank', 'atm');
  await parkJobs(store, 'breaker:bank', 3);
  await run('reset', 'atm');
  const { stdout } = await run('list');
  expect(stdout.split('\n')).toEqual([
    'dependency  state   changed  failures  opens at  next probe  parked',
    'bank        open    now             7         5  in 30 s          3',
    'atm         closed  now             0         5                   0',
    '',
  ]);
});

test('show --json is the state document of a breaker, and what an operator wants to know besides', async () => {
  const { json, store } = await setUp('bank');
  await parkJobs(store, 'breaker:bank', 2);
  expect(await json('show', 'bank')).toEqual({
    exitCode: 0,
    policy_id: 'bank',
    state: 'open',
    failure_count: 7,
    last_failure_time: '2027-01-31T08:00:00.000Z',
    last_error: { type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:443' },
    threshold: 5,
    timeout: 60,
    last_state_change: '2027-01-31T08:00:00.000Z',
    redrive: { schema_version: 1, calls: 0, isolated: false },
    next_probe_at: '2027-01-31T08:00:30.000Z',
    probe: 'planned',
    failed_probes: 2,
    forced: null,
    parked: 2,
    bounded: false,
  });
});

test('breaker show has the last error', async () => {
  const { run } = await setUp('bank');
  expect((await run('show', 'bank')).stdout).toMatch(
    /^ {2}last error {2}Error: connect ECONNREFUSED 10\.0\.0\.7:443$/m,
  );
});

test('the next probe may be hours away; while one runs, nobody knows when the next one begins', async () => {
  const { run, json, store } = await setUp();
  await openBreaker(store, 'nightly', 4 * 3_600_000);
  await probeBreaker(store, 'bank');
  await parkJobs(store, 'breaker:bank');
  const { stdout } = await run('list');
  expect(stdout).toMatch(/nightly +open +now +7 +5 +in 2 h/);
  expect(stdout).toMatch(/bank +half-open +now +7 +5 +under way/);
  expect((await run('show', 'bank')).stdout).toMatch(/next probe {2}under way/);
  expect(await json('show', 'bank')).toMatchObject({ state: 'half_open', next_probe_at: null });
});

test('a forced state has an end, a reason and somebody who said so', async () => {
  const { run, json, clock } = await setUp('bank');
  const { stdout } = await run('force-closed', 'bank', '--for', '30m', '--reason', 'INC-7');
  expect(stdout).toMatch(/^bank {2}forced closed\n/);
  expect(stdout).toMatch(/forced {6}ends in 30 min, by cli:.+: INC-7/);
  expect(await json('show', 'bank')).toMatchObject({
    state: 'closed',
    next_probe_at: null,
    forced: { state: 'closed', until: '2027-01-31T08:30:00.000Z', why: 'INC-7' },
  });
  await clock.advance(1_800_000);
  expect(await json('show', 'bank')).toMatchObject({ state: 'open', forced: null });
  const until = '2027-01-31T09:00:00Z';
  expect(await json('force-open', 'bank', '--until', until)).toMatchObject({
    changed: true,
    state: 'open',
    forced: { until: '2027-01-31T09:00:00.000Z', why: null },
  });
  const forced = await run('list');
  expect(forced.stdout).toMatch(/^bank +forced open .* in 30 min$/m);
});

test('half-open lets the next probe try at once, reset closes', async () => {
  const { run, json } = await setUp('bank');
  expect((await run('half-open', 'bank')).stdout).toMatch(/next probe {2}due now/);
  const dry = await run('reset', 'bank', '--dry-run');
  expect(dry.stdout).toMatch(
    /^It would be closed, and its count of failures would be 0\.\nbank {2}open\n/,
  );
  expect(await json('reset', 'bank')).toMatchObject({ state: 'closed', failure_count: 0 });
});

test('a breaker that is not there is answered with the nearest one', async () => {
  const { run } = await setUp('bank');
  for (const act of ['show', 'reset', 'half-open']) {
    const { exitCode, stderr } = await run(act, 'bnak');
    expect(exitCode).toBe(3);
    expect(stderr).toBe('redrive: The dependency bnak has no breaker.\nDid you mean bank?\n');
  }
  const { exitCode, stderr, stdout } = await run('force-open', 'bnak');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('bnak has no breaker yet. Did you mean bank?');
  expect(stdout).toContain('until it is reset, by cli:');
});

test.each([
  [['force-open', 'bank', '--for', 'soon'], '--for is not a duration: soon'],
  [['force-open', 'bank', '--until', 'noon'], '--until is not a time: noon'],
  [['force-open', 'bank', '--for', '1m', '--until', '+1m'], 'cannot be used with option'],
])('a wrong end is refused: %j', async (args, message) => {
  const { run } = await setUp('bank');
  const { exitCode, stderr } = await run(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('an end that has passed is refused', async () => {
  const { run } = await setUp('bank');
  const { exitCode, stderr } = await run('force-open', 'bank', '--until', '2020-01-01T00:00:00Z');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('must be in the future');
});

test('a dry run on a dependency without a breaker prints every field, and makes none', async () => {
  const { json } = await setUp();
  expect(await json('force-open', 'bank', '--dry-run')).toMatchObject({
    exitCode: 0,
    policy_id: 'bank',
    state: 'closed',
    failure_count: 0,
    threshold: 5,
    timeout: 60,
    forced: null,
    parked: 0,
    changed: false,
    dry_run: true,
  });
  expect(await json('list')).toMatchObject({ breakers: [] });
});
