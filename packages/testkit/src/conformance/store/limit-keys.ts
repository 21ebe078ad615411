import { deepEqual, equal } from 'node:assert/strict';
import {
  claim,
  claimedIds,
  claimOne,
  enqueue,
  enqueueAll,
  LEASE_MS,
  lane,
  leased,
} from './commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const KEY = { limitKey: 'account-7' };

export function limitKeyTests({ test }: StoreSuite): void {
  test('limit the jobs of a handler that run at once', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c', 'd'], KEY);
    const lanes = [lane(undefined, { limitPerKey: 2 })];
    const [first] = (await claim(store, { lanes })).jobs;
    equal(first?.id, 'a');
    deepEqual(await claimedIds(store, { lanes, worker: 'worker-2' }), []);
    if (first) await settled(store, settlementFor(first, 'succeeded'));
    deepEqual(await claimedIds(store, { lanes, worker: 'worker-2' }), ['c']);
  });

  test('apply within one claim', async ({ store }) => {
    await enqueueAll(store, ['a1', 'a2'], { limitKey: 'a' });
    await enqueueAll(store, ['b1', 'b2'], { limitKey: 'b' });
    await enqueueAll(store, ['free1', 'free2']);
    deepEqual(await claimedIds(store), ['a1', 'b1', 'free1', 'free2']);
  });

  test('apply to jobs that are taken ahead, too', async ({ store }) => {
    await enqueueAll(store, ['a', 'b'], KEY);
    deepEqual(await claimedIds(store, { limit: 1, ahead: 5 }), ['a']);
    deepEqual(await claimedIds(store, { limit: 0, ahead: 5 }), []);
  });

  test('apply over claims at once', async ({ store }) => {
    await enqueueAll(
      store,
      Array.from({ length: 30 }, (_, n) => `job-${n}`),
      KEY,
    );
    const lanes = [lane(undefined, { limitPerKey: 3 })];
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, n) => claimedIds(store, { lanes, worker: `w-${n}` })),
    );
    equal(new Set(claims.flat()).size, 3);
    equal(claims.flat().length, 3);
  });

  test('let more run as soon as the limit is raised', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c'], KEY);
    deepEqual(await claimedIds(store), ['a']);
    deepEqual(await claimedIds(store), []);
    const lanes = [lane(undefined, { limitPerKey: 2 })];
    deepEqual(await claimedIds(store, { lanes }), ['b']);
    deepEqual(await claimedIds(store, { lanes }), []);
  });

  test('are shared by tenants that take turns', async ({ store, clock }) => {
    await enqueueAll(store, ['a1', 'a2', 'a3'], { ...KEY, tenant: 'a' });
    await clock.advance(1);
    await enqueueAll(store, ['b1', 'b2'], { ...KEY, tenant: 'b' });
    const order: string[] = [];
    let afterTenant: string | undefined;
    for (let round = 0; round < 5; round++) {
      const { jobs, lastTenant } = await claim(store, { afterTenant });
      afterTenant = lastTenant;
      order.push(...jobs.map(({ id }) => id));
      equal((await claim(store, { afterTenant })).jobs.length, 0);
      for (const job of jobs) await settled(store, settlementFor(job, 'succeeded'));
    }
    deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('do not delay other jobs', async ({ store, clock }) => {
    await leased(store, 'running', KEY);
    await enqueueAll(
      store,
      Array.from({ length: 500 }, (_, n) => `held-${n}`),
      { ...KEY, priority: 9 },
    );
    await clock.advance(1);
    await enqueue(store, 'free');
    await enqueue(store, 'other-key', { limitKey: 'account-8' });
    deepEqual(await claimedIds(store, { limit: 10 }), ['free', 'other-key']);
  });

  test('count per handler', async ({ store }) => {
    await enqueue(store, 'a', KEY);
    await enqueue(store, 'b', { ...KEY, handler: 'mail' });
    deepEqual(await claimedIds(store, { lanes: [lane(), lane('mail')] }), ['a', 'b']);
  });

  for (const to of ['scheduled', 'ready', 'parked', 'dead', 'cancelled'] as const) {
    test(`are free again when an attempt ends as ${to}`, async ({ store }) => {
      const job = await leased(store, 'a', KEY);
      await enqueue(store, 'b', { ...KEY, priority: 5 });
      deepEqual(await claimedIds(store), []);
      await settled(store, settlementFor(job, to, { dueInMs: 1_000, cause: 'gate_closed' }));
      deepEqual(await claimedIds(store), ['b']);
    });
  }

  test('are left to the next one where a job that is next is put off', async ({ store }) => {
    const first = await leased(store, 'first', KEY);
    const unique = { ...KEY, uniqueKey: 'put-off' };
    await enqueue(store, 'put-off', { ...unique, priority: 9 });
    await enqueue(store, 'next', { ...KEY, priority: 5 });
    await enqueueAll(store, ['free-1', 'free-2']);
    deepEqual(await claimedIds(store, { limit: 1 }), ['free-1']);
    await settled(store, settlementFor(first, 'succeeded'));
    const again = { ...unique, due: { inMs: 3_600_000 }, onConflict: 'replace' as const };
    equal((await enqueue(store, 'again', again)).ok, true);
    // A claim that has no room left does not look for more jobs.
    deepEqual(await claimedIds(store, { limit: 1 }), ['next']);
  });

  test('are held by an expired lease until it is rescued', async ({ store, clock }) => {
    const job = await leased(store, 'a', KEY);
    await enqueue(store, 'b', KEY);
    await clock.advance(LEASE_MS * 2);
    deepEqual(await claimedIds(store), []);
    await settled(store, settlementFor(job, 'dead', { by: 'expired', entry: 'lease_lost' }));
    equal((await claimOne(store)).id, 'b');
  });

  test('are distinguished, with any characters in them', async ({ store }) => {
    const keys = ['', ' ', 'a', 'A', '"a"', 'a,b', '["a"]', 'é', 'e\u0301', '😀'];
    for (const [n, limitKey] of keys.entries()) await enqueue(store, `job-${n}`, { limitKey });
    equal((await claimedIds(store)).length, keys.length);
  });
}
