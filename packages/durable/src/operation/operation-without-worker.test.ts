import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import {
  abortOperation,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from './act-on-operation.ts';
import { runOperation } from './carry-out-operation.ts';
import { forgetOperations, PROGRESS_KEPT_MS } from './end-operation.ts';
import type { OperationRequest } from './operation-request.ts';
import { operationStatus } from './operation-status.ts';
import { beginActs, submitOperation } from './submit-operation.ts';

const EVE = { name: 'cli:eve', why: 'tidying up' };
const ABOUT = { id: 'op-1', actor: EVE };

async function letters(count: number) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  const payloads = Array.from({ length: count }, (_, n) => n);
  const deadline = new Date(clock.now() + 1);
  const added = await jobs.enqueueMany('mail', payloads, { deadline });
  await clock.advance(1);
  await store.apply([{ kind: 'tick', limit: count, actor: EVE }]);
  await clock.advance(1);
  return { clock, store, ids: added.map(({ id }) => id) };
}

/** One that was left after this many steps of one job each. */
async function left(
  store: FullStore,
  clock: VirtualClock,
  steps: number,
  wish: OperationRequest = { ...ABOUT, act: 'purge', target: { filter: {}, limit: 10 } },
) {
  const stop = new AbortController();
  if (steps === 0) stop.abort();
  let done = 0;
  const counting: FullStore = {
    ...store,
    stepOperation: (step) => {
      done += 1;
      if (done === steps) stop.abort();
      return store.stepOperation(step);
    },
  };
  await runOperation(counting, wish, { clock, batch: 1, signal: stop.signal });
  return wish;
}

/** As a process leaves it that was killed before it wrote the document, or that had no document. */
async function withoutDocument(store: FullStore) {
  const target = { filter: {}, limit: 10 };
  await beginActs(store, { ...ABOUT, act: 'purge', target });
}

test('a dry run refuses what would be refused; otherwise it says how it would be, and does nothing', async () => {
  const { store, clock } = await letters(3);
  await left(store, clock, 1);
  const dry = { ...ABOUT, dryRun: true };
  expect(await pauseOperation(store, dry)).toMatchObject({ state: 'paused', acted: 1 });
  await expect(abortOperation(store, { ...dry, id: 'op-2' })).rejects.toMatchObject({
    code: 'operation_not_found',
  });
  expect(await abortOperation(store, dry)).toMatchObject({ state: 'aborted', acted: 1 });
  expect(await operationStatus(store, 'op-1')).toMatchObject({ state: 'running' });
});

test('one without a document says so, and can be aborted or submitted again', async () => {
  const { store, clock } = await letters(3);
  await withoutDocument(store);
  const status = await operationStatus(store, 'op-1');
  expect(status).toMatchObject({ state: 'running', inBackground: false, acted: 0 });
  for (const act of [pauseOperation, resumeOperation, setOperationRate]) {
    await expect(act(store, ABOUT)).rejects.toMatchObject({
      code: 'operation_conflict',
      details: { id: 'op-1', state: 'running' },
    });
  }
  await expect(abortOperation(store, { ...ABOUT, id: 'op-2' })).rejects.toMatchObject({
    code: 'operation_not_found',
  });
  expect(await abortOperation(store, { ...ABOUT, dryRun: true })).toMatchObject({ acted: 0 });
  await left(store, clock, 100);
  expect(await operationStatus(store, 'op-1')).toMatchObject({ state: 'finished', acted: 3 });
});

test('one that its process has left can be paused, resumed and given another rate', async () => {
  const { store, clock } = await letters(3);
  await left(store, clock, 1);
  expect(await pauseOperation(store, ABOUT)).toMatchObject({ state: 'paused', inBackground: true });
  await setOperationRate(store, { ...ABOUT, ratePerSecond: 5 });
  expect(await resumeOperation(store, ABOUT)).toMatchObject({ state: 'running', ratePerSecond: 5 });
});

test.each([0, 1])(
  'after %d steps it is aborted for good, and is known to have been, long after',
  async (steps) => {
    const { store, clock } = await letters(3);
    const wish = await left(store, clock, steps);
    const bob = { name: 'bob', why: 'wrong filter' };
    const aborted = { state: 'aborted', acted: steps };
    const status = await abortOperation(store, { id: 'op-1', actor: bob });
    expect(status).toMatchObject(aborted);
    expect(status.changes.at(-1)).toMatchObject({ to: 'aborted', by: 'bob', why: 'wrong filter' });
    expect((await store.operation('op-1'))?.state).toBe('finished');
    // A process that submits it again does nothing.
    expect(await runOperation(store, wish, { clock })).toMatchObject({ status: aborted });
    await clock.advance(PROGRESS_KEPT_MS);
    await forgetOperations(store);
    expect((await store.controls()).all).toEqual([]);
    expect(await operationStatus(store, 'op-1')).toMatchObject(aborted);
    expect(await abortOperation(store, ABOUT)).toMatchObject(aborted);
    await expect(pauseOperation(store, ABOUT)).rejects.toMatchObject({
      code: 'operation_conflict',
      details: { state: 'aborted' },
    });
  },
);

test('one that only its command can continue is forgotten a week after its last step, unless it is paused', async () => {
  const { store, clock } = await letters(3);
  const payload = { kind: 'json', text: '1' } as const;
  const wish = { ...ABOUT, act: 'requeue', target: { filter: {}, limit: 10 }, payload } as const;
  await left(store, clock, 1, { ...wish, ramp: false });
  await left(store, clock, 0, { ...wish, id: 'paused', ramp: false });
  await pauseOperation(store, { ...ABOUT, id: 'paused' });
  // Workers can continue this one.
  await submitOperation(store, { ...wish, id: 'stored', payload: undefined });
  const known = async () => (await store.controls()).all.map(({ key }) => key).sort();
  await clock.advance(PROGRESS_KEPT_MS - 1);
  await forgetOperations(store);
  expect(await known()).toEqual(['op-1', 'paused', 'stored']);
  await clock.advance(1);
  await forgetOperations(store);
  expect(await known()).toEqual(['paused', 'stored']);
  // Its command continues it after its last step.
  const { status } = await runOperation(store, { ...wish, ramp: false }, { clock });
  expect(status).toMatchObject({ state: 'finished', acted: 3, refused: 0 });
});

test('one that came to its end is finished, also long after', async () => {
  const { store, clock } = await letters(3);
  await left(store, clock, 100);
  expect(await operationStatus(store, 'op-1')).toMatchObject({ state: 'finished', acted: 3 });
  await expect(abortOperation(store, ABOUT)).rejects.toMatchObject({
    code: 'operation_conflict',
    details: { state: 'finished' },
  });
});

test('the ids of one that is over are not kept: every process reads all documents', async () => {
  const { store, ids } = await letters(3);
  await submitOperation(store, { ...ABOUT, act: 'purge', target: { ids } });
  expect((await store.controls()).all[0]?.document).toContain(ids[0]);
  await abortOperation(store, ABOUT);
  expect((await store.controls()).all[0]?.document).not.toContain(ids[0]);
});

test('how many there are to restore is not known beforehand', async () => {
  const { store } = await letters(3);
  const target = { filter: {}, limit: 10 };
  const purge = await submitOperation(store, { ...ABOUT, act: 'purge', target });
  expect(purge.total).toEqual({ count: 3, bounded: false });
  const restore = await submitOperation(store, { ...ABOUT, id: 'op-2', act: 'restore', target });
  expect(restore.total).toBeUndefined();
});
