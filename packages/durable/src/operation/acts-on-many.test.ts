import { isRedriveError } from '@redrive/core';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS } from '../testing/work-bench.ts';
import { planActs } from './plan-acts.ts';
import { type ActRun, runActs } from './run-acts.ts';

const EVE = { name: 'cli:eve', why: 'the cause is fixed' };

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

function requeueAll(with_: Partial<ActRun> = {}): ActRun {
  return {
    id: 'op-1',
    act: 'requeue',
    target: { filter: { handler: 'mail' }, limit: 1_000 },
    actor: EVE,
    ...with_,
  };
}

async function statesOf(store: FullStore, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => (await store.job(id))?.state));
}

/** How often a job was requeued. */
async function generationsOf(store: FullStore, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => (await store.job(id))?.account.generation));
}

test('a filter is carried out in batches, the oldest first, with progress', async () => {
  const { store, ids } = await deadLetters(7);
  const progress: unknown[] = [];
  const report = await runActs(store, {
    ...requeueAll({ batch: 3 }),
    onProgress: (step) => progress.push(step),
  });
  expect(report.operation).toMatchObject({ state: 'finished', acted: 7, refused: 0, by: EVE.name });
  expect(report).toMatchObject({ alreadyFinished: false, refusals: [] });
  expect(new Set(await statesOf(store, ids))).toEqual(new Set(['ready']));
  const diedAtMs = (n: number) => START_MS + n;
  expect(progress).toEqual([
    { acted: 3, refused: 0, lastDiedAtMs: diedAtMs(3) },
    { acted: 6, refused: 0, lastDiedAtMs: diedAtMs(6) },
    { acted: 7, refused: 0, lastDiedAtMs: diedAtMs(7) },
  ]);
});

test('submitting it twice acts once', async () => {
  const { store, ids, clock } = await deadLetters(3);
  await runActs(store, requeueAll());
  for (const id of ids) await store.apply([{ kind: 'act', act: 'cancel', id, actor: EVE }]);
  await clock.advance(10);
  const again = await runActs(store, requeueAll());
  expect(again.alreadyFinished).toBe(true);
  expect(again.operation).toMatchObject({ acted: 3, refused: 0 });
  expect(await generationsOf(store, ids)).toEqual([2, 2, 2]);
});

test('by many at the same time it acts once, too', async () => {
  const { store, ids } = await deadLetters(9);
  const reports = await Promise.all(
    Array.from({ length: 5 }, () => runActs(store, requeueAll({ batch: 2 }))),
  );
  for (const { operation } of reports) expect(operation).toMatchObject({ acted: 9, refused: 0 });
  expect(await generationsOf(store, ids)).toEqual(Array(9).fill(2));
});

test.each(['before', 'after'] as const)(
  'after a crash %s a commit in the middle it goes on where it was',
  async (when) => {
    const { store, ids, clock } = await deadLetters(10);
    const faulty = faultyStore(store);
    let batches = 0;
    const crashing = runActs(faulty, {
      ...requeueAll({ batch: 2 }),
      onProgress: () => {
        batches += 1;
        if (batches === 2) faulty.fault = { calls: ['stepOperation'], when };
      },
    });
    await expect(crashing).rejects.toMatchObject({ code: 'store_unavailable' });
    const soFar = await store.operation('op-1');
    expect([soFar?.state, soFar?.acted]).toEqual(['running', when === 'before' ? 4 : 6]);
    await clock.advance(60_000);
    // What has died since is not part of it.
    const later = await addDead(store, clock, 2);
    const report = await runActs(store, requeueAll({ batch: 3 }));
    expect(report.operation).toMatchObject({ state: 'finished', acted: 10, refused: 0 });
    expect(await generationsOf(store, [...ids, ...later])).toEqual([...Array(10).fill(2), 1, 1]);
  },
);

test('what dies again while it runs is left for another one', async () => {
  const { store, ids, clock } = await deadLetters(4);
  const dying: FullStore = {
    ...store,
    deadLetters: async (filter, page) => {
      await clock.advance(1);
      await store.apply([{ kind: 'tick', limit: 10, actor: EVE }]);
      return store.deadLetters(filter, page);
    },
  };
  const report = await runActs(dying, requeueAll({ batch: 1, deadline: { inMs: 1 } }));
  expect(report.operation.acted).toBe(4);
  expect(await generationsOf(store, ids)).toEqual([2, 2, 2, 2]);
  expect(await statesOf(store, ids)).toEqual(Array(4).fill('dead'));
});

test('a limit ends it, a signal stops it, and it goes on when asked again', async () => {
  const { store, ids } = await deadLetters(6);
  const target = { filter: {}, limit: 5 };
  const controller = new AbortController();
  const stopped = await runActs(store, {
    ...requeueAll({ target, batch: 2, signal: controller.signal }),
    onProgress: () => controller.abort(),
  });
  expect(stopped.operation).toMatchObject({ state: 'running', acted: 2 });
  const done = await runActs(store, requeueAll({ target, batch: 2 }));
  expect(done.operation).toMatchObject({ state: 'finished', acted: 5 });
  expect(await statesOf(store, ids)).toEqual([...Array(5).fill('ready'), 'dead']);
});

test('another wish under the same id is refused', async () => {
  const { store, ids } = await deadLetters(2);
  await runActs(store, requeueAll());
  const others: Partial<ActRun>[] = [
    { act: 'purge' },
    { target: { filter: {}, limit: 1_000 } },
    { target: { filter: { handler: 'mail' }, limit: 999 } },
    { target: { filter: { handler: 'mail' }, limit: 1_000, cutOffMs: 5 } },
    { target: { ids } },
    { payload: { kind: 'json', text: '1' } },
  ];
  for (const other of others) {
    await expect(runActs(store, requeueAll(other))).rejects.toMatchObject({
      code: 'operation_conflict',
    });
  }
});

test('a list of ids is an operation like any other', async () => {
  const { store, ids } = await deadLetters(5);
  const [first = '', second = ''] = ids;
  const target = { ids: [...ids, 'nobody', { id: second, generation: 7 }] };
  const plan = await planActs(store, requeueAll({ target }));
  expect(plan).toMatchObject({ eligible: 5, ineligible: 2, more: false, sampleIds: ids });
  const report = await runActs(store, requeueAll({ target, batch: 2 }));
  expect(report.operation).toMatchObject({ state: 'finished', acted: 5, refused: 2 });
  expect(report.refusals).toEqual([
    { id: 'nobody', refusal: 'not_found' },
    { id: second, refusal: 'changed' },
  ]);
  expect(plan.refusals).toEqual(report.refusals);
  const { operation } = await runActs(store, { ...requeueAll({ target }), id: 'op-2' });
  expect(operation).toMatchObject({ acted: 0, refused: 7 });
  expect((await store.job(first))?.account.generation).toBe(2);
});

test('a plan tells who would refuse and why, and changes nothing', async () => {
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
  const reset = await runActs(store, requeueAll({ id: 'reset', act: 'reset', batch: 2 }));
  expect(reset.operation.acted).toBe(5);
  expect(await generationsOf(store, ids)).toEqual(Array(5).fill(2));
  const target = { filter: { handler: 'mail' }, limit: 3 };
  await runActs(store, requeueAll({ id: 'purge', act: 'purge', target }));
  expect(await statesOf(store, ids)).toEqual(['purged', 'purged', 'purged', 'dead', 'dead']);
  await clock.advance(1);
  const restore = requeueAll({ id: 'restore', act: 'restore', batch: 2 });
  expect(await planActs(store, restore)).toMatchObject({ eligible: 3, ineligible: 0 });
  expect((await runActs(store, restore)).operation.acted).toBe(3);
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
  const { store, ids } = await deadLetters(2);
  const payload = { kind: 'json', text: '"edited"' } as const;
  await runActs(store, requeueAll({ payload }));
  for (const id of ids) {
    expect((await store.job(id))?.payload).toEqual(payload);
    expect(await store.earlierPayloads(id)).toHaveLength(1);
  }
  expect((await store.operation('op-1'))?.request).not.toContain('edited');
});

test('wishes out of their bounds are refused', async () => {
  const { store } = await deadLetters(0);
  const bad: Partial<ActRun>[] = [
    { target: { filter: {}, limit: 0 } },
    { target: { filter: {}, limit: 1.5 } },
    { target: { ids: Array(1_000_001).fill('x') } },
    { batch: 0 },
    { id: '' },
  ];
  for (const wish of bad) {
    const error = await runActs(store, requeueAll(wish)).catch((thrown: unknown) => thrown);
    expect(isRedriveError(error, 'invalid_option'), JSON.stringify(wish)).toBe(true);
  }
});

test.each(['json', 'bytes'] as const)(
  'a payload (%s) that no enqueue would take is refused, and nothing changes',
  async (kind) => {
    const { store, ids } = await deadLetters(1);
    const size = 1024 * 1024;
    const payloadOf = (bytes: number) =>
      kind === 'json'
        ? { kind, text: JSON.stringify('x'.repeat(bytes - 2)) }
        : { kind, bytes: new Uint8Array(bytes) };
    const tooLarge = requeueAll({ payload: payloadOf(size + 1) });
    await expect(runActs(store, tooLarge)).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(planActs(store, tooLarge)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await store.operation('op-1')).toBeUndefined();
    expect(await statesOf(store, ids)).toEqual(['dead']);
    await runActs(store, requeueAll({ id: 'op-2', payload: payloadOf(size) }));
    expect(await statesOf(store, ids)).toEqual(['ready']);
  },
);

test('who allows larger payloads says so', async () => {
  const { store, ids } = await deadLetters(1);
  const payload = { kind: 'json', text: JSON.stringify('x'.repeat(2 * 1024 * 1024)) } as const;
  await runActs(store, requeueAll({ payload, maxPayloadBytes: 4 * 1024 * 1024 }));
  expect(await statesOf(store, ids)).toEqual(['ready']);
});
