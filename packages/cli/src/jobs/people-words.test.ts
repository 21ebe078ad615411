import { holdPark } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import {
  closeGate,
  openBreaker,
  parkJobs,
  probeBreaker,
  withWorker,
} from '../testing/control-states.ts';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

const GATE = 'gate:["search","",""]';
const INTERNAL = /verdict:|\["|in 1 d|in 23 h|next probe \d+ \S+ ago|opens \d+ \S+ ago/;

function setUp() {
  const { store: bare, clock, jobs, work } = jobStore(virtualClock(START));
  const worked = withWorker(bare);
  const run = async (line: string, store = worked) =>
    (await runMain(line.split(' '), { store, clock })).stdout.replaceAll(/\s+/g, ' ');
  return { bare, worked, clock, jobs, work, run };
}

describe('internal keys are not shown to people', () => {
  test.each([
    'jobs list',
    'jobs list --failing',
    'status',
    'dlq groups',
    'dlq causes',
    'dlq stats',
  ])('redrive %s', async (line) => {
    const { bare, clock, jobs, work, run } = setUp();
    await jobs.enqueue('import', {});
    await work(1_000);
    await openBreaker(bare);
    await closeGate(bare);
    await parkJobs(bare, 'breaker:bank');
    await parkJobs(bare, GATE);
    await clock.advance(40_000);
    for (const store of [bare, withWorker(bare)])
      expect(await run(line, store)).not.toMatch(INTERNAL);
  });

  test('an error that a handler returned says so', async () => {
    const { jobs, work, run } = setUp();
    const { id } = await jobs.enqueue('import', {});
    const search = await jobs.enqueue('search', {});
    await work(1_000);
    const text = 'returned final: the file is not there';
    expect(await run('status')).toContain(text);
    expect(await run('dlq groups')).toContain(text);
    expect(await run(`dlq show ${id}`)).toContain(`cause ${text}`);
    expect(await run(`jobs show ${id}`)).toContain(text);
    expect(await run(`jobs show ${search.id}`)).toContain('returned retryAfter: 429 Too Many');
  });

  test('the cause of a parked job has its name of "redrive park list"', async () => {
    const { bare, run } = setUp();
    await closeGate(bare);
    await parkJobs(bare, GATE);
    expect(await run('jobs list')).toContain(' gate:search');
    expect(await run('park list')).toContain(' gate:search');
  });
});

describe('a parked job says what it waits for', () => {
  test('jobs list: the next probe, the gate, or a worker that is missing', async () => {
    const { bare, clock, run } = setUp();
    await openBreaker(bare);
    await closeGate(bare);
    await probeBreaker(bare, 'mail');
    await parkJobs(bare, 'breaker:bank');
    await parkJobs(bare, GATE);
    await parkJobs(bare, 'breaker:mail');
    await parkJobs(bare, 'breaker:gone');
    const text = await run('jobs list');
    expect(text).toMatch(/parked 1 now probe in 30 s breaker:bank/);
    expect(text).toMatch(/parked 1 now gate opens in 20 s gate:search/);
    expect(text).toMatch(/parked 1 now probe under way breaker:mail/);
    expect(text).toMatch(/parked 1 now being released breaker:gone/);
    await clock.advance(40_000);
    expect(await run('jobs list')).toMatch(/ probe due now breaker:bank/);
    expect(await run('jobs list', bare)).toMatch(/ no worker breaker:bank/);
    expect(await run('jobs list', bare)).toMatch(/ no worker gate:search/);
  });

  test('jobs show: the breaker and its next probe', async () => {
    const { bare, run } = setUp();
    await openBreaker(bare);
    const [id] = await parkJobs(bare, 'breaker:bank');
    expect(await run(`jobs show ${id}`)).toContain(
      'It is parked: the breaker of bank is open. It runs when the breaker closes, or as its probe; next probe in 30 s.',
    );
    expect(await run(`jobs show ${id}`, bare)).toContain(
      'or as its probe; no worker that has its handler is alive to probe.',
    );
    await holdPark(bare, { cause: 'breaker:bank', actor: { name: 'eve', why: 'INC-7' } });
    expect(await run(`jobs show ${id}`)).toContain(
      'It is parked under breaker:bank and held by eve: INC-7. To release it: redrive park release breaker:bank',
    );
  });

  test('jobs show: the gate and the time when it opens', async () => {
    const { bare, clock, run } = setUp();
    await closeGate(bare);
    const [id] = await parkJobs(bare, GATE);
    expect(await run(`jobs show ${id}`)).toContain(
      'It is parked: the gate of search is closed. It runs after the gate opens in 20 s.',
    );
    await clock.advance(30_000);
    expect(await run(`jobs show ${id}`)).toContain(
      'It is parked under gate:search, and that cause is gone: it is being released.',
    );
    expect(await run(`jobs show ${id}`, bare)).toContain(
      'and that cause is gone: a worker releases it, and none that has its handler is alive.',
    );
  });
});

describe('a due time in the past is "due"', () => {
  test('jobs list, jobs show', async () => {
    const { bare, clock, jobs, work, run } = setUp();
    const { id } = await jobs.enqueue('search', {});
    await work(1_000);
    await clock.advance(4_000);
    expect(await run('jobs list', bare)).toContain(' due now rate_limited');
    await clock.advance(3_000);
    expect(await run('jobs list', bare)).toContain(' due since 4 s rate_limited');
    expect(await run(`jobs show ${id}`, bare)).toMatch(
      /The next attempt has been due since 2027\S+ \S+ \(for 4 s\): .*\. It waits for a worker that handles search\./,
    );
  });

  test('status, breakers list, breakers show, park list', async () => {
    const { bare, clock, run } = setUp();
    await openBreaker(bare);
    await parkJobs(bare, 'breaker:bank');
    await clock.advance(33_000);
    for (const line of ['breakers list', 'breakers show bank', 'park list', 'status'])
      expect(await run(line)).toMatch(/next probe.* due now/);
  });
});
