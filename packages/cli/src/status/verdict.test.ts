import { definePolicy } from '@redrive/core';
import { settleAttempt } from '@redrive/core/stored';
import {
  type FullStore,
  final,
  type Handlers,
  jobsOn,
  memoryStore,
  retryAfter,
} from '@redrive/durable';
import { addAttempt, type JobAttempt, type WorkerReport } from '@redrive/durable/store';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { closeGate, openBreaker, parkJobs } from '../testing/control-states.ts';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

const HANDLERS = {
  charge: {
    run: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:443');
    },
    dependency: 'bank',
  },
  import: () => final('the file 4711 is not there'),
  export: () => final('The disk is full. Free some space.'),
  search: () => retryAfter(60_000, '429 Too Many Requests'),
  sync: () => 'done',
} satisfies Handlers;

const POLICY = definePolicy({
  ...{ maxAttempts: 3, backoff: 'fixed', baseDelayMs: 60_000, jitter: 'none' },
  ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 3 },
});

const WORKER: WorkerReport = {
  ...{ name: 'w-1', host: 'h', pid: 7, version: '1', concurrency: 10, running: 0 },
  ...{ handlers: [...Object.keys(HANDLERS), 'parked'], state: 'working' },
};

/** A store, and a worker for it that works for a while. */
function place() {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, HANDLERS, { clock, worker: 'w', log: 'off', policies: () => POLICY });
  const work = async (durationMs: number) => {
    await jobs.start();
    await clock.advance(durationMs);
    const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
    await clock.advance(1_000);
    await stopped;
  };
  const run = (...args: string[]) => runMain(args, { store, clock });
  return { clock, store, jobs, work, run };
}

type Place = ReturnType<typeof place>;

async function firstLine(
  { store, clock }: { readonly store: FullStore; readonly clock: VirtualClock },
  workers: readonly WorkerReport[] = [WORKER],
): Promise<string> {
  for (const worker of workers) await store.reportWorker(worker);
  const { stdout } = await runMain(['status'], { store, clock, env: { COLUMNS: '200' } });
  return stdout.split('\n')[0] ?? '';
}

const CASES: readonly (readonly [string, (place: Place) => Promise<unknown>, string | RegExp])[] = [
  ['an empty store', async () => {}, 'Fine: there are no jobs yet.'],
  [
    'all is well',
    async ({ jobs, work }) => {
      await jobs.enqueue('sync', {});
      await work(100);
    },
    'Fine: no job is failing, nothing is stopped; 1 worker.',
  ],
  [
    'a job will be tried again',
    async ({ jobs, work, clock }) => {
      await jobs.enqueue('charge', {});
      await work(100);
      await clock.advance(20_000);
    },
    'charge has been failing at bank for 21 s: 1 retrying. Last error: connect ECONNREFUSED 10.0.0.7:443.',
  ],
  [
    'a dependency is away',
    async ({ store }) => {
      await openBreaker(store, 'bank');
      await parkJobs(store, 'breaker:bank', 2);
    },
    'parked has been failing at bank for 1 s: 2 parked. Last error: connect ECONNREFUSED 10.0.0.7:443.',
  ],
  [
    'a job died',
    async ({ jobs, work, clock }) => {
      await jobs.enqueue('import', {});
      await work(100);
      await clock.advance(600_000);
    },
    'import has been failing for 10 min 1 s: 1 dead. Last error: the file 4711 is not there.',
  ],
  [
    'an error ends with a full stop',
    async ({ jobs, work, clock }) => {
      await jobs.enqueue('export', {});
      await work(100);
      await clock.advance(600_000);
    },
    'export has been failing for 10 min 1 s: 1 dead. Last error: The disk is full. Free some space.',
  ],
  [
    'a job died yesterday',
    async ({ jobs, work, clock }) => {
      await jobs.enqueue('import', {});
      await work(100);
      await clock.advance(86_400_000);
    },
    '1 dead letter waits for a decision; the newest died 1 d ago.',
  ],
  [
    'a handler without a worker',
    async ({ jobs }) => jobs.enqueueMany('sync', [1, 2]),
    '2 ready jobs of sync wait, and no worker runs them.',
  ],
  [
    'no worker at all',
    async ({ jobs }) => {
      await jobs.enqueue('sync', 1);
      await jobs.enqueue('sync', 2, { delayMs: 60_000 });
    },
    'No worker is running, and 2 jobs wait: 1 ready, 1 scheduled.',
  ],
  [
    'everything is stopped',
    async ({ run, jobs }) => {
      await jobs.enqueue('sync', 1);
      await run('kill', 'engage', 'all', '--confirm=all', '--reason', 'INC-7');
    },
    /^Everything is stopped by a kill switch, just now by cli:.+: INC-7\.$/,
  ],
  [
    'a queue is stopped',
    async ({ run, jobs }) => {
      await jobs.enqueue('sync', 1, { queue: 'mail' });
      await run('kill', 'engage', 'queue', 'mail');
    },
    /^The queue mail is stopped by a kill switch, just now by cli:.+\.$/,
  ],
  [
    'a queue is paused',
    async ({ run, jobs }) => {
      await jobs.enqueue('sync', 1, { queue: 'files' });
      await run('queue', 'pause', 'files', '--reason', 'moving house');
    },
    /^The queue files is paused, just now by cli:.+: moving house\.$/,
  ],
  [
    'an operator forced a breaker open',
    async ({ run }) => run('breaker', 'force-open', 'bank', '--reason', 'INC-8'),
    /^The breaker of bank is forced open, just now by cli:.+: INC-8\.$/,
  ],
  [
    'an operator holds parked jobs',
    async ({ run, store }) => {
      await parkJobs(store, 'breaker:bank', 2);
      await run('park', 'hold', 'breaker:bank', '--reason', 'wrong amounts');
    },
    /^breaker:bank is held by cli:.+: wrong amounts: 2 parked\.$/,
  ],
  [
    'a dependency limits the rate, and jobs wait for it',
    async ({ store }) => {
      await closeGate(store);
      await parkJobs(store, 'gate:["search","",""]', 3);
    },
    'search is rate-limited; its gate opens in 20 s: 3 parked.',
  ],
  [
    'a dependency limits the rate, and no job waits for it',
    async ({ store }) => closeGate(store),
    'search is rate-limited; its gate opens in 20 s.',
  ],
];

const WITHOUT: Readonly<Record<string, readonly WorkerReport[]>> = {
  'a handler without a worker': [{ ...WORKER, handlers: ['charge'] }],
  'no worker at all': [],
};

test.each(CASES)('the first line is right where %s', async (name, makeTrouble, expected) => {
  const all = place();
  await makeTrouble(all);
  const line = await firstLine(all, WITHOUT[name]);
  if (typeof expected === 'string') expect(line).toBe(expected);
  else expect(line).toMatch(expected);
  const { stdout } = await all.run('status', '--json');
  const { ok, verdict, problems } = JSON.parse(stdout);
  expect([`${verdict}.`, verdict]).toContain(line);
  expect(ok).toBe(line.startsWith('Fine'));
  expect(problems.length).toBe(ok ? 0 : 1);
});

test('the first line is right where a job ends its process', async () => {
  const { clock, store, jobs } = place();
  await jobs.enqueue('sync', {});
  const lane = { handler: 'sync', limit: 1, policyHash: 'p', limitPerKey: 1 };
  const worker = 'web-1.4711';
  const [{ jobs: claimed }] = await store.apply([
    { kind: 'claim', worker, leaseMs: 30_000, lanes: [lane], limit: 1, ahead: 0 },
  ]);
  await clock.advance(31_000);
  const [job] = claimed;
  if (job === undefined) throw new Error('nothing was claimed');
  const error = {
    type: 'LeaseLost',
    message: `Worker ${worker} went silent, and the lease ran out`,
  };
  const attempt: JobAttempt = {
    ...{ generation: 1, attempt: 1, startedAtMs: START.startMs, durationMs: 30_000 },
    ...{ delayBeforeMs: 0, entry: 'lease_lost', error, action: 'retry', reason: 'lease_lost' },
    ...{ worker, policyHash: 'p', maxAttempts: 3 },
  };
  const account = settleAttempt(job.account, 'lease_lost', 60_000);
  const end = { by: 'expired', to: 'scheduled', dueInMs: 60_000, account, retryCount: 1 } as const;
  const attempts = addAttempt(job.attempts, attempt);
  const { id, token } = job;
  const settlement = { id, token, ...end, attempts, reason: 'lease_lost', detail: '{}' } as const;
  const [settled] = await store.apply([{ kind: 'settle', settlement }]);
  expect(settled).toEqual({ ok: true });
  expect(await firstLine({ store, clock })).toBe(
    'sync has been failing for 1 s: 1 retrying. Last error: LeaseLost: Worker web-1.4711 went silent, and the lease ran out.',
  );
});

test('the most urgent comes first', async () => {
  const all = place();
  const { run, jobs, store, clock, work } = all;
  await jobs.enqueueMany('charge', [1, 2]);
  await work(100);
  await jobs.enqueue('sync', 1);
  await run('queue', 'pause', 'files');
  await run('kill', 'engage', 'queue', 'mail');
  await store.reportWorker({ ...WORKER, handlers: ['charge'] });
  const kinds = async () => {
    const { stdout } = await run('status', '--json');
    return JSON.parse(stdout).problems.map(({ kind }: { kind: string }) => kind);
  };
  expect(await kinds()).toEqual(['no_worker', 'kill_switch', 'failing', 'paused']);
  await run('kill', 'engage', 'all', '--confirm=all');
  expect((await kinds())[0]).toBe('kill_switch');
  await clock.advance(120_000);
  expect(await firstLine(all, [])).toMatch(/^Everything is stopped/);
});

test('attempts without progress are named, the longest first, until their worker reports none', async () => {
  const all = place();
  const { clock, run } = all;
  const stalled = [10, 40, 30, 20, 25].map((seconds) => {
    const sinceMs = clock.now() - seconds * 1_000;
    return { id: `job-${seconds}`, handler: 'sync', tenant: '', sinceMs };
  });
  expect(await firstLine(all, [{ ...WORKER, stalled }])).toBe(
    'Job job-40 of sync has made no progress for 40 s.',
  );
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout).problems).toMatchObject([
    { kind: 'stalled', level: 'bad' },
    { text: 'Job job-30 of sync has made no progress for 30 s' },
    { text: 'Job job-25 of sync has made no progress for 25 s' },
    { text: 'and 2 more stalled jobs' },
  ]);
  expect(await firstLine(all)).toBe('Fine: there are no jobs yet.');
});
