import { holdPark } from '@redrive/durable/control';
import { causeName } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import {
  closeGate,
  openBreaker,
  parkJobs,
  probeBreaker,
  withWorker,
} from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

const BANK = 'breaker:bank';

function setUp({ isAttended = true } = {}) {
  const { store: bare, clock } = jobStore(virtualClock(START));
  const store = isAttended ? withWorker(bare) : bare;
  const run = (...args: string[]) => runMain(['park', ...args], { store, clock });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { store, clock, run, json };
}

test('list: a probe that is under way', async () => {
  const { store, run } = setUp();
  await probeBreaker(store);
  await parkJobs(store, BANK, 3);
  expect((await run('list')).stdout).toMatch(
    /breaker:bank +now +3 +under way +the breaker of bank/,
  );
});

test('list: cause, since when, how many, next probe, what for', async () => {
  const { store, clock, run, json } = setUp();
  expect((await run('list')).stdout).toMatch(/^No job is parked\. Jobs are parked when/);
  await openBreaker(store);
  await closeGate(store);
  await parkJobs(store, BANK, 3);
  await parkJobs(store, 'gate:["search","",""]', 1);
  await parkJobs(store, 'breaker:back', 1);
  await parkJobs(store, 'budget_exhausted', 1);
  await clock.advance(5_000);
  expect((await run('list')).stdout.split('\n')).toEqual([
    'cause             since    jobs  next probe  waits for',
    'breaker:back                  1              being released',
    'breaker:bank      5 s ago     3  in 25 s     the breaker of bank to close',
    'budget_exhausted              1              each for its own time',
    'gate:search       5 s ago     1              the gate to open in 15 s',
    '',
  ]);
  const { causes } = await json('list');
  expect(causes[1]).toEqual({
    cause: BANK,
    key: BANK,
    count: 3,
    bounded: false,
    since: '2027-01-31T08:00:00.000Z',
    waits_for: 'breaker',
    dependency: 'bank',
    until: null,
    next_probe_at: '2027-01-31T08:00:30.000Z',
    probe: 'planned',
    held_by: null,
    held_why: null,
    pace: null,
    has_worker: true,
  });
  expect(causes[3]).toMatchObject({
    cause: 'gate:search',
    key: 'gate:["search","",""]',
    until: '2027-01-31T08:00:20.000Z',
  });
});

test('release: some, all, or at a pace', async () => {
  const { store, run, json } = setUp();
  await parkJobs(store, BANK, 5);
  const dry = await run('release', BANK, '--dry-run');
  expect(dry.stdout).toBe('5 jobs under breaker:bank would be ready.\n');
  const some = await run('release', BANK, '--count', '2');
  expect(some.stdout).toBe('2 jobs under breaker:bank are ready. There are more.\n');
  const paced = await run('release', BANK, '--pace', '20/s');
  expect(paced.stdout).toBe(
    'The jobs under breaker:bank are released at a growing pace, beginning with 20/s.\n',
  );
  const { causes } = await json('list');
  expect(causes).toMatchObject([{ count: 3, pace: 20 }]);
  expect((await run('list')).stdout).toContain('being released, 20/s now');
  expect(await json('release', BANK)).toEqual({
    cause: BANK,
    released: 3,
    more: false,
    pace: null,
    waits_for: 'nothing',
    dependency: null,
    has_worker: true,
    dry_run: false,
  });
  expect((await json('list')).causes).toEqual([]);
});

test('release: where the cause is still there, it says what to do first', async () => {
  const { store, run } = setUp();
  await openBreaker(store);
  await closeGate(store);
  await parkJobs(store, BANK);
  await parkJobs(store, 'gate:["search","",""]');
  expect((await run('release', BANK)).stderr).toBe(
    'The breaker of bank is still open and will park them again. To let them run: redrive breakers force-closed --for 10m bank\n',
  );
  expect((await run('release', 'gate:search')).stderr).toContain('redrive gates release search');
});

test('hold: until somebody ends it', async () => {
  const { store, run, json } = setUp();
  await parkJobs(store, BANK);
  const dry = await run('hold', BANK, '--dry-run');
  expect(dry.stdout).toBe('Jobs parked under breaker:bank would be held.\n');
  const { stdout, stderr } = await run('hold', BANK, '--reason', 'wrong amounts');
  expect(stdout).toBe('Jobs parked under breaker:bank are held.\n');
  expect(stderr).toBe('To end the hold: redrive park release breaker:bank\n');
  expect((await run('list')).stdout).toMatch(/held by cli:.+: wrong amounts/);
  expect((await run('hold', BANK)).stdout).toMatch(/were held already, by cli:/);
  expect(await json('release', BANK, '--hold-only')).toEqual({
    cause: BANK,
    held: false,
    held_by: expect.stringMatching(/^cli:/),
    changed: true,
    dry_run: false,
  });
  expect((await run('hold', BANK, '--end')).stdout).toContain('were not held');
});

test('a cause that is not there is answered with what could be meant', async () => {
  const { store, run } = setUp();
  expect((await run('hold', 'bank')).stderr).toContain('No job is parked.');
  await parkJobs(store, BANK);
  for (const given of ['bank', 'braeker:bank']) {
    const { exitCode, stderr } = await run('release', given);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('Did you mean breaker:bank?');
  }
});

test('a hold of what is not parked any more can be ended', async () => {
  const { store, json } = setUp();
  await holdPark(store, { cause: BANK, actor: { name: 'eve' } });
  expect(await json('hold', BANK, '--end')).toMatchObject({ held: false, changed: true });
});

test.each([
  [BANK, BANK],
  ['gate:["search","",""]', 'gate:search'],
  ['gate:["search","k1",""]', 'gate:search/k1'],
  ['gate:["search","","acme"]', 'gate:search//acme'],
  ['gate:["search","k1","acme"]', 'gate:search/k1/acme'],
  // A job can be parked under any text.
  ['gate:search', 'gate:search'],
  ['gate:', 'gate:'],
  ['gate:{"a":1}', 'gate:{"a":1}'],
  ['gate:[1,null]', 'gate:[1,null]'],
])('%s is called %s', (cause, name) => {
  expect(causeName(cause)).toBe(name);
});
