import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  claim,
  claimedIds,
  claimOne,
  enqueue,
  enqueueAll,
  enqueueOf,
  LEASE_MS,
  lane,
  leased,
} from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function claimOrderTests({ test }: StoreSuite): void {
  test('a claimed job has a lease of its own, a token and one attempt more', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1');
    await clock.advance(5);
    const lanes = [lane(undefined, { policyHash: 'p-9' })];
    const result = await claim(store, { worker: 'w-7', leaseMs: 1_234, lanes });
    equal(result.nowMs, clock.now());
    const [job] = result.jobs;
    const [sinceMs, untilMs] = [clock.now(), clock.now() + 1_234];
    same(job?.lease, { worker: 'w-7', sinceMs, untilMs, policyHash: 'p-9', alone: false });
    same(
      [job?.state, job?.token, job?.revision, job?.account.claims, job?.account.executions],
      ['leased', 1, 2, 1, 1],
    );
    same(await store.job('job-1'), job);
  });

  test('ordering of new and retry-eligible jobs: the oldest submission first', async ({
    store,
    clock,
  }) => {
    const retried = await leased(store, 'retried');
    await clock.advance(10);
    await enqueue(store, 'new-1');
    await settled(store, settlementFor(retried, 'scheduled', { dueInMs: 1_000 }));
    await clock.advance(10);
    await enqueue(store, 'new-2');
    await enqueue(store, 'later', { due: { inMs: 100_000 } });
    await clock.advance(1_000);
    await enqueue(store, 'new-3');
    deepEqual(await claimedIds(store), ['retried', 'new-1', 'new-2', 'new-3']);
  });

  test('jobs that were submitted together go by their ids', async ({ store }) => {
    await enqueueAll(store, ['b', 'a', 'B', '_', 'aa', '10', '9']);
    deepEqual(await claimedIds(store), ['10', '9', 'B', '_', 'a', 'aa', 'b']);
  });

  test('higher priority goes first, however long others wait', async ({ store, clock }) => {
    for (const priority of [0, -1_000, 1, 1_000, -1]) {
      await enqueue(store, `p${priority}`, { priority, tenant: `t${priority}` });
      await clock.advance(1);
    }
    deepEqual(await claimedIds(store), ['p1000', 'p1', 'p0', 'p-1', 'p-1000']);
  });

  test('tenants take turns, one job each', async ({ store, clock }) => {
    await enqueueAll(store, ['a1', 'a2', 'a3'], { tenant: 'a' });
    await clock.advance(1);
    await enqueueAll(store, ['b1', 'b2'], { tenant: 'b' });
    await clock.advance(1);
    await enqueueAll(store, ['n1'], { tenant: '' });
    deepEqual(await claimedIds(store), ['n1', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('the turn goes on after the tenant that was last, and around', async ({ store }) => {
    for (const tenant of ['a', 'b', 'c']) {
      await enqueueAll(store, [`${tenant}1`, `${tenant}2`, `${tenant}3`], { tenant });
    }
    const first = await claim(store, { limit: 2 });
    deepEqual(
      [first.jobs.map(({ id }) => id), first.lastTenant, first.more],
      [['a1', 'b1'], 'b', true],
    );
    const second = await claim(store, { limit: 2, afterTenant: first.lastTenant });
    deepEqual([second.jobs.map(({ id }) => id), second.lastTenant], [['c1', 'a2'], 'a']);
    deepEqual(await claimedIds(store, { limit: 1, afterTenant: 'zzz' }), ['a3']);
    deepEqual(await claimedIds(store, { limit: 1, afterTenant: 'aa' }), ['b2']);
    const none = await claim(store, { lanes: [lane('nothing')], afterTenant: 'b' });
    deepEqual([none.jobs.length, none.lastTenant], [0, 'b']);
  });

  test('every priority has its own turns', async ({ store }) => {
    for (const [priority, level] of [[1, 'high'] as const, [0, 'low'] as const]) {
      for (const tenant of ['a', 'b']) {
        const ids = [`${level}-${tenant}1`, `${level}-${tenant}2`];
        await enqueueAll(store, ids, { tenant, priority });
      }
    }
    const high = ['high-b1', 'high-a1', 'high-b2', 'high-a2'];
    const ids = await claimedIds(store, { limit: 6, afterTenant: 'a' });
    deepEqual(ids, [...high, 'low-b1', 'low-a1']);
  });

  test('tenants come in the order of their code points', async ({ store }) => {
    const tenants = ['z', 'é', '\ufffd', '😀', 'Z', 'a b', '-'];
    for (const tenant of tenants) await enqueue(store, `of ${tenant}`, { tenant });
    deepEqual(
      (await claim(store)).jobs.map(({ tenant }) => tenant),
      ['-', 'Z', 'a b', 'z', 'é', '\ufffd', '😀'],
    );
  });

  test('a tenant with 100,000 ready jobs does not delay another one with ten', async ({
    store,
  }) => {
    for (let batch = 0; batch < 50; batch++) {
      const ids = Array.from({ length: 2_000 }, (_, n) => `a-${batch}-${n}`);
      await enqueueAll(store, ids, { tenant: 'A' });
    }
    const late = Array.from({ length: 10 }, (_, n) => `b-${n}`);
    await enqueueAll(store, late, { tenant: 'B' });
    const first = await claim(store, { limit: 10 });
    const second = await claim(store, { limit: 10, afterTenant: first.lastTenant });
    const claimed = [...first.jobs, ...second.jobs].map(({ id }) => id);
    deepEqual(
      claimed.filter((id) => id.startsWith('b-')),
      late,
    );
    // Reading all of it back would take longer than all other tests together.
    return 'unchecked';
  });

  test('takes no more than the limit, and says when there are more', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c']);
    const two = await claim(store, { limit: 2 });
    deepEqual([two.jobs.length, two.more], [2, true]);
    deepEqual(await claimedIds(store, { limit: 2 }), ['c']);
    deepEqual(await claimedIds(store, { limit: 2 }), []);
  });

  test('takes no more of a handler than its lane has room for', async ({ store }) => {
    await enqueueAll(store, ['r1', 'r2', 'r3']);
    await enqueueAll(store, ['s1', 's2'], { handler: 'send' });
    const lanes = [lane(undefined, { limit: 1 }), lane('send', { limit: 5 })];
    deepEqual(await claimedIds(store, { lanes }), ['r1', 's1', 's2']);
  });

  test('a full lane does not delay jobs behind it', async ({ store, clock }) => {
    const many = Array.from({ length: 300 }, (_, n) => `r${n}`);
    await enqueueAll(store, many, { priority: 5 });
    await clock.advance(1);
    await enqueue(store, 's1', { handler: 'send' });
    const lanes = [lane(undefined, { limit: 0 }), lane('send')];
    deepEqual(await claimedIds(store, { lanes, limit: 10 }), ['s1']);
  });

  test('takes a job once, however many claim at once', async ({ store }) => {
    const ids = Array.from({ length: 60 }, (_, n) => `job-${n}`);
    await enqueueAll(store, ids);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claimedIds(store, { worker: `w-${n}`, limit: 5 })),
    );
    ok(claims.every(({ length }) => length <= 5));
    const taken = claims.flat();
    // A store may pass over what another claim has under way; who comes next gets it.
    taken.push(...(await claimedIds(store)));
    deepEqual(taken.toSorted(), ids.toSorted());
  });

  test('does not take jobs that are leased, finished or not yet due', async ({ store, clock }) => {
    await leased(store, 'leased');
    await settled(store, settlementFor(await leased(store, 'done'), 'succeeded'));
    await enqueue(store, 'later', { due: { inMs: 1_000 } });
    deepEqual(await claimedIds(store), []);
    await clock.advance(999);
    deepEqual(await claimedIds(store), []);
    await clock.advance(1);
    equal((await claimOne(store)).id, 'later');
    await clock.advance(LEASE_MS * 2);
    deepEqual(await claimedIds(store), [], 'an expired lease is for the rescue');
  });

  test('says when the next scheduled job is due', async ({ store, clock }) => {
    equal((await claim(store)).nextDueInMs, undefined);
    await store.apply([
      enqueueOf('later', { due: { inMs: 5_000 } }),
      enqueueOf('sooner', { due: { inMs: 3_000 }, handler: 'other' }),
    ]);
    equal((await claim(store)).nextDueInMs, 3_000);
    await clock.advance(1_000);
    equal((await claim(store)).nextDueInMs, 2_000);
  });
}
