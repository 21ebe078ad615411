import { deepEqual, equal } from 'node:assert/strict';
import { act, find, stateOf } from './commands.ts';
import { die, dieInTurn } from './dying.ts';
import { prune } from './prune.ts';
import type { FullStoreSuite } from './suite.ts';

export function pruneOnlyTests({ test }: FullStoreSuite): void {
  test('deletes only the named jobs, at the named revision', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: {}, d: {} });
    const only = await Promise.all(
      ['a', 'b', 'd'].map(async (id) => ({ id, revision: (await find(store, id)).revision })),
    );
    // Purged and restored: it is as it was, but something has happened to it.
    await act(store, 'purge', 'b');
    await act(store, 'restore', 'b');
    await clock.advance(10);
    const missing = { id: 'nobody', revision: 1 };
    deepEqual(await prune(store, { deadAfterMs: 0, only: [...only, missing] }), {
      ok: true,
      deleted: 2,
      more: false,
    });
    const states = await Promise.all(['a', 'b', 'c', 'd'].map((id) => stateOf(store, id)));
    deepEqual(states, [undefined, 'dead', 'dead', undefined]);
  });

  test('deletes none of them before its time', async ({ store, clock }) => {
    await die({ store, clock }, 'a');
    const only = [{ id: 'a', revision: (await find(store, 'a')).revision }];
    await clock.advance(99);
    equal((await prune(store, { deadAfterMs: 100, only })).deleted, 0);
    equal((await prune(store, { succeededAfterMs: 0, only })).deleted, 0);
    await clock.advance(1);
    equal((await prune(store, { deadAfterMs: 100, only })).deleted, 1);
  });

  test('deletes nothing when nothing is named', async ({ store, clock }) => {
    await die({ store, clock }, 'a');
    await clock.advance(1);
    deepEqual(await prune(store, { deadAfterMs: 0, only: [] }), {
      ok: true,
      deleted: 0,
      more: false,
    });
    equal(await stateOf(store, 'a'), 'dead');
  });
}
