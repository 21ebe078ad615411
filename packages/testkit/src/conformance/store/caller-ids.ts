import { deepEqual, equal } from 'node:assert/strict';
import { act, enqueue, enqueueOf, find, leased, stateOf } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** A digest marks an id as the caller's. */
const ONE = { digest: 'digest-one' };
const OTHER = { digest: 'digest-two' };
const EXISTING = { ok: true, id: 'id::7', outcome: 'existing' };
const CONFLICT = { ok: false, refusal: 'idempotency_conflict', id: 'id::7' };

const HOUR_MS = 3_600_000;

export function callerIdTests({ test }: StoreSuite): void {
  test('answer the same enqueue with the job that has the id', async ({ store }) => {
    deepEqual(await enqueue(store, 'id::7', ONE), {
      ok: true,
      id: 'id::7',
      outcome: 'created',
    });
    const before = await find(store, 'id::7');
    equal(before.digest, ONE.digest);
    deepEqual(await enqueue(store, 'id::7', { ...ONE, priority: 9 }), EXISTING);
    same(await find(store, 'id::7'), before);
  });

  test('refuse another job under the same id', async ({ store }) => {
    await enqueue(store, 'id::7', ONE);
    const before = await find(store, 'id::7');
    for (const onConflict of ['existing', 'refuse', 'replace'] as const) {
      deepEqual(await enqueue(store, 'id::7', { ...OTHER, onConflict }), CONFLICT);
    }
    same(await find(store, 'id::7'), before);
  });

  test('are compared before unique keys', async ({ store }) => {
    await enqueue(store, 'id::7', { ...ONE, uniqueKey: 'k' });
    const again = { ...ONE, uniqueKey: 'k', onConflict: 'refuse' } as const;
    deepEqual(await enqueue(store, 'id::7', again), EXISTING);
    deepEqual(await enqueue(store, 'id::8', again), {
      ok: false,
      refusal: 'unique_conflict',
      id: 'id::7',
    });
    equal(await store.job('id::8'), undefined);
  });

  test('differ from ids without a digest, which are refused as before', async ({ store }) => {
    await enqueue(store, 'id::7', ONE);
    const refused = { ok: false, refusal: 'duplicate_id', id: 'id::7' };
    deepEqual(await enqueue(store, 'id::7'), refused);
    await enqueue(store, 'made-by-redrive');
    deepEqual(await enqueue(store, 'made-by-redrive', ONE), {
      ...CONFLICT,
      id: 'made-by-redrive',
    });
  });

  for (const end of ['succeeded', 'dead', 'cancelled'] as const) {
    test(`count while the job is kept: ${end}, then purged`, async ({ store, clock }) => {
      await settled(store, settlementFor(await leased(store, 'id::7', ONE), end));
      deepEqual(await enqueue(store, 'id::7', ONE), EXISTING);
      deepEqual(await enqueue(store, 'id::7', OTHER), CONFLICT);
      equal(await stateOf(store, 'id::7'), end);
      await act(store, 'purge', 'id::7');
      deepEqual(await enqueue(store, 'id::7', ONE), EXISTING);
      deepEqual(await enqueue(store, 'id::7', OTHER), CONFLICT);
      await clock.advance(2);
      await prune(store);
      equal(await store.job('id::7'), undefined);
      deepEqual(await enqueue(store, 'id::7', OTHER), {
        ok: true,
        id: 'id::7',
        outcome: 'created',
      });
    });
  }

  test('go by the payload of the enqueue, not by an edited or replaced one', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'id::7', ONE), 'dead'));
    await act(store, 'requeue', 'id::7', { payload: { kind: 'json', text: '{"edited":true}' } });
    deepEqual(await enqueue(store, 'id::7', ONE), EXISTING);
    await enqueue(store, 'id::8', { ...ONE, uniqueKey: 'k', due: { inMs: HOUR_MS } });
    const payload = { kind: 'json', text: '"replaced"' } as const;
    const replaced = await enqueue(store, 'other', {
      uniqueKey: 'k',
      onConflict: 'replace',
      payload,
    });
    deepEqual(replaced, { ok: true, id: 'id::8', outcome: 'replaced' });
    deepEqual(await enqueue(store, 'id::8', ONE), { ...EXISTING, id: 'id::8' });
  });

  test('apply within one transaction, among many others', async ({ store }) => {
    await enqueue(store, 'id::7', ONE);
    const results = await store.apply([
      enqueueOf('plain-1'),
      enqueueOf('id::7', ONE),
      enqueueOf('plain-2'),
      enqueueOf('id::8', ONE),
      enqueueOf('id::8', ONE),
      enqueueOf('id::7', OTHER),
      enqueueOf('id::9', { ...ONE, due: { inMs: 500 } }),
      enqueueOf('id::8', OTHER),
      enqueueOf('plain-1'),
    ]);
    deepEqual(
      results.map((result) => [result.id, result.ok ? result.outcome : result.refusal]),
      [
        ['plain-1', 'created'],
        ['id::7', 'existing'],
        ['plain-2', 'created'],
        ['id::8', 'created'],
        ['id::8', 'existing'],
        ['id::7', 'idempotency_conflict'],
        ['id::9', 'created'],
        ['id::8', 'idempotency_conflict'],
        ['plain-1', 'duplicate_id'],
      ],
    );
  });

  test('let one of fifty callers at once create the job', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        enqueue(store, 'id::7', { ...ONE, priority: n, ...(n % 5 === 0 && { limitKey: 'l' }) }),
      ),
    );
    const outcomes = results.map((result) => (result.ok ? result.outcome : result.refusal));
    equal(outcomes.filter((outcome) => outcome === 'created').length, 1);
    equal(outcomes.filter((outcome) => outcome === 'existing').length, 49);
  });

  test('of many callers at once in any order, with batches that overlap', async ({ store }) => {
    const ids = Array.from({ length: 40 }, (_, n) => `id::${n}`);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const order = n % 2 === 0 ? ids : ids.toReversed();
        return store.apply(order.map((id) => enqueueOf(id, ONE)));
      }),
    );
    const created = results.flat().filter((result) => result.ok && result.outcome === 'created');
    equal(created.length, ids.length);
    equal(
      results.flat().every(({ ok }) => ok),
      true,
    );
  });

  async function prune(store: Parameters<typeof find>[0]): Promise<void> {
    await store.apply([
      {
        kind: 'prune',
        succeededAfterMs: 1,
        cancelledAfterMs: 1,
        deadAfterMs: 1,
        purgedAfterMs: 1,
        limit: 100,
        actor: { name: 'test' },
      },
    ]);
  }
}
