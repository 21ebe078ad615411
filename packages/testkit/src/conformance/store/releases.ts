import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { type Command, MAX_PARK_COUNT } from '@redrive/durable/store';
import { eventsOf, trailOf } from './audit-trail.ts';
import { ACTOR, act, claimedIds, claimOne, enqueue, find, stateOf, tick } from './commands.ts';
import { changesDuring, parkAll, release } from './control-commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const NONSENSE = { kind: 'nonsense' } as unknown as Command;

export function releaseTests({ describe, test }: FullStoreSuite): void {
  test('takes the highest priority first, then the earliest due time, then the id', async ({
    store,
    clock,
  }) => {
    await parkAll(store, ['late-b', 'late-a'], 'breaker:api');
    await clock.advance(10);
    await parkAll(store, ['soon'], 'breaker:api', { dueInMs: 5 });
    await parkAll(store, ['low'], 'breaker:api', { dueInMs: 1, priority: -1 });
    await parkAll(store, ['high'], 'breaker:api', { dueInMs: 600_000, priority: 1 });
    const order: string[] = [];
    for (let more = true; more; ) {
      const released = await release(store, 'breaker:api', 1);
      equal(released.released, 1);
      order.push(...(await claimedIds(store)));
      more = released.more;
    }
    deepEqual(order, ['high', 'soon', 'late-a', 'late-b', 'low']);
  });

  test('a job that is parked again goes behind the others', async ({ store, clock }) => {
    await parkAll(store, ['a', 'b'], 'breaker:api');
    await clock.advance(100);
    await release(store, 'breaker:api', 1);
    const probe = await claimOne(store);
    equal(probe.id, 'a');
    await settled(store, settlementFor(probe, 'parked', { dueInMs: 60_000, cause: 'breaker:api' }));
    await release(store, 'breaker:api', 1);
    deepEqual(await claimedIds(store), ['b']);
  });

  test('in turn takes the job with the earliest due time, with any priority', async ({
    store,
    clock,
  }) => {
    await parkAll(store, ['low-b', 'low-a'], 'breaker:api', { priority: -5 });
    await clock.advance(10);
    await parkAll(store, ['high'], 'breaker:api', { priority: 1_000 });
    await parkAll(store, ['other'], 'breaker:other', { dueInMs: 1 });
    await clock.advance(10);
    await parkAll(store, ['none'], 'breaker:api');
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      same(await release(store, 'breaker:api', 1, true), { ok: true, released: 1, more: true });
      const probe = await claimOne(store);
      order.push(probe.id);
      await clock.advance(10);
      await settled(
        store,
        settlementFor(probe, 'parked', { dueInMs: 60_000, cause: 'breaker:api' }),
      );
    }
    deepEqual(order, ['low-a', 'low-b', 'high', 'none', 'low-a', 'low-b']);
    same(await release(store, 'breaker:api', 5, true), { ok: true, released: 4, more: false });
    same(await release(store, 'breaker:api', 5, true), { ok: true, released: 0, more: false });
  });

  test('releases up to `limit` jobs of one cause, due or not, and reports whether there are more', async ({
    store,
  }) => {
    await parkAll(store, ['a', 'b', 'c'], 'gate:x');
    await parkAll(store, ['d'], 'gate:xy');
    same(await release(store, 'gate:x', 2), { ok: true, released: 2, more: true });
    same(await release(store, 'gate:x', 1), { ok: true, released: 1, more: false });
    same(await release(store, 'gate:x', 5), { ok: true, released: 0, more: false });
    same(await release(store, 'gate:', 5), { ok: true, released: 0, more: false });
    const job = await find(store, 'a');
    same([job.state, job.cause, job.dueAtMs], ['ready', undefined, undefined]);
    equal(await stateOf(store, 'd'), 'parked');
    deepEqual(await claimedIds(store), ['a', 'b', 'c']);
  });

  test('writes a record of each with its actor, and notifies watchers', async ({
    store,
    clock,
  }) => {
    await parkAll(store, ['a', 'b'], 'gate:x');
    const actor = { name: 'worker:7', why: 'probe' };
    const changes = await changesDuring({ store, clock }, () =>
      store.apply([{ kind: 'release', cause: 'gate:x', limit: 1, actor }]),
    );
    ok(changes.has('ready'));
    deepEqual(await eventsOf(store, 'a'), ['enqueue', 'claim', 'settle', 'unpark']);
    const record = (await trailOf(store, 'a')).at(-1);
    same(record?.detail, { by: 'worker:7', why: 'probe' });
    deepEqual(await eventsOf(store, 'b'), ['enqueue', 'claim', 'settle']);
  });

  test('happens in its transaction, or not at all', async ({ store }) => {
    await parkAll(store, ['a'], 'gate:x');
    const command = { kind: 'release', cause: 'gate:x', limit: 1, actor: ACTOR } as const;
    await rejects(store.apply([command, NONSENSE]));
    equal(await stateOf(store, 'a'), 'parked');
    deepEqual(await claimedIds(store), []);
    const [first, second] = await store.apply([command, command]);
    deepEqual([first.released, second.released], [1, 0]);
  });

  test('wants a limit from 1 to 1,000', async ({ store }) => {
    for (const limit of [0, 1_001, 1.5, Number.NaN]) {
      await rejects(release(store, 'gate:x', limit), { code: 'invalid_option' });
    }
  });

  describe('the number of parked jobs', () => {
    test('is counted by cause', async ({ store }) => {
      deepEqual(await store.parks(), []);
      await parkAll(store, ['a', 'b'], 'gate:x');
      await parkAll(store, ['c'], 'breaker:api');
      await parkAll(store, ['d'], 'gate:\u{1f600}');
      await parkAll(store, ['e'], 'gate:\u{fffd}');
      same(await store.parks(), [
        { cause: 'breaker:api', count: 1, bounded: false },
        { cause: 'gate:x', count: 2, bounded: false },
        { cause: 'gate:\u{fffd}', count: 1, bounded: false },
        { cause: 'gate:\u{1f600}', count: 1, bounded: false },
      ]);
    });

    test('is the number now, after every kind of end', async ({ store, clock }) => {
      await parkAll(store, ['a'], 'one', { dueInMs: 10 });
      await parkAll(store, ['b', 'c', 'd', 'e'], 'two');
      await parkAll(store, ['f'], 'two', { deadline: { inMs: 10 } });
      await enqueue(store, 'ready');
      await act(store, 'unpark', 'b');
      await act(store, 'cancel', 'c');
      await release(store, 'two', 1);
      await clock.advance(10);
      await tick(store);
      same(await store.parks(), [{ cause: 'two', count: 1, bounded: false }]);
    });

    test('is counted up to 10,000', async ({ store }) => {
      const ids = Array.from({ length: MAX_PARK_COUNT + 1 }, (_, n) => `job-${n}`);
      for (let from = 0; from < ids.length; from += 1_000) {
        await parkAll(store, ids.slice(from, from + 1_000), 'gate:x');
      }
      const [park] = await store.parks();
      same(park, { cause: 'gate:x', count: MAX_PARK_COUNT, bounded: true });
      await release(store, 'gate:x', 1);
      const [left] = await store.parks();
      same(left, { cause: 'gate:x', count: MAX_PARK_COUNT, bounded: false });
      return 'unchecked';
    });
  });
}
