import type { WorkerReport } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

function setUp() {
  const { store, clock, jobs } = jobStore(virtualClock(START));
  const run = (...args: string[]) => runMain(['workers', 'list', ...args], { store, clock });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return { store, clock, jobs, run, json };
}

function report(name: string, given: Partial<WorkerReport> = {}): WorkerReport {
  const facts = { host: 'web-1', pid: 4711, version: '0.1.0', concurrency: 10, running: 3 };
  return { name, ...facts, handlers: ['mail', 'sync'], state: 'working', ...given };
}

test('workers list: an empty one says how to start one', async () => {
  const { run, json, store, clock } = setUp();
  expect((await run()).stdout).toBe(
    'No worker is alive. Start one with "redrive start", or with jobsOn(…).start() in\nyour application.\n',
  );
  expect(await json()).toEqual({ workers: [], only_gone: false, next: null });
  await store.reportWorker(report('crashed'));
  await clock.advance(60_001);
  expect((await run()).stdout).toMatch(
    /^No worker is alive\. "redrive workers list --all" also\slists/,
  );
});

test('workers list: name, state, running now, since, last seen, handlers, host, pid, version', async () => {
  const { store, clock, run, json } = setUp();
  await store.reportWorker(report('crashed'));
  await clock.advance(3_600_000);
  await store.reportWorker(report('api-1'));
  await store.reportWorker(report('api-2', { queues: ['slow'], running: 0 }));
  await clock.advance(8_000);
  await store.reportWorker(report('api-3', { state: 'stopping', running: 1 }));
  const lines = (await run('--all')).stdout.split('\n');
  expect(lines).toEqual([
    'name     state     running  since    last seen  host    pid  version  handlers    queues',
    'api-1    working   3 of 10  8 s ago  8 s ago    web-1  4711  0.1.0    mail, sync',
    'api-2    working   0 of 10  8 s ago  8 s ago    web-1  4711  0.1.0    mail, sync  slow',
    'api-3    stopping  1 of 10  now      now        web-1  4711  0.1.0    mail, sync',
    'crashed  gone      3 of 10  1 h ago  1 h ago    web-1  4711  0.1.0    mail, sync',
    '',
    '"running" is the number at the last report; a worker reports every 10 s.',
    '',
  ]);
  const { workers, next } = await json();
  expect(next).toBeNull();
  expect(workers.map(({ name }: { name: string }) => name)).toEqual(['api-1', 'api-2', 'api-3']);
  expect(workers[1]).toEqual({
    name: 'api-2',
    state: 'working',
    host: 'web-1',
    pid: 4711,
    version: '0.1.0',
    since: '2027-01-31T09:00:00.000Z',
    last_seen_at: '2027-01-31T09:00:00.000Z',
    handlers: ['mail', 'sync'],
    more_handlers: 0,
    queues: ['slow'],
    more_queues: 0,
    concurrency: 10,
    running: 0,
    stalled: [],
    more_stalled: 0,
  });
});

test('workers list: a worker that missed two reports is silent', async () => {
  const { store, clock, run, json } = setUp();
  await store.reportWorker(report('api-1'));
  await clock.advance(25_000);
  expect((await run()).stdout).toMatch(/^api-1 +working /m);
  await clock.advance(14_000);
  expect((await run()).stdout).toMatch(/^api-1 +silent for 39 s +3 of 10 /m);
  expect((await json()).workers).toMatchObject([{ state: 'working' }]);
});

test('workers list: pages, and a worker with 3,000 handlers', async () => {
  const { store, run, json } = setUp();
  const handlers = Array.from({ length: 3_000 }, (_, n) => `h${n}`);
  await store.reportWorker(report('a', { handlers }));
  await store.reportWorker(report('b'));
  const first = await run('--limit', '1');
  expect(first.stdout).toMatch(/ h0, h1, .*, h13, and 2,986 more\n/);
  expect(first.stderr).toBe('There may be more: --after a\n');
  expect((await json('--limit', '1', '--after', 'a')).workers).toMatchObject([{ name: 'b' }]);
  expect((await json('--limit', '1')).workers[0]).toMatchObject({ more_handlers: 2_000 });
});

test('workers list: a worker inside an application is there until it stops', async () => {
  const { clock, jobs, json } = setUp();
  await jobs.start();
  await clock.advance(10);
  const { workers } = await json();
  expect(workers).toMatchObject([
    { state: 'working', handlers: ['mail', 'import', 'search', 'slow'], concurrency: 10 },
  ]);
  const stopped = jobs.stop();
  await clock.advance(10);
  await stopped;
  expect((await json()).workers).toEqual([]);
});

test('redrive worker list is the same', async () => {
  const { store, clock, run } = setUp();
  await store.reportWorker(report('api-1'));
  const singular = await runMain(['worker', 'list'], { store, clock });
  expect(singular).toEqual(await run());
});
