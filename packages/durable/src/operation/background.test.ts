import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import {
  abortOperation,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from './act-on-operation.ts';
import { carryOutOperation } from './carry-out-operation.ts';
import { forgetOperations, PROGRESS_KEPT_MS } from './end-operation.ts';
import { RUNNER_LEASE_MS } from './operation-round.ts';
import { listOperations, operationStatus } from './operation-status.ts';
import { OPERATION_KEPT_MS } from './operation-step.ts';
import { submitOperation } from './submit-operation.ts';

const EVE = { name: 'cli:eve', why: 'tidying up' };

/** Jobs that wait, on a store that no worker of theirs looks at. */
async function scheduled(count: number, queue = 'default') {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  const payloads = Array.from({ length: count }, (_, n) => n);
  const added = await jobs.enqueueMany('mail', payloads, { queue, delayMs: 86_400_000 });
  await clock.advance(1);
  return { clock, store, ids: added.map(({ id }) => id) };
}

function cancelAll(with_: object = {}) {
  const target = { jobs: { queue: 'default', states: ['scheduled'] }, limit: 100_000 };
  return { id: 'op-1', act: 'cancel', target, actor: EVE, ...with_ } as never;
}

/** A process that works on something else. */
function idleWorker(store: FullStore, clock: VirtualClock, worker: string) {
  return workBench({ other: async () => {} }, { store, worker }, clock);
}

/** Lets time pass until it has settled. */
async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  promise.then(over, over);
  for (let step = 0; !isOver && step < 10_000; step += 1) await clock.advance(100);
  return promise;
}

async function cancelled(store: FullStore): Promise<number> {
  const { groups } = await store.counts();
  return groups.find(({ state }) => state === 'cancelled')?.count ?? 0;
}

test('a worker cancels all that is scheduled in a queue, and nothing else', async () => {
  const { clock, store } = await scheduled(500);
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  const other = await jobs.enqueue('mail', 1, { queue: 'other', delayMs: 60_000_000 });
  await clock.advance(1);
  const submitted = await submitOperation(store, cancelAll());
  expect(submitted).toMatchObject({ state: 'running', act: 'cancel', acted: 0, followed: false });
  const later = await jobs.enqueue('mail', 1, { delayMs: 60_000_000 });
  const { jobs: working } = idleWorker(store, clock, 'w1');
  await working.start();
  await clock.advance(5_000);
  expect(await operationStatus(store, 'op-1')).toMatchObject({
    state: 'finished',
    acted: 500,
    refused: 0,
  });
  expect(await cancelled(store)).toBe(500);
  for (const { id } of [other, later]) expect((await store.job(id))?.state).toBe('scheduled');
});

test('submitting it again changes nothing, and another wish under the id is refused', async () => {
  const { clock, store } = await scheduled(3);
  await submitOperation(store, cancelAll());
  await settled(clock, carryOutOperation(store, 'op-1', { clock }));
  const again = await submitOperation(store, cancelAll({ ratePerSecond: 5 }));
  expect(again).toMatchObject({ state: 'finished', acted: 3, ratePerSecond: undefined });
  const other = submitOperation(store, cancelAll({ act: 'reset' }));
  await expect(other).rejects.toMatchObject({ code: 'operation_conflict' });
});

test.each<[object, string]>([
  [{ ramp: [1, 10] }, 'ramp'],
  [{ maxInFlight: 10 }, 'maxInFlight'],
  [{ ratePerSecond: 0 }, 'ratePerSecond'],
  [{ act: 'requeue', ramp: [0] }, 'ramp'],
  [{ act: 'requeue', ramp: [], stopShare: 2 }, 'stopShare'],
  [{ act: 'requeue', maxInFlight: 2_001 }, 'maxInFlight'],
  [{ target: { filter: {}, limit: 1 } }, 'filter'],
  [{ target: { jobs: { handlr: 'mail' }, limit: 1 } }, 'handlr'],
  [{ target: { jobs: { state: 'dead' }, limit: 1 } }, 'state'],
  [{ target: { jobs: {}, limt: 1 } }, 'limt'],
  [{ target: {} }, 'target'],
  [{ act: 'purge', target: { filter: { handlr: 'mail' }, limit: 1 } }, 'handlr'],
  [{ act: 'purge', target: { filter: { diedBeforeMs: Infinity }, limit: 1 } }, 'diedBeforeMs'],
  [{ act: 'restore', target: { jobs: {}, limit: 1 } }, 'jobs'],
  [{ target: { ids: Array.from({ length: 1_001 }, (_, n) => `job-${n}`) } }, 'ids'],
])('what cannot be is refused: %j', async (with_, field) => {
  const { store } = await scheduled(1);
  const error: unknown = await submitOperation(store, cancelAll(with_)).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'invalid_option' });
  expect(JSON.stringify((error as { details: unknown }).details)).toContain(`"field":"${field}"`);
  expect(await store.operation('op-1')).toBeUndefined();
});

test('a rate is kept, paused, changed and aborted', async () => {
  const { clock, store } = await scheduled(2_000);
  const { jobs } = idleWorker(store, clock, 'w1');
  await jobs.start();
  await submitOperation(store, cancelAll({ ratePerSecond: 50 }));
  await clock.advance(4_000);
  const after4s = await cancelled(store);
  expect(after4s).toBeGreaterThan(150);
  expect(after4s).toBeLessThanOrEqual(201);
  await pauseOperation(store, { id: 'op-1', actor: EVE });
  await clock.advance(10_000);
  const whilePaused = await cancelled(store);
  expect(whilePaused).toBeLessThanOrEqual(after4s + 50);
  const paused = await operationStatus(store, 'op-1');
  expect(paused?.state).toBe('paused');
  expect(paused?.changes.at(-1)).toMatchObject({ to: 'paused', by: EVE.name, why: EVE.why });
  await setOperationRate(store, { id: 'op-1', ratePerSecond: 200, actor: EVE });
  await resumeOperation(store, { id: 'op-1', actor: { name: 'bob' } });
  await clock.advance(2_000);
  const faster = (await cancelled(store)) - whilePaused;
  expect(faster).toBeGreaterThan(300);
  expect(faster).toBeLessThanOrEqual(401);
  const running = await operationStatus(store, 'op-1');
  expect(running).toMatchObject({ state: 'running', ratePerSecond: 200 });
  expect(running?.changes.map(({ to, by }) => `${to} ${by}`)).toEqual([
    'running cli:eve',
    'paused cli:eve',
    'running bob',
  ]);
  expect(running?.runner).toMatch(/^w1-/);
  expect(await abortOperation(store, { id: 'op-1', actor: EVE })).toMatchObject({
    state: 'aborted',
  });
  const atTheEnd = await cancelled(store);
  await clock.advance(10_000);
  expect(await cancelled(store)).toBe(atTheEnd);
  const pause = pauseOperation(store, { id: 'op-1', actor: EVE });
  await expect(pause).rejects.toMatchObject({ code: 'operation_conflict' });
});

test('of three processes one carries it out, and another one goes on at once when it stops', async () => {
  const { clock, store } = await scheduled(2_000);
  const benches = ['w1', 'w2', 'w3'].map((worker) => idleWorker(store, clock, worker));
  for (const { jobs } of benches) await jobs.start();
  await submitOperation(store, cancelAll({ ratePerSecond: 100 }));
  await clock.advance(3_000);
  const first = (await operationStatus(store, 'op-1'))?.runner;
  await benches[['w1', 'w2', 'w3'].indexOf(first?.slice(0, 2) ?? '')]?.stop();
  await clock.advance(3_000);
  const second = (await operationStatus(store, 'op-1'))?.runner;
  expect([first, second].every((name) => name?.startsWith('w'))).toBe(true);
  expect(second).not.toBe(first);
  await clock.advance(20_000);
  expect(await operationStatus(store, 'op-1')).toMatchObject({
    state: 'finished',
    acted: 2_000,
    refused: 0,
  });
});

test('one whose process went silent is taken over when its lease has run out', async () => {
  const { clock, store } = await scheduled(1_000);
  const faulty = faultyStore(store);
  await submitOperation(store, cancelAll({ ratePerSecond: 100 }));
  const silent = carryOutOperation(faulty, 'op-1', { clock, worker: 'silent' });
  silent.catch(() => {});
  await clock.advance(1_000);
  faulty.fault = { calls: ['stepOperation', 'controls', 'operation'], when: 'never' };
  const { jobs } = idleWorker(store, clock, 'w1');
  await jobs.start();
  await clock.advance(RUNNER_LEASE_MS - 2_000);
  expect((await operationStatus(store, 'op-1'))?.runner).toBe('silent');
  await clock.advance(5_000);
  expect((await operationStatus(store, 'op-1'))?.runner).toMatch(/^w1-/);
  await clock.advance(20_000);
  expect(await operationStatus(store, 'op-1')).toMatchObject({
    acted: 1_000,
    refused: 0,
    state: 'finished',
  });
});

test.each(['before', 'after'] as const)(
  'whatever fails %s it is written, each job is acted on once',
  async (when) => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const store = memoryStore({ clock });
    const jobs = jobsOn(store, { mail: async () => {} }, { clock });
    const payloads = Array.from({ length: 300 }, (_, n) => n);
    await jobs.enqueueMany('mail', payloads, { deadline: new Date(clock.now() + 1) });
    await clock.advance(1);
    await store.apply([{ kind: 'tick', limit: 1_000, actor: EVE }]);
    await clock.advance(1);
    const target = { filter: {}, limit: 1_000 };
    await submitOperation(store, {
      id: 'op-1',
      act: 'requeue',
      target,
      actor: EVE,
      maxInFlight: 40,
    });
    const worker = workBench({ mail: async () => {} }, { store, worker: 'w1' }, clock);
    await worker.stop();
    const faulty = faultyStore(store);
    const succeeding = jobsOn(store, { mail: async () => {} }, { clock, worker: 'w2' });
    await succeeding.start();
    const calls = ['apply', 'stepOperation'] as const;
    // The jobs' own worker carries it out as well: each call of the one here fails once in turn.
    for (let n = 0; n < 12; n += 1) {
      const run = carryOutOperation(faulty, 'op-1', { clock, worker: `act-${n}`, batch: 7 });
      run.catch(() => {});
      await clock.advance(1_700);
      faulty.fault = { calls: [calls[n % 2] ?? 'apply'], when };
      await clock.advance(700);
      faulty.fault = undefined;
      await settled(clock, run).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'store_unavailable' }),
      );
    }
    await clock.advance(120_000);
    const stopped = succeeding.stop();
    await clock.advance(5_000);
    await stopped;
    expect(await operationStatus(store, 'op-1')).toMatchObject({
      state: 'finished',
      acted: 300,
      refused: 0,
      succeeded: 300,
      cameBack: 0,
      inFlight: 0,
    });
    const { jobs: all } = await store.jobs({}, { limit: 1_000 });
    expect(
      all.every(({ account, state }) => account.generation === 2 && state === 'succeeded'),
    ).toBe(true);
  },
);

test('in the foreground it reports its progress, and leaves it to others at a signal', async () => {
  const { clock, store } = await scheduled(1_000);
  await submitOperation(store, cancelAll({ ratePerSecond: 100 }));
  const stop = new AbortController();
  const reported: number[] = [];
  const run = carryOutOperation(store, 'op-1', {
    clock,
    signal: stop.signal,
    onProgress: ({ acted }) => reported.push(acted),
  });
  await clock.advance(3_000);
  stop.abort();
  await clock.advance(1);
  const status = await run;
  expect(status.state).toBe('running');
  expect(reported.length).toBeGreaterThan(5);
  expect([...reported].sort((a, b) => a - b)).toEqual(reported);
  expect((await operationStatus(store, 'op-1'))?.runner).toBeUndefined();
  await expect(carryOutOperation(store, 'op-2', { clock })).rejects.toMatchObject({
    code: 'operation_not_found',
  });
});

test('jobs by their ids, in the generation that they were seen in', async () => {
  const { clock, store, ids } = await scheduled(5);
  const [a = '', b = '', c = ''] = ids;
  const target = { ids: [a, { id: b, generation: 1 }, { id: c, generation: 2 }, 'nobody'] };
  await submitOperation(store, cancelAll({ target }));
  expect(await settled(clock, carryOutOperation(store, 'op-1', { clock }))).toMatchObject({
    acted: 2,
    refused: 2,
    total: { count: 4, bounded: false },
  });
  expect(await cancelled(store)).toBe(2);
});

test('the newest come first in the list, and what is long over is forgotten', async () => {
  const { clock, store } = await scheduled(1);
  for (const id of ['first', 'second', 'third']) {
    await submitOperation(store, cancelAll({ id }));
    await clock.advance(10);
  }
  const { operations, next } = await listOperations(store, { limit: 2 });
  expect(operations.map(({ id }) => id)).toEqual(['third', 'second']);
  const rest = await listOperations(store, { limit: 2, after: next });
  const all = await listOperations(store);
  expect(all.operations).toEqual([...operations, ...rest.operations]);
  expect(rest).toMatchObject({ operations: [{ id: 'first' }] });
  expect(rest.next).toBeUndefined();
  await settled(clock, carryOutOperation(store, 'first', { clock }));
  await clock.advance(PROGRESS_KEPT_MS - 60_000);
  await forgetOperations(store);
  expect((await store.controls()).all).toHaveLength(3);
  await clock.advance(60_000);
  await forgetOperations(store);
  expect((await store.controls()).all.map(({ key }) => key)).toEqual(['second', 'third']);
  expect(await operationStatus(store, 'first')).toMatchObject({ state: 'finished', acted: 1 });
  await clock.advance(OPERATION_KEPT_MS);
  const never = Number.MAX_SAFE_INTEGER;
  const kept = { succeededAfterMs: never, cancelledAfterMs: never, deadAfterMs: never };
  await store.apply([{ kind: 'prune', ...kept, purgedAfterMs: never, limit: 10, actor: EVE }]);
  expect(await operationStatus(store, 'first')).toBeUndefined();
  expect(await operationStatus(store, 'second')).toMatchObject({ state: 'running' });
});
