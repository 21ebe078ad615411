import { deepEqual, equal } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import type { PruneCommand, PruneResult, SettledState } from '@redrive/durable/store';
import { eventsOf, trailOf } from './audit-trail.ts';
import { ACTOR, act, enqueue, find, leased, stateOf } from './commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const NEVER = Number.POSITIVE_INFINITY;

export async function prune(store: Store, with_: Partial<PruneCommand>): Promise<PruneResult> {
  const command: PruneCommand = {
    kind: 'prune',
    succeededAfterMs: NEVER,
    cancelledAfterMs: NEVER,
    deadAfterMs: NEVER,
    purgedAfterMs: NEVER,
    limit: 100,
    actor: ACTOR,
    ...with_,
  };
  const [result] = await store.apply([command]);
  return result;
}

/** Deletes everything that is finished. */
export async function pruneAll(store: Store): Promise<PruneResult> {
  return prune(store, {
    ...{ succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 },
    limit: 1_000,
  });
}

async function finish(store: Store, id: string, to: SettledState): Promise<void> {
  await settled(store, settlementFor(await leased(store, id), to));
}

export function pruneTests({ test }: StoreSuite): void {
  test('deletes finished jobs when their time is over, each kind by its own', async ({
    store,
    clock,
  }) => {
    for (const to of ['succeeded', 'cancelled', 'dead'] as const) await finish(store, to, to);
    await finish(store, 'purged', 'dead');
    await clock.advance(10);
    await act(store, 'purge', 'purged');
    await clock.advance(89);
    deepEqual(await prune(store, { succeededAfterMs: 100 }), { ok: true, deleted: 0, more: false });
    await clock.advance(1);
    equal((await prune(store, { succeededAfterMs: 100 })).deleted, 1);
    equal(await stateOf(store, 'succeeded'), undefined);
    equal((await prune(store, { cancelledAfterMs: 100, deadAfterMs: 101 })).deleted, 1);
    equal(await stateOf(store, 'cancelled'), undefined);
    equal(await stateOf(store, 'dead'), 'dead');
    equal((await prune(store, { purgedAfterMs: 91 })).deleted, 0, 'from when it was purged');
    equal((await prune(store, { purgedAfterMs: 90 })).deleted, 1);
    equal(await stateOf(store, 'purged'), undefined);
    deepEqual(await store.finished(['succeeded', 'cancelled', 'purged']), []);
    equal((await prune(store, { deadAfterMs: 0 })).deleted, 1);
  });

  test('deletes the oldest first, at most `limit`', async ({ store, clock }) => {
    for (const id of ['c', 'a', 'b']) {
      await finish(store, id, 'succeeded');
      await clock.advance(1);
    }
    deepEqual(await prune(store, { succeededAfterMs: 0, limit: 2 }), {
      ok: true,
      deleted: 2,
      more: true,
    });
    equal(await stateOf(store, 'b'), 'succeeded');
    deepEqual(await prune(store, { succeededAfterMs: 0, limit: 2 }), {
      ok: true,
      deleted: 1,
      more: false,
    });
  });

  test('does not touch jobs that are not finished', async ({ store, clock }) => {
    await leased(store, 'leased');
    await enqueue(store, 'ready');
    await enqueue(store, 'scheduled', { due: { inMs: 5 } });
    await clock.advance(1_000_000);
    const all = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    equal((await prune(store, all)).deleted, 0);
  });

  test('leaves its records, the last of which says so', async ({ store, clock }) => {
    await finish(store, 'job-1', 'dead');
    const { revision } = await find(store, 'job-1');
    await clock.advance(1);
    await prune(store, { deadAfterMs: 0, actor: { name: 'retention', why: 'old' } });
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim', 'settle', 'prune']);
    const last = (await trailOf(store, 'job-1')).at(-1);
    deepEqual(
      [last?.revision, last?.from, last?.to, last?.detail],
      [revision + 1, 'dead', 'purged', { by: 'retention', why: 'old' }],
    );
  });

  test('does not take away a job that was requeued meanwhile', async ({ store, clock }) => {
    await finish(store, 'job-1', 'dead');
    await clock.advance(1_000);
    await act(store, 'requeue', 'job-1');
    equal((await prune(store, { deadAfterMs: 0 })).deleted, 0);
    equal(await stateOf(store, 'job-1'), 'ready');
  });
}
