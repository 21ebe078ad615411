import { deepEqual, equal, ok } from 'node:assert/strict';
import { NO_ATTEMPTS } from '@redrive/durable/store';
import { eventsOf } from './audit-trail.ts';
import { claim, claimOf, enqueue, enqueueOf, find, leased, stateOf } from './commands.ts';
import { same } from './plain.ts';
import { settle, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const OTHER = { handler: 'mail' };

export function followUpTests({ test }: StoreSuite): void {
  test('are stored with the settlement, in its transaction and audit block', async ({
    store,
    clock,
  }) => {
    const parent = await leased(store, 'parent');
    const follow = [
      enqueueOf('next', { ...OTHER, parentId: 'parent', payload: { kind: 'json', text: '[7]' } }),
      enqueueOf('later', { ...OTHER, due: { inMs: 500 }, tenant: 'acme', limitKey: 'l' }),
      enqueueOf('bytes', { ...OTHER, payload: { kind: 'bytes', bytes: new Uint8Array([1, 2]) } }),
    ];
    deepEqual(await settle(store, settlementFor(parent, 'succeeded', { follow })), { ok: true });
    const [done, next, later, bytes] = await Promise.all(
      ['parent', 'next', 'later', 'bytes'].map((id) => find(store, id)),
    );
    same(
      [done?.state, next?.state, later?.state, bytes?.state],
      ['succeeded', 'ready', 'scheduled', 'ready'],
    );
    same([next?.parentId, next?.payload.kind], ['parent', 'json']);
    equal(later?.dueAtMs, clock.now() + 500);
    for (const job of [next, later, bytes]) equal(job?.auditBlock, done?.auditBlock);
    deepEqual(await eventsOf(store, 'next'), ['enqueue']);
    deepEqual(await eventsOf(store, 'parent'), ['enqueue', 'claim', 'settle']);
    // They can be claimed at once.
    const { jobs } = await claim(store, {
      lanes: [{ ...claimOf().lanes[0], handler: 'mail' } as never],
    });
    deepEqual(jobs.map(({ id }) => id).sort(), ['bytes', 'next']);
  });

  test('leave nothing where the settlement is refused', async ({ store, clock }) => {
    const parent = await leased(store, 'parent');
    const follow = [enqueueOf('next', OTHER)];
    const stale = settlementFor({ ...parent, token: parent.token - 1 }, 'succeeded', { follow });
    deepEqual(await settle(store, stale), { ok: false, refusal: 'stale_token' });
    const unknown = settlementFor({ ...parent, id: 'nobody' }, 'succeeded', { follow });
    deepEqual(await settle(store, unknown), { ok: false, refusal: 'not_found' });
    equal(await store.job('next'), undefined);
    // Once it is written, a repetition is known by its token, and not by the jobs that exist by then.
    const end = settlementFor(parent, 'succeeded', { follow });
    deepEqual(await settle(store, end), { ok: true });
    deepEqual(await settle(store, end), { ok: false, refusal: 'stale_token' });
    deepEqual(await eventsOf(store, 'next'), ['enqueue']);
    await clock.advance(1);
  });

  test('a refused one leaves the attempt running, and none of the others', async ({ store }) => {
    await enqueue(store, 'holder', { uniqueKey: 'u' });
    await enqueue(store, 'given', { digest: 'd-1' });
    const parent = await leased(store, 'parent', { handler: 'mail' });
    const cases = [
      [enqueueOf('a', { uniqueKey: 'u', onConflict: 'refuse' }), 'unique_conflict', 'holder'],
      [
        enqueueOf('a', { ...OTHER, uniqueKey: 'u', onConflict: 'replace' }),
        'unique_conflict',
        'holder',
      ],
      [enqueueOf('given', { digest: 'd-2' }), 'idempotency_conflict', 'given'],
      [enqueueOf('holder'), 'duplicate_id', 'holder'],
      [enqueueOf('a', { batch: 'nowhere' }), 'batch_closed', 'a'],
      [enqueueOf('first'), 'duplicate_id', 'first'],
    ] as const;
    for (const [refused, refusal, id] of cases) {
      const follow = [enqueueOf('first'), refused, enqueueOf('last')];
      deepEqual(await settle(store, settlementFor(parent, 'succeeded', { follow })), {
        ...{ ok: false, refusal: 'follow_refused', at: 1 },
        because: { ok: false, refusal, id },
      });
    }
    same(
      [await stateOf(store, 'parent'), await stateOf(store, 'first'), await stateOf(store, 'last')],
      ['leased', undefined, undefined],
    );
    deepEqual(await eventsOf(store, 'parent'), ['enqueue', 'claim']);
    deepEqual(await settle(store, settlementFor(parent, 'dead')), { ok: true });
  });

  test('may find that their work exists, and replace it', async ({ store }) => {
    await enqueue(store, 'holder', { uniqueKey: 'u' });
    await enqueue(store, 'given', { digest: 'd-1' });
    await enqueue(store, 'old', { uniqueKey: 'r' });
    const parent = await leased(store, 'parent', OTHER);
    const follow = [
      enqueueOf('a', { uniqueKey: 'u' }),
      enqueueOf('given', { digest: 'd-1' }),
      enqueueOf('b', {
        uniqueKey: 'r',
        onConflict: 'replace',
        payload: { kind: 'json', text: '9' },
      }),
    ];
    deepEqual(await settle(store, settlementFor(parent, 'succeeded', { follow })), { ok: true });
    same([await stateOf(store, 'a'), await stateOf(store, 'b')], [undefined, undefined]);
    same((await find(store, 'old')).payload, { kind: 'json', text: '9' });
    deepEqual(await eventsOf(store, 'given'), ['enqueue']);
  });

  test('may take the unique key of the job that ends, and share one for a time', async ({
    store,
  }) => {
    const parent = await leased(store, 'parent', { uniqueKey: 'chain' });
    const follow = [enqueueOf('next', { uniqueKey: 'chain', onConflict: 'refuse' })];
    deepEqual(await settle(store, settlementFor(parent, 'succeeded', { follow })), { ok: true });
    equal(await stateOf(store, 'next'), 'ready');
    // A key for a time still counts when its job has ended.
    const timed = await leased(store, 'timed', { ...OTHER, uniqueKey: 't', uniqueForMs: 10_000 });
    const again = enqueueOf('again', { uniqueKey: 't', uniqueForMs: 10_000, onConflict: 'refuse' });
    const refused = await settle(store, settlementFor(timed, 'succeeded', { follow: [again] }));
    same(refused.ok ? undefined : refused.refusal, 'follow_refused');
    // Two of one settlement.
    const twice = ['x', 'y'].map((id) => enqueueOf(id, { uniqueKey: 'z' }));
    deepEqual(await settle(store, settlementFor(timed, 'succeeded', { follow: twice })), {
      ok: true,
    });
    same([await stateOf(store, 'x'), await stateOf(store, 'y')], ['ready', undefined]);
  });

  test('of many settlements in one transaction stay with their own', async ({ store }) => {
    const ids = Array.from({ length: 40 }, (_, n) => `parent-${n}`);
    await store.apply(ids.map((id) => enqueueOf(id)));
    const { jobs } = await claim(store, { limit: 40 });
    await enqueue(store, 'holder', { ...OTHER, uniqueKey: 'u' });
    const settles = jobs.map((job, n) => {
      const bad = { uniqueKey: 'u', onConflict: 'refuse' } as const;
      const follow = [enqueueOf(`next-${n}`, { ...OTHER, ...(n % 10 === 3 && bad) })];
      const end = settlementFor(n % 10 === 7 ? { ...job, token: 0 } : job, 'succeeded', {
        // One in four has none.
        ...(n % 4 > 0 && { follow }),
      });
      return { kind: 'settle', settlement: end } as const;
    });
    const results = await store.apply([...settles, claimOf({ limit: 0 })]);
    for (const n of ids.keys()) {
      const has = n % 4 > 0;
      const expected = n % 10 === 7 ? 'stale_token' : has && n % 10 === 3 ? 'follow_refused' : true;
      const result = results[n];
      equal(
        result?.ok ||
          ('refusal' in (result ?? {}) && (result as never as { refusal: string }).refusal),
        expected,
        `${n}`,
      );
      equal(
        await stateOf(store, `next-${n}`),
        has && expected === true ? 'ready' : undefined,
        `${n}`,
      );
      equal(
        (await find(store, jobs[n]?.id ?? '')).state,
        expected === true ? 'succeeded' : 'leased',
      );
    }
  });

  test('come with a death too, also by the rescue', async ({ store, clock }) => {
    const died = await leased(store, 'died');
    await settle(store, settlementFor(died, 'dead', { follow: [enqueueOf('hook-1', OTHER)] }));
    const lost = await leased(store, 'lost');
    const follow = [enqueueOf('hook-2', OTHER)];
    const end = settlementFor(lost, 'dead', { by: 'expired', entry: 'lease_lost', follow });
    deepEqual(await settle(store, end), { ok: false, refusal: 'lease_alive' });
    await clock.advance(30_001);
    deepEqual(await settle(store, end), { ok: true });
    const hooks = await Promise.all(['hook-1', 'hook-2'].map((id) => find(store, id)));
    for (const hook of hooks) same([hook.state, hook.attempts], ['ready', NO_ATTEMPTS]);
  });

  test('may be many', async ({ store }) => {
    const parent = await leased(store, 'parent');
    const follow = Array.from({ length: 3_000 }, (_, n) => enqueueOf(`child-${n}`, OTHER));
    deepEqual(await settle(store, settlementFor(parent, 'succeeded', { follow })), { ok: true });
    const { groups } = await store.counts();
    ok(
      groups.some(
        ({ handler, state, count }) => handler === 'mail' && state === 'ready' && count === 3_000,
      ),
    );
  });
}
