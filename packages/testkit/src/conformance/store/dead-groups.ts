import { deepEqual, equal, ok } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import type { DeadFilter, DeadGroup } from '@redrive/durable/dead-letters';
import { EXPIRED_GROUP } from '@redrive/durable/store';
import { act, enqueue, find, leased, tick } from './commands.ts';
import { deadIds } from './dead-letters.ts';
import { die, dieInTurn } from './dying.ts';
import { same } from './plain.ts';
import { pruneAll } from './prune.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

/** The groups of all pages, in their order. */
export async function allDeadGroups(
  store: FullStore,
  filter: DeadFilter = {},
  limit = 100,
): Promise<DeadGroup[]> {
  const all: DeadGroup[] = [];
  let after: string | undefined;
  do {
    const { groups, next } = await store.deadGroups(filter, { limit, after });
    ok(groups.length <= limit);
    all.push(...groups);
    after = next;
  } while (after !== undefined);
  return all;
}

export function deadGroupTests({ test }: FullStoreSuite): void {
  test('have the letters of one cause, the newest cause first', async ({ store, clock }) => {
    const startMs = await dieInTurn(
      { store, clock },
      {
        a: { message: 'user 17 is unknown' },
        b: { message: 'no route to 10.0.0.7:25' },
        c: { message: 'User 4711 is unknown' },
        d: { message: 'disk full' },
        e: { message: 'no route to 10.0.0.8:25' },
      },
    );
    const groups = await allDeadGroups(store);
    same(
      groups.map(({ pattern, count, firstDiedAtMs, lastDiedAtMs, newestId, bounded }) => [
        ...[pattern, count, bounded],
        ...[firstDiedAtMs - startMs, lastDiedAtMs - startMs, newestId],
      ]),
      [
        ['Error: no route to <addr>:25', 2, false, 2, 5, 'e'],
        ['Error: disk full', 1, false, 4, 4, 'd'],
        // The first one gives the name.
        ['Error: user <n> is unknown', 2, false, 1, 3, 'c'],
      ],
    );
    for (const limit of [1, 2, 3]) same(await allDeadGroups(store, {}, limit), groups);
    for (const { fingerprint, newestId, count } of groups) {
      const ids = await deadIds(store, { fingerprint });
      deepEqual([ids.length, ids[0]], [count, newestId]);
      equal((await find(store, newestId)).fingerprint, fingerprint);
    }
  });

  test('count the letters that match a filter', async ({ store, clock }) => {
    const startMs = await dieInTurn(
      { store, clock },
      {
        a: { message: 'EPIPE one' },
        b: { message: 'EPIPE one', handler: 'mail' },
        c: { message: 'two', tenant: 'acme' },
        d: { message: 'EPIPE one', tags: ['x'] },
        e: { message: 'two' },
      },
    );
    const found = async (filter: DeadFilter) =>
      (await allDeadGroups(store, filter)).map(({ pattern, count, newestId, firstDiedAtMs }) => [
        ...[
          pattern.replace('Error: EPIPE ', '').replace('Error: ', ''),
          count,
          newestId,
          firstDiedAtMs - startMs,
        ],
      ]);
    const { fingerprint } = await find(store, 'a');
    const cases: [DeadFilter, unknown][] = [
      [{ handler: 'mail' }, [['one', 1, 'b', 2]]],
      [{ tenant: 'acme' }, [['two', 1, 'c', 3]]],
      [{ tag: 'x' }, [['one', 1, 'd', 4]]],
      [{ text: 'ONE' }, [['one', 3, 'd', 1]]],
      [{ fingerprint }, [['one', 3, 'd', 1]]],
      [
        { diedBeforeMs: startMs + 5, diedAfterMs: startMs + 2 },
        [
          ['one', 2, 'd', 2],
          ['two', 1, 'c', 3],
        ],
      ],
      [{ queue: 'nobody' }, []],
      [{ text: 'three' }, []],
    ];
    for (const [filter, groups] of cases) {
      deepEqual(await found(filter), groups, JSON.stringify(filter));
    }
  });

  test('lose letters that are requeued, purged or deleted, and get back letters that are restored', async ({
    store,
    clock,
  }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: {} });
    const newest = async () =>
      (await allDeadGroups(store)).map(({ count, newestId }) => [count, newestId]);
    await act(store, 'requeue', 'c');
    deepEqual(await newest(), [[2, 'b']]);
    await act(store, 'purge', 'b');
    deepEqual(await newest(), [[1, 'a']]);
    await act(store, 'restore', 'b');
    deepEqual(await newest(), [[2, 'b']]);
    await act(store, 'reset', 'b');
    deepEqual(await newest(), [[2, 'b']], 'fresh attempts do not move it');
    await clock.advance(1);
    await pruneAll(store);
    deepEqual(await newest(), []);
    await die({ store, clock }, 'd', { handler: 'mail' });
    deepEqual(await newest(), [[1, 'd']], 'a group that was forgotten exists again');
  });

  test('have one for everything whose deadline passed', async ({ store, clock }) => {
    await enqueue(store, 'ready', { deadline: { inMs: 5 } });
    await enqueue(store, 'scheduled', { due: { inMs: 50 }, deadline: { inMs: 5 } });
    const job = await leased(store, 'parked', { deadline: { inMs: 5 }, handler: 'mail' });
    await settled(store, settlementFor(job, 'parked', { dueInMs: 50 }));
    await clock.advance(5);
    equal((await tick(store)).expired, 3);
    const [group, ...others] = await allDeadGroups(store);
    deepEqual(others, []);
    deepEqual(
      [group?.fingerprint, group?.pattern, group?.count],
      [EXPIRED_GROUP.fingerprint, EXPIRED_GROUP.pattern, 3],
    );
    await act(store, 'requeue', 'ready');
    same((await find(store, 'ready')).fingerprint, undefined);
  });

  test('leave out a letter without a cause', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'a'), 'dead'));
    deepEqual(await allDeadGroups(store), []);
    deepEqual(await deadIds(store), ['a']);
    deepEqual(await deadIds(store, { text: 'e' }), []);
  });
}
