import { isRedriveError } from '@redrive/core';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { type CarryOutOptions, runOperation } from './carry-out-operation.ts';
import { PROGRESS_KEPT } from './end-operation.ts';
import type { OperationRequest } from './operation-request.ts';
import { RUNNER_LEASE_MS } from './operation-round.ts';
import { planActs } from './plan-acts.ts';

const EVE = { name: 'cli:eve', why: 'the cause is fixed' };
const STEP_MS = 40;

/** Dead letters that died one millisecond after the other, by id. */
async function deadLetters(count: number, with_: object = {}) {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const ids = await addDead(store, clock, count, with_);
  return { clock, store, ids };
}

async function addDead(store: FullStore, clock: VirtualClock, count: number, with_: object = {}) {
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await jobs.enqueue('mail', n, { deadline: new Date(clock.now() + 1), ...with_ });
    await clock.advance(1);
    await store.apply([{ kind: 'tick', limit: 10, actor: EVE }]);
    ids.push(id);
  }
  await clock.advance(1);
  return ids;
}

function requeueAll(with_: Partial<OperationRequest> = {}): OperationRequest {
  return {
    id: 'op-1',
    act: 'requeue',
    target: { filter: { handler: 'mail' }, limit: 1_000 },
    ramp: false,
    actor: EVE,
    ...with_,
  };
}

/** With the time of this bench. */
function running(
  store: FullStore,
  clock: VirtualClock,
  request: OperationRequest,
  with_: CarryOutOptions = {},
) {
  return settled(clock, runOperation(store, request, { clock, ...with_ }));
}

async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  promise.then(over, over);
  for (let step = 0; !isOver && step < 1_000; step += 1) await clock.advance(100);
  return promise;
}

/** A store that calls back before each step. */
function stepping(
  store: FullStore,
  before: (step: Parameters<FullStore['stepOperation']>[0]) => Promise<void>,
): FullStore {
  return {
    ...store,
    stepOperation: async (step) => {
      await before(step);
      return store.stepOperation(step);
    },
  };
}

async function statesOf(store: FullStore, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => (await store.job(id))?.state));
}

/** How often a job was requeued. */
async function generationsOf(store: FullStore, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => (await store.job(id))?.account.generation));
}

test('without a worker a filter is carried out in batches, the oldest first', async () => {
  const { store, ids, clock } = await deadLetters(7);
  const pages: number[] = [];
  const counting = stepping(store, async ({ acts }) => void pages.push(acts.length));
  const reported: number[] = [];
  const report = await running(counting, clock, requeueAll(), {
    batch: 3,
    onProgress: ({ acted }) => reported.push(acted),
  });
  expect(report.status).toMatchObject({ state: 'finished', acted: 7, refused: 0 });
  expect(report.status.changes[0]?.by).toBe(EVE.name);
  expect(report).toMatchObject({ alreadyFinished: false, refusals: [] });
  expect(new Set(await statesOf(store, ids))).toEqual(new Set(['ready']));
  expect(pages).toEqual([3, 3, 1]);
  expect(reported.at(-1)).toBe(7);
});

test.each([
  [
    'without a worker its steps are long, and there is no wait between them',
    false,
    [1, 200, 49],
    0,
  ],
  ['a worker has the store for as long as each step took', true, [1, 1, 1], 3 * STEP_MS],
])('%s', async (_, hasWorker, pages, waitedMs) => {
  const { store, clock } = await deadLetters(hasWorker ? 3 : 250);
  const { jobs } = workBench({ other: async () => {} }, { store }, clock);
  if (hasWorker) await jobs.start();
  await clock.advance(10);
  const sizes: number[] = [];
  const slow = stepping({ ...store, actsPerStep: 1 }, ({ acts }) => {
    sizes.push(acts.length);
    return new Promise((resolve) => void clock.setTimer(STEP_MS, resolve));
  });
  const startMs = clock.now();
  let endMs = 0;
  const run = runOperation(slow, requeueAll(), { clock }).finally(() => {
    endMs = clock.now();
  });
  expect((await settled(clock, run)).status.state).toBe('finished');
  expect(sizes).toEqual(pages);
  expect(endMs - startMs).toBe(sizes.length * STEP_MS + waitedMs);
});

test('submitting it twice acts once', async () => {
  const { store, ids, clock } = await deadLetters(3);
  await running(store, clock, requeueAll());
  for (const id of ids) await store.apply([{ kind: 'act', act: 'cancel', id, actor: EVE }]);
  await clock.advance(10);
  const again = await running(store, clock, requeueAll());
  expect(again.alreadyFinished).toBe(true);
  expect(again.status).toMatchObject({ acted: 3, refused: 0 });
  expect(await generationsOf(store, ids)).toEqual([2, 2, 2]);
});

test('by many at the same time it acts once, too', async () => {
  const { store, ids, clock } = await deadLetters(9);
  const reports = await Promise.all(
    Array.from({ length: 5 }, () => running(store, clock, requeueAll(), { batch: 2 })),
  );
  for (const { status } of reports) expect(status).toMatchObject({ acted: 9, refused: 0 });
  expect(await generationsOf(store, ids)).toEqual(Array(9).fill(2));
});

test.each(['before', 'after'] as const)(
  'after a crash %s a commit in the middle it goes on where it was',
  async (when) => {
    const { store, ids, clock } = await deadLetters(10);
    const faulty = faultyStore(store);
    let steps = 0;
    const crashing = stepping(faulty, async () => {
      steps += 1;
      if (steps === 3) faulty.fault = { calls: ['stepOperation'], when };
    });
    const crashed = running(crashing, clock, requeueAll(), { batch: 2 });
    await expect(crashed).rejects.toMatchObject({ code: 'store_unavailable' });
    const soFar = await store.operation('op-1');
    expect([soFar?.state, soFar?.acted]).toEqual(['running', when === 'before' ? 4 : 6]);
    await clock.advance(60_000);
    // Letters that have died since are not part of it.
    const later = await addDead(store, clock, 2);
    const { status } = await running(store, clock, requeueAll(), { batch: 3 });
    expect(status).toMatchObject({ state: 'finished', acted: 10, refused: 0 });
    expect(await generationsOf(store, [...ids, ...later])).toEqual([...Array(10).fill(2), 1, 1]);
  },
);

test('a letter that dies again while it runs is left for another one', async () => {
  const { store, ids, clock } = await deadLetters(4);
  const dying: FullStore = {
    ...store,
    deadLetters: async (filter, page) => {
      await clock.advance(1);
      await store.apply([{ kind: 'tick', limit: 10, actor: EVE }]);
      return store.deadLetters(filter, page);
    },
  };
  const request = requeueAll({ deadline: { inMs: 1 } });
  // Its own clock stands still: it does not wait between its steps.
  const { status } = await runOperation(dying, request, { clock: virtualClock(), batch: 1 });
  expect(status.acted).toBe(4);
  expect(await generationsOf(store, ids)).toEqual([2, 2, 2, 2]);
  expect(await statesOf(store, ids)).toEqual(Array(4).fill('dead'));
});

test('a limit ends it, a signal stops it, and it goes on when it is submitted again', async () => {
  const { store, ids, clock } = await deadLetters(6);
  const request = requeueAll({ target: { filter: {}, limit: 5 } });
  const controller = new AbortController();
  const stopping = stepping(store, async () => controller.abort());
  const { signal } = controller;
  const stopped = await running(stopping, clock, request, { batch: 2, signal });
  expect(stopped.status).toMatchObject({ state: 'running', acted: 2, runner: undefined });
  const done = await running(store, clock, request, { batch: 2 });
  expect(done.status).toMatchObject({ state: 'finished', acted: 5 });
  expect(await statesOf(store, ids)).toEqual([...Array(5).fill('ready'), 'dead']);
});

test('a worker goes on with it when its process is killed, unless its payload is not stored', async () => {
  for (const payload of [undefined, { kind: 'json', text: '"edited"' } as const]) {
    const { store, ids, clock } = await deadLetters(6);
    const killed: FullStore = { ...store, stepOperation: () => new Promise(() => {}) };
    void runOperation(killed, requeueAll({ payload }), { clock });
    const other = workBench({ other: async () => {} }, { store }, clock);
    await other.jobs.start();
    await clock.advance(RUNNER_LEASE_MS - 2_000);
    expect(await statesOf(store, ids)).toEqual(Array(6).fill('dead'));
    await clock.advance(5_000);
    const state = payload === undefined ? 'ready' : 'dead';
    expect(await statesOf(store, ids)).toEqual(Array(6).fill(state));
    const { status } = await running(store, clock, requeueAll({ payload }));
    expect(status).toMatchObject({
      state: 'finished',
      acted: 6,
      inBackground: payload === undefined,
    });
    await other.stop();
  }
});

test('another wish under the same id is refused', async () => {
  const { store, ids, clock } = await deadLetters(2);
  await running(store, clock, requeueAll());
  const others: Partial<OperationRequest>[] = [
    { act: 'purge' },
    { target: { filter: {}, limit: 1_000 } },
    { target: { filter: { handler: 'mail' }, limit: 999 } },
    { target: { filter: { handler: 'mail' }, limit: 1_000, cutOffMs: 5 } },
    { target: { ids } },
    { payload: { kind: 'json', text: '1' } },
  ];
  for (const other of others) {
    await expect(running(store, clock, requeueAll(other))).rejects.toMatchObject({
      code: 'operation_conflict',
    });
  }
});

test('a list of ids is an operation like any other', async () => {
  const { store, ids, clock } = await deadLetters(5);
  const [first = '', second = ''] = ids;
  const target = { ids: [...ids, 'nobody', { id: second, generation: 7 }] };
  const plan = await planActs(store, requeueAll({ target }));
  expect(plan).toMatchObject({ eligible: 5, ineligible: 2, more: false, sampleIds: ids });
  const report = await running(store, clock, requeueAll({ target }), { batch: 2 });
  expect(report.status).toMatchObject({ state: 'finished', acted: 5, refused: 2 });
  expect(report.refusals).toEqual([
    { id: 'nobody', refusal: 'not_found' },
    { id: second, refusal: 'changed' },
  ]);
  expect(plan.refusals).toEqual(report.refusals);
  const { status } = await running(store, clock, { ...requeueAll({ target }), id: 'op-2' });
  expect(status).toMatchObject({ acted: 0, refused: 7 });
  expect((await store.job(first))?.account.generation).toBe(2);
});

test('a plan lists the jobs that would refuse and why, and changes nothing', async () => {
  const { store, ids, clock } = await deadLetters(2);
  const [taken = ''] = await addDead(store, clock, 1, { uniqueKey: 'u' });
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  await jobs.enqueue('mail', 1, { uniqueKey: 'u' });
  const plan = await planActs(store, requeueAll());
  expect(plan).toEqual({
    cutOffMs: clock.now(),
    eligible: 2,
    ineligible: 1,
    refusals: [{ id: taken, refusal: 'unique_conflict' }],
    sampleIds: ids,
    lastId: ids.at(-1),
    more: false,
  });
  expect(await statesOf(store, ids)).toEqual(['dead', 'dead']);
  expect(await planActs(store, requeueAll({ target: { filter: {}, limit: 1 } }))).toMatchObject({
    eligible: 1,
    more: true,
  });
});

test('reset, purge and restore go the same way', async () => {
  const { store, ids, clock } = await deadLetters(5);
  const reset = await running(store, clock, requeueAll({ id: 'reset', act: 'reset' }), {
    batch: 2,
  });
  expect(reset.status.acted).toBe(5);
  expect(await generationsOf(store, ids)).toEqual(Array(5).fill(2));
  const target = { filter: { handler: 'mail' }, limit: 3 };
  await running(store, clock, requeueAll({ id: 'purge', act: 'purge', target }));
  expect(await statesOf(store, ids)).toEqual(['purged', 'purged', 'purged', 'dead', 'dead']);
  await clock.advance(1);
  const restore = requeueAll({ id: 'restore', act: 'restore' });
  expect(await planActs(store, restore)).toMatchObject({ eligible: 3, ineligible: 0 });
  expect((await running(store, clock, restore, { batch: 2 })).status.acted).toBe(3);
  expect(await statesOf(store, ids)).toEqual(Array(5).fill('dead'));
});

test('restore finds purged letters only, by what a filter can say of them', async () => {
  const { store, ids, clock } = await deadLetters(3);
  const [first = '', second = ''] = ids;
  for (const id of [first, second]) {
    await store.apply([{ kind: 'act', act: 'purge', id, actor: EVE }]);
    await clock.advance(1);
  }
  const restore = (filter: object) =>
    planActs(store, requeueAll({ act: 'restore', target: { filter, limit: 10 } }));
  expect(await restore({ reason: 'ttl_exceeded' })).toMatchObject({ eligible: 2 });
  expect(await restore({ reason: 'final_error' })).toMatchObject({ eligible: 0 });
  expect(await restore({ diedAfterMs: START_MS + 2 })).toMatchObject({ sampleIds: [second] });
  expect(await restore({ fingerprint: 'fp1:0' })).toMatchObject({ eligible: 0 });
  await expect(restore({ text: 'x' })).rejects.toMatchObject({ code: 'invalid_option' });
});

test('an edit gives all of them another payload', async () => {
  const { store, ids, clock } = await deadLetters(2);
  const payload = { kind: 'json', text: '"edited"' } as const;
  await running(store, clock, requeueAll({ payload }));
  for (const id of ids) {
    expect((await store.job(id))?.payload).toEqual(payload);
    expect(await store.earlierPayloads(id)).toHaveLength(1);
  }
  const stored = [await store.operation('op-1'), await store.controls()];
  expect(JSON.stringify(stored)).not.toContain('edited');
});

test('wishes out of their bounds are refused, and nothing has begun', async () => {
  const { store, clock } = await deadLetters(0);
  const bad: [Partial<OperationRequest>, CarryOutOptions?][] = [
    [{ target: { filter: {}, limit: 0 } }],
    [{ target: { filter: {}, limit: 1.5 } }],
    [{ target: { ids: Array(1_000_001).fill('x') } }],
    [{ id: '' }],
    [{}, { batch: 0 }],
  ];
  for (const [wish, options] of bad) {
    const error = await running(store, clock, requeueAll(wish), options).catch((e: unknown) => e);
    expect(isRedriveError(error, 'invalid_option'), String(error)).toBe(true);
  }
  expect((await store.operations({ limit: 10 })).operations).toEqual([]);
});

test('more ids than are stored are carried out by the process that has them', async () => {
  const { store, ids, clock } = await deadLetters(2);
  const target = { ids: [...Array.from({ length: 1_500 }, (_, n) => `nobody-${n}`), ...ids] };
  const { status, refusals } = await running(store, clock, requeueAll({ target }));
  expect(status).toMatchObject({ state: 'finished', acted: 2, refused: 1_500 });
  expect(refusals).toHaveLength(100);
  expect((await store.controls()).all[0]?.document).not.toContain('nobody');
});

test('finished ones do not fill the store, also where no worker tidies up', async () => {
  const { store, clock } = await deadLetters(1);
  for (let n = 0; n < PROGRESS_KEPT + 5; n += 1) {
    await running(store, clock, requeueAll({ id: `op-${n}`, act: 'reset' }));
    await clock.advance(10);
  }
  expect((await store.controls()).all).toHaveLength(PROGRESS_KEPT);
});

test('one that is finished is reported so, also if the tidying up afterwards fails', async () => {
  const { store, ids, clock } = await deadLetters(2);
  const faulty = faultyStore(store);
  const report = await running(faulty, clock, requeueAll(), {
    onProgress: ({ state }) => {
      if (state === 'finished') faulty.fault = { calls: ['controls'], when: 'before' };
    },
  });
  expect(report.status).toMatchObject({ state: 'finished', acted: 2 });
  expect(await statesOf(store, ids)).toEqual(['ready', 'ready']);
});

test.each(['json', 'bytes'] as const)(
  'a payload (%s) that no enqueue would take is refused, and nothing changes',
  async (kind) => {
    const { store, ids, clock } = await deadLetters(1);
    const size = 1024 * 1024;
    const payloadOf = (bytes: number) =>
      kind === 'json'
        ? { kind, text: JSON.stringify('x'.repeat(bytes - 2)) }
        : { kind, bytes: new Uint8Array(bytes) };
    const tooLarge = requeueAll({ payload: payloadOf(size + 1) });
    await expect(running(store, clock, tooLarge)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    await expect(planActs(store, tooLarge)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await store.operation('op-1')).toBeUndefined();
    expect(await statesOf(store, ids)).toEqual(['dead']);
    await running(store, clock, requeueAll({ id: 'op-2', payload: payloadOf(size) }));
    expect(await statesOf(store, ids)).toEqual(['ready']);
  },
);

test('a caller that allows larger payloads says so', async () => {
  const { store, ids, clock } = await deadLetters(1);
  const payload = { kind: 'json', text: JSON.stringify('x'.repeat(2 * 1024 * 1024)) } as const;
  await running(store, clock, requeueAll({ payload, maxPayloadBytes: 4 * 1024 * 1024 }));
  expect(await statesOf(store, ids)).toEqual(['ready']);
});
