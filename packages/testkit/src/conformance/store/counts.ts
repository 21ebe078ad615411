import { deepEqual, equal } from 'node:assert/strict';
import { act, enqueue, enqueueAll, leased } from './commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function countTests({ test }: StoreSuite): void {
  test('are empty for an empty store', async ({ store, clock }) => {
    const counts = await store.counts();
    deepEqual(
      [counts.groups.filter(({ count }) => count > 0), counts.bounded, counts.oldestReadyAtMs],
      [[], false, undefined],
    );
    equal(counts.nowMs, clock.now());
  });

  test('are per queue, handler and state', async ({ store }) => {
    for (const to of ['succeeded', 'dead', 'cancelled', 'parked'] as const) {
      await settled(store, settlementFor(await leased(store, to), to, { dueInMs: 1_000 }));
    }
    await settled(store, settlementFor(await leased(store, 'purged'), 'dead'));
    await act(store, 'purge', 'purged');
    await leased(store, 'leased');
    await enqueueAll(store, ['r1', 'r2', 'r3'], { queue: 'slow' });
    await enqueueAll(store, ['m1', 'm2'], { handler: 'mail' });
    await enqueue(store, 's1', { due: { inMs: 5 } });
    const { groups } = await store.counts();
    const lines = groups
      .filter(({ count }) => count > 0)
      .map(({ queue, handler, state, count }) => `${queue} ${handler} ${state} ${count}`);
    deepEqual(lines.toSorted(), [
      'default mail ready 2',
      'default resize cancelled 1',
      'default resize dead 1',
      'default resize leased 1',
      'default resize parked 1',
      'default resize purged 1',
      'default resize scheduled 1',
      'default resize succeeded 1',
      'slow resize ready 3',
    ]);
  });

  test('tell when the oldest ready job was submitted', async ({ store, clock }) => {
    await leased(store, 'leased');
    await clock.advance(10);
    const oldestMs = clock.now();
    await enqueue(store, 'oldest');
    await clock.advance(10);
    await enqueue(store, 'newest', { priority: 9 });
    equal((await store.counts()).oldestReadyAtMs, oldestMs);
    await act(store, 'cancel', 'oldest');
    equal((await store.counts()).oldestReadyAtMs, oldestMs + 10);
  });
}
