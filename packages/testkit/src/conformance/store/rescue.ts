import { deepEqual, equal } from 'node:assert/strict';
import type { ExpiredFilter } from '@redrive/durable/store';
import { eventsOf } from './audit-trail.ts';
import { claim, claimOne, enqueue, find, HANDLER, LEASE_MS, lane, leased } from './commands.ts';
import { same } from './plain.ts';
import { decidedEnd, POLICY, settle, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function rescueTests({ test }: StoreSuite): void {
  test('finds leases that ran out, the oldest first, and gives the whole job', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'b', { payload: { kind: 'json', text: '[1]' } });
    await claim(store, { leaseMs: 2_000 });
    await enqueue(store, 'a');
    await claim(store, { leaseMs: 1_000 });
    await enqueue(store, 'c');
    await claim(store, { leaseMs: 3_000 });
    await enqueue(store, 'alive');
    await claim(store, { leaseMs: 3_001 });
    await clock.advance(3_000);
    const expired = await store.expiredLeases(10);
    deepEqual(
      expired.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    same(expired[1], await find(store, 'b'));
    deepEqual(
      (await store.expiredLeases(2)).map(({ id }) => id),
      ['a', 'b'],
    );
  });

  test('finds leases by handler, and by how long ago they ran out', async ({ store, clock }) => {
    await enqueue(store, 'old');
    await claim(store, { leaseMs: 1_000 });
    await enqueue(store, 'other', { handler: 'mail' });
    await claim(store, { leaseMs: 2_000, lanes: [lane('mail')] });
    await enqueue(store, 'young');
    await claim(store, { leaseMs: 3_000 });
    await clock.advance(3_000);
    const found = async (filter?: ExpiredFilter) =>
      (await store.expiredLeases(10, filter)).map(({ id }) => id);
    deepEqual(await found({}), ['old', 'other', 'young']);
    deepEqual(await found({ handlers: [HANDLER] }), ['old', 'young']);
    deepEqual(await found({ handlers: [HANDLER, 'mail', 'unheard-of'], forMs: 1_000 }), [
      'old',
      'other',
    ]);
    deepEqual(await found({ otherThan: [HANDLER] }), ['other']);
    deepEqual(await found({ otherThan: [HANDLER], forMs: 1_001 }), []);
    deepEqual(await found({ otherThan: [] }), ['old', 'other', 'young']);
    deepEqual(await found({ handlers: [] }), []);
    const [first] = await store.expiredLeases(1, { handlers: ['mail'] });
    equal(first?.id, 'other');
  });

  test('settles an expired lease with a record of its own', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(LEASE_MS);
    const end = decidedEnd(job, { kind: 'lease_lost', times: 1, alone: true }, clock.now(), {
      by: 'expired',
    });
    await settled(store, end);
    const after = await find(store, 'job-1');
    same([after.state, after.reason, after.token], ['ready', 'lease_lost', job.token + 1]);
    equal(after.account.entries.lease_lost, 1);
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim', 'lease_lost']);
    deepEqual(await store.expiredLeases(10), []);
  });

  test('is refused while the lease lives', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    const end = settlementFor(job, 'scheduled', { by: 'expired', entry: 'lease_lost' });
    await clock.advance(LEASE_MS - 1);
    deepEqual(await settle(store, end), { ok: false, refusal: 'lease_alive' });
    equal((await store.heartbeat([job], LEASE_MS))[0], 'held');
    await clock.advance(1);
    deepEqual(await settle(store, end), { ok: false, refusal: 'lease_alive' });
    await clock.advance(LEASE_MS);
    await settled(store, end);
  });

  test('and its late holder cannot both settle', async ({ store, clock }) => {
    for (const order of ['rescue first', 'holder first']) {
      const job = await leased(store, order);
      await clock.advance(LEASE_MS);
      const rescue = settlementFor(job, 'dead', { by: 'expired', entry: 'lease_lost' });
      const holder = settlementFor(job, 'succeeded');
      const ends = order === 'rescue first' ? [rescue, holder] : [holder, rescue];
      const [first, second] = ends;
      if (first === undefined || second === undefined) throw new Error('two ends');
      deepEqual(await settle(store, first), { ok: true }, order);
      deepEqual(await settle(store, second), { ok: false, refusal: 'stale_token' }, order);
      equal((await find(store, order)).state, first.to, order);
    }
  });

  test('of two rescuers at once one wins', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    await clock.advance(LEASE_MS);
    const end = settlementFor(job, 'scheduled', { by: 'expired', entry: 'lease_lost' });
    const results = await Promise.all(Array.from({ length: 10 }, () => settle(store, end)));
    equal(results.filter(({ ok }) => ok).length, 1);
  });

  test('a job that loses every lease is dead after its attempts', async ({ store, clock }) => {
    await enqueue(store, 'poison');
    for (let times = 1; times <= POLICY.maxAttempts; times++) {
      const job = await claimOne(store);
      await clock.advance(LEASE_MS);
      const outcome = { kind: 'lease_lost', times, alone: true } as const;
      await settled(store, decidedEnd(job, outcome, clock.now(), { by: 'expired' }));
      await clock.advance(120_000);
    }
    const after = await find(store, 'poison');
    same([after.state, after.reason], ['dead', 'max_attempts_exceeded']);
    equal(after.account.entries.lease_lost, POLICY.maxAttempts);
  });
}
