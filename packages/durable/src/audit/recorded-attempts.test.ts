import { retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { final, retryAfter } from '../handler/verdict.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { auditSink } from './audit-sink.ts';
import { type RecordedAttempt, recordedAttempts } from './recorded-attempts.ts';

const START_MS = Date.parse('2026-01-29T12:00:00Z');
const ALL = { sinceMs: START_MS - 1, untilMs: START_MS + 1e9 };

async function sample() {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const policy = { id: 'quick', maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' } as const;
  const jobs = jobsOn(
    store,
    {
      save: {
        policy,
        run: async (failures: number, { attempt }) => {
          if (attempt <= failures) throw new Error('secret text');
        },
      },
      search: {
        policy,
        run: (_: unknown, { attempt }) =>
          attempt === 1 ? retryAfter(5_000, '429 Too Many Requests') : 'found',
      },
      route: { policy, run: () => final('no way') },
    },
    { clock, log: 'off' },
  );
  const work = async (seconds: number) => {
    await jobs.start();
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
    await jobs.stop();
  };
  return { clock, store, jobs, work };
}

async function all(
  store: Parameters<typeof recordedAttempts>[0],
  options: Omit<Parameters<typeof recordedAttempts>[1], 'clock'> = ALL,
): Promise<RecordedAttempt[]> {
  const clock = virtualClock({ startMs: START_MS });
  const found: RecordedAttempt[] = [];
  for await (const one of recordedAttempts(store, { ...options, clock })) found.push(one);
  return found;
}

const inShort = ({ handler, attempt, outcome, action }: RecordedAttempt) =>
  `${handler} ${attempt} ${outcome} ${action}`;

test('every attempt of jobs and calls is read once, with its decision and without a message', async () => {
  const { clock, store, jobs, work } = await sample();
  const { id } = await jobs.enqueue('save', 9);
  await jobs.enqueue('search', null);
  await jobs.enqueue('route', null);
  await work(10);
  const events = auditSink(store, { clock });
  const call = retry(
    ({ attempt }) => {
      if (attempt === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    },
    { id: 'call', baseDelayMs: 500, jitter: 'none', dependency: 'telemetry' },
    { events, clock, operation: 'batch' },
  );
  await clock.advance(1_000);
  await call;
  await events.close();
  const attempts = await all(store);
  expect(attempts.map(inShort).sort()).toEqual([
    'batch 1 failed retry',
    'batch 2 succeeded succeed',
    'route 1 failed give-up',
    'save 1 failed retry',
    'save 2 failed retry',
    'save 3 failed give-up',
    'search 1 failed retry',
    'search 2 succeeded succeed',
  ]);
  expect(attempts.find(({ handler }) => handler === 'save')).toMatchObject({
    session: id,
    policyId: 'quick',
    rung: 'job',
    generation: 1,
    startedAtMs: START_MS,
    endedAtMs: START_MS,
    errorClass: 'retryable',
    errorType: 'Error',
    delayMs: 1_000,
    decided: { version: 1, answer: { action: 'retry', delayMs: 1_000 } },
  });
  expect(attempts.find(({ handler }) => handler === 'search')).toMatchObject({
    errorClass: 'rate_limited',
    hintMs: 5_000,
  });
  // The log has the end of a job's success alone.
  expect(attempts.find(({ attempt }) => attempt === 2)).not.toHaveProperty('message');
  const success = attempts.find((one) => one.handler === 'search' && one.attempt === 2);
  expect(success).toMatchObject({ startedAtMs: undefined, decided: undefined });
  const inProcess = attempts.filter(({ rung }) => rung === 'call');
  expect(inProcess).toMatchObject([
    { dependency: 'telemetry' },
    { startedAtMs: expect.any(Number) },
  ]);
  expect(JSON.stringify(attempts)).not.toMatch(/secret text|no way|Too Many/);
});

test('`starts` asks stored jobs when their successful attempts began', async () => {
  const { clock, store, jobs, work } = await sample();
  await jobs.enqueue('save', 1);
  await work(5);
  const found: RecordedAttempt[] = [];
  for await (const one of recordedAttempts(store, { ...ALL, clock, starts: true })) found.push(one);
  const times = found.map(({ outcome, startedAtMs = 0, endedAtMs }) => [
    outcome,
    startedAtMs - START_MS,
    endedAtMs - START_MS,
  ]);
  expect(times).toEqual([
    ['failed', 0, 0],
    ['succeeded', 1_000, 1_000],
  ]);
});

test('the window holds, and a job that was submitted before it keeps its handler', async () => {
  const { store, jobs, work } = await sample();
  await jobs.enqueue('save', 9);
  await work(10);
  const window = { sinceMs: START_MS + 500, untilMs: START_MS + 2_000 };
  expect((await all(store, window)).map(inShort)).toEqual(['save 2 failed retry']);
});

test('a requeued job has the next generation, and its attempts number on', async () => {
  const { store, jobs, work, clock } = await sample();
  const { id } = await jobs.enqueue('route', null);
  await work(1);
  await store.apply([{ kind: 'act', act: 'requeue', id, actor: { name: 'test' } }]);
  await clock.advance(1);
  await work(1);
  expect(await all(store)).toMatchObject([
    { generation: 1, attempt: 1 },
    { generation: 2, attempt: 2 },
  ]);
});

test('a job that dies before it was ever claimed has no attempt', async () => {
  const { store, jobs, work, clock } = await sample();
  const { id } = await jobs.enqueue('save', 0, { deadline: new Date(START_MS + 1_000) });
  await clock.advance(60_000);
  await work(60);
  expect(await store.job(id)).toMatchObject({ state: 'dead' });
  expect(await all(store)).toEqual([]);
});

test('a block that is committed behind others with higher numbers comes late, and comes once', async () => {
  const { store, jobs, work } = await sample();
  await jobs.enqueueMany('save', [0, 1, 9]);
  await work(10);
  const plain = (await all(store)).map(inShort);
  let isCommitted = false;
  const late: Parameters<typeof recordedAttempts>[0] = {
    ...store,
    async auditBlocks(after, limit) {
      const blocks = await store.auditBlocks(after, limit);
      const isVisible = isCommitted;
      isCommitted ||= limit > 1;
      return isVisible ? blocks : blocks.filter(({ seq }) => seq !== 3);
    },
  };
  const found = (await all(late)).map(inShort);
  expect(found).not.toEqual(plain);
  expect(found.toSorted()).toEqual(plain.toSorted());
});

test('a late block of a long log is found, however many numbers before it nobody uses', async () => {
  const { store, jobs, work } = await sample();
  await jobs.enqueue('save', 1);
  await work(3);
  const own = await store.auditBlocks(0, 100);
  // As Postgres numbers them: every second number belongs to a transaction that wrote nothing.
  const others = Array.from({ length: 3_000 }, (_, n) => {
    return { seq: 2 * n + 2, writer: 'w', atMs: START_MS, prevHash: '', hash: '', body: '[]' };
  });
  const late = own.map((block, n) => ({ ...block, seq: 5_001 + 2 * n }));
  let isCommitted = false;
  const long: Parameters<typeof recordedAttempts>[0] = {
    ...store,
    async auditBlocks(after, limit) {
      const log = isCommitted ? [...others, ...late].sort((a, b) => a.seq - b.seq) : others;
      const page = log.filter(({ seq }) => seq > after).slice(0, limit);
      isCommitted ||= page.length < limit && limit > 1;
      return page;
    },
  };
  expect((await all(long)).map(inShort)).toEqual([
    'save 1 failed retry',
    'save 2 succeeded succeed',
  ]);
});

test('an aborted signal ends it', async () => {
  const { store, jobs, work } = await sample();
  await jobs.enqueue('save', 0);
  await work(1);
  await expect(all(store, { ...ALL, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('an attempt that a stop released before it began has the time of its release', async () => {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  // The answer to the claim comes when the worker is already stopping.
  const apply: typeof store.apply = async (commands) => {
    const results = await store.apply(commands);
    if (commands.some(({ kind }) => kind === 'claim')) await answered;
    return results;
  };
  const jobs = jobsOn({ ...store, apply }, { save: () => {} }, { clock, log: 'off' });
  await jobs.enqueue('save', null);
  await jobs.start();
  await clock.advance(1_000);
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  answer();
  await clock.advance(1_000);
  await stopped;
  expect(await all(store)).toMatchObject([
    { attempt: 1, outcome: 'not_run', reason: 'interrupted', startedAtMs: undefined },
  ]);
});
