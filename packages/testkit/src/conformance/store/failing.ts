import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import type { FailingJob } from '@redrive/durable/store';
import { act, claimOne, enqueue, enqueueAll, find, tick } from './commands.ts';
import { same } from './plain.ts';
import { type DecidedWith, decidedEnd, RETRYABLE, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** A new job whose first attempt fails. */
async function failed(
  store: Store,
  nowMs: number,
  id: string,
  with_: DecidedWith = {},
): Promise<void> {
  await enqueue(store, id, { priority: 9 });
  await settled(store, decidedEnd(await claimOne(store), RETRYABLE, nowMs, with_));
}

const idsOf = (jobs: readonly FailingJob[]): string[] => jobs.map(({ id }) => id).sort();

export function failingTests({ test }: StoreSuite): void {
  test('has unfinished jobs that have failed, with their newest error and when they failed', async ({
    store,
    clock,
  }) => {
    deepEqual(await store.failing({ atMost: 10 }), { jobs: [], bounded: false });
    await enqueueAll(store, ['new', 'new-too']);
    await enqueue(store, 'later', { due: { inMs: 60_000 } });
    await failed(store, clock.now(), 'done', { error: { type: 'Error', message: 'once' } });
    const startMs = clock.now();
    await failed(store, startMs, 'a', { error: { type: 'Error', message: 'first' } });
    await clock.advance(1_000);
    await tick(store);
    for (const _ of ['a', 'done']) {
      const job = await claimOne(store);
      const error = { type: 'TimeoutError', message: 'second' };
      await clock.advance(10);
      const end = decidedEnd(job, RETRYABLE, clock.now(), { error });
      await settled(store, job.id === 'a' ? end : settlementFor(job, 'succeeded'));
    }
    const { jobs, bounded } = await store.failing({ atMost: 10 });
    equal(bounded, false);
    deepEqual(idsOf(jobs), ['a']);
    const [{ payload: _payload, attempts: _attempts, ...stored }] = [await find(store, 'a')];
    const [job] = jobs;
    equal(job?.state, 'scheduled');
    same(job?.account, stored.account);
    same(
      [job?.lastError, job?.firstFailedAtMs, job?.dueAtMs],
      [{ type: 'TimeoutError', message: 'second' }, startMs, stored.dueAtMs],
    );
    equal((job?.lastFailedAtMs ?? 0) > startMs + 1_000, true);
  });

  test('has them while they are ready, leased and parked, too', async ({ store, clock }) => {
    await failed(store, clock.now(), 'leased');
    await clock.advance(1_000);
    await tick(store);
    await claimOne(store);
    await failed(store, clock.now(), 'ready');
    await failed(store, clock.now(), 'parked');
    await clock.advance(1_000);
    await tick(store);
    const states = new Map<string, string>();
    const both = [await claimOne(store), await claimOne(store)];
    for (const job of both) {
      const to = job.id === 'parked' ? 'parked' : 'ready';
      const park = { cause: 'breaker:api', dueInMs: 60_000 };
      await settled(store, settlementFor(job, to, to === 'parked' ? park : {}));
    }
    for (const { id, state, lastError } of (await store.failing({ atMost: 10 })).jobs) {
      states.set(id, state);
      same(lastError, { type: 'Error', message: 'no luck' });
    }
    deepEqual(Object.fromEntries(states), { leased: 'leased', ready: 'ready', parked: 'parked' });
  });

  test('reads jobs that are due first, and reports when it has not read all', async ({
    store,
    clock,
  }) => {
    for (const id of ['a', 'b', 'c']) {
      await failed(store, clock.now(), id);
      await clock.advance(10);
    }
    await enqueue(store, 'later', { due: { inMs: 3_600_000 } });
    const some = await store.failing({ atMost: 2 });
    deepEqual([idsOf(some.jobs), some.bounded], [['a', 'b'], true]);
    const most = await store.failing({ atMost: 3 });
    deepEqual([idsOf(most.jobs), most.bounded], [['a', 'b', 'c'], true]);
    const all = await store.failing({ atMost: 4 });
    deepEqual([idsOf(all.jobs), all.bounded], [['a', 'b', 'c'], false]);
  });

  test('looks only at the wanted states, and says only of them whether there are more', async ({
    store,
    clock,
  }) => {
    await failed(store, clock.now(), 'a');
    await enqueueAll(store, ['ready', 'ready-too']);
    const wanted = await store.failing({ atMost: 1, states: ['scheduled'] });
    deepEqual([idsOf(wanted.jobs), wanted.bounded], [['a'], false]);
    equal((await store.failing({ atMost: 1, states: ['scheduled', 'ready'] })).bounded, true);
    deepEqual(await store.failing({ atMost: 1, states: [] }), { jobs: [], bounded: false });
  });

  test('of a cause has all that are parked under it, failed or not', async ({ store, clock }) => {
    await enqueueAll(store, ['a', 'b']);
    for (const _ of ['a', 'b']) {
      const park = { cause: 'breaker:api', dueInMs: 60_000 };
      await settled(store, settlementFor(await claimOne(store), 'parked', park));
    }
    await failed(store, clock.now(), 'c');
    const all = await store.failing({ cause: 'breaker:api', atMost: 2 });
    deepEqual([idsOf(all.jobs), all.bounded], [['a', 'b'], false]);
    equal(all.jobs[0]?.lastError, undefined);
    const one = await store.failing({ cause: 'breaker:api', atMost: 1 });
    deepEqual([one.jobs.length, one.bounded], [1, true]);
    deepEqual(await store.failing({ cause: 'breaker:ap', atMost: 1 }), {
      jobs: [],
      bounded: false,
    });
  });

  test('forgets the errors of an earlier generation', async ({ store, clock }) => {
    await failed(store, clock.now(), 'a');
    await act(store, 'cancel', 'a');
    await act(store, 'requeue', 'a');
    deepEqual(await store.failing({ atMost: 10 }), { jobs: [], bounded: false });
  });

  test('wants a limit from 1 to 10,000', async ({ store }) => {
    for (const atMost of [0, 10_001, 1.5, Number.NaN]) {
      await rejects(store.failing({ atMost }), { code: 'invalid_option' });
    }
  });
}
