import { deepEqual, equal } from 'node:assert/strict';
import {
  type AttemptAccount,
  claimAttempt,
  openAccount,
  settleAttempt,
} from '@redrive/core/stored';
import {
  act,
  claim,
  claimedIds,
  claimOne,
  enqueue,
  enqueueAll,
  find,
  LEASE_MS,
  lane,
} from './commands.ts';
import { control } from './control-commands.ts';
import { same } from './plain.ts';
import { decidedEnd, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** An account after lost leases, first `uncharged` ones (their process was lost) and then `charged` ones. */
function lost(uncharged: number, charged = 0): AttemptAccount {
  let account = openAccount();
  for (let n = 0; n < uncharged + charged; n++) {
    const entry = n < uncharged ? 'process_lost' : 'lease_lost';
    account = settleAttempt(claimAttempt(account), entry, 0);
  }
  return account;
}

const LANES = [lane()];

export function suspectTests({ test }: StoreSuite): void {
  test('the lease says whether the claim promised to hold nothing else', async ({
    store,
    clock,
  }) => {
    await enqueueAll(store, ['a', 'b']);
    const [a, b] = [await claimOne(store, { alone: true }), await claimOne(store)];
    same([a.lease.alone, b.lease.alone], [true, false]);
    same((await find(store, 'a')).lease?.alone, true);
    same((await find(store, 'b')).lease?.alone, false);
    deepEqual(
      (await store.leasesOf('worker-1', 10)).map(({ id, lease }) => [id, lease.alone]).sort(),
      [
        ['a', true],
        ['b', false],
      ],
    );
    equal((await store.heartbeat([a], LEASE_MS))[0], 'held');
    await clock.advance(LEASE_MS);
    const expired = await store.expiredLeases(10);
    deepEqual(expired.map(({ id, lease }) => [id, lease.alone]).sort(), [
      ['a', true],
      ['b', false],
    ]);
    await settled(store, settlementFor(a, 'scheduled'));
    equal((await claimOne(store)).lease.alone, false, 'the next claim promised nothing');
  });

  test('a lease that is lost with its process costs no attempt', async ({ store, clock }) => {
    await enqueue(store, 'a');
    for (let times = 1; times <= 5; times++) {
      const job = await claimOne(store);
      await clock.advance(LEASE_MS);
      const outcome = { kind: 'lease_lost', times, alone: job.lease.alone } as const;
      await settled(store, decidedEnd(job, outcome, clock.now(), { by: 'expired' }));
      const { state, account } = await find(store, 'a');
      same(
        [state, account.entries.process_lost, account.entries.lease_lost],
        [times === 1 ? 'ready' : 'scheduled', times, 0],
      );
      await clock.advance(60_000);
    }
  });

  test('jobs with more losses than allowed are passed over and named', async ({ store, clock }) => {
    await enqueue(store, 'twice', { account: lost(2) });
    await clock.advance(1);
    await enqueue(store, 'once', { account: lost(1) });
    await clock.advance(1);
    await enqueue(store, 'both', { account: lost(1, 2) });
    await clock.advance(1);
    await enqueue(store, 'new');
    const { jobs, suspects } = await claim(store, { lanes: LANES, maxLosses: 1 });
    deepEqual(
      jobs.map(({ id }) => id),
      ['once', 'new'],
    );
    deepEqual(suspects, [
      { id: 'twice', losses: 2 },
      { id: 'both', losses: 3 },
    ]);
    deepEqual(await claimedIds(store, { lanes: LANES, maxLosses: 2 }), ['twice']);
    deepEqual(await claimedIds(store, { lanes: LANES }), ['both'], 'any number of losses');
    equal((await claim(store, { lanes: LANES, maxLosses: 1 })).suspects, undefined);
  });

  test('none that was lost with its process is taken ahead', async ({ store, clock }) => {
    await enqueue(store, 'a');
    await clock.advance(1);
    await enqueue(store, 'lost', { account: lost(1) });
    await clock.advance(1);
    await enqueue(store, 'b');
    deepEqual(await claimedIds(store, { lanes: LANES, limit: 1, ahead: 10, maxLosses: 1 }), [
      'a',
      'b',
    ]);
  });

  test('hundreds of suspects hide nothing behind them', async ({ store, clock }) => {
    const many = Array.from({ length: 300 }, (_, n) => `s${n}`);
    await enqueueAll(store, many, { account: lost(2) });
    await enqueueAll(store, ['of-a'], { tenant: 'a', account: lost(2) });
    await clock.advance(1);
    await enqueueAll(store, ['x', 'y', 'z']);
    await enqueue(store, 'of-b', { tenant: 'b' });
    await enqueue(store, 'low', { priority: -1 });
    const { jobs, suspects } = await claim(store, { lanes: LANES, maxLosses: 1, limit: 5 });
    deepEqual(jobs.map(({ id }) => id).sort(), ['low', 'of-b', 'x', 'y', 'z']);
    equal(suspects?.[0]?.losses, 2);
  });

  test('an attempt that ran to an end, well or badly, clears the job', async ({ store, clock }) => {
    await enqueueAll(store, ['a', 'b'], { account: lost(2, 1) });
    const [a, b] = await Promise.all([
      claimOne(store, { only: ['a'] }),
      claimOne(store, { only: ['b'] }),
    ]);
    const failure = { kind: 'failure', errorClass: 'retryable', effect: 'none' } as const;
    await settled(store, decidedEnd(a, failure, clock.now()));
    await settled(store, decidedEnd(b, { kind: 'interrupted' }, clock.now()));
    await clock.advance(60_000);
    const { jobs, suspects } = await claim(store, {
      lanes: LANES,
      limit: 1,
      ahead: 1,
      maxLosses: 0,
    });
    deepEqual(
      jobs.map(({ id }) => id),
      ['a'],
    );
    deepEqual(suspects, [{ id: 'b', losses: 3 }]);
    const again = await claimOne(store, { only: ['b'] });
    await settled(store, decidedEnd(again, failure, clock.now()));
    const [found] = jobs;
    if (found === undefined) throw new Error('a was claimed');
    await clock.advance(LEASE_MS);
    const outcome = { kind: 'lease_lost', times: 1, alone: false } as const;
    await settled(store, decidedEnd(found, outcome, clock.now(), { by: 'expired' }));
    await clock.advance(60_000);
    const once = await claim(store, { lanes: LANES, maxLosses: 0 });
    deepEqual(once.suspects, [{ id: 'a', losses: 1 }]);
    deepEqual(
      once.jobs.map(({ id }) => id),
      ['b'],
    );
  });

  test('a new generation has lost nothing', async ({ store }) => {
    await enqueue(store, 'a', { account: lost(2) });
    await act(store, 'cancel', 'a');
    await act(store, 'requeue', 'a');
    deepEqual(await claimedIds(store, { maxLosses: 1 }), ['a']);
  });

  test('jobs are claimed by their ids, in that order and no others', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c', 'd'], { account: lost(2) });
    await enqueue(store, 'other', { priority: 9 });
    await enqueue(store, 'mail', { handler: 'mail', account: lost(2) });
    const only = ['d', 'nobody', 'mail', 'b', 'a'];
    const { jobs, lastTenant } = await claim(store, { only, limit: 2, afterTenant: 'x' });
    deepEqual(
      jobs.map(({ id }) => id),
      ['d', 'b'],
    );
    equal(lastTenant, 'x', 'nobody’s turn has changed');
    deepEqual(await claimedIds(store, { only }), ['a']);
    deepEqual(await claimedIds(store, { only }), []);
    deepEqual(await claimedIds(store, { only: [] }), []);
  });

  test('a claim of nothing says which of some suspects are there', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c'], { account: lost(2) });
    await claimOne(store, { only: ['b'] });
    const { jobs, suspects } = await claim(store, {
      only: ['c', 'b', 'a'],
      limit: 0,
      maxLosses: 1,
    });
    deepEqual(jobs, []);
    deepEqual(suspects, [
      { id: 'c', losses: 2 },
      { id: 'a', losses: 2 },
    ]);
    const nobody = await claim(store, { only: ['b'], limit: 0, maxLosses: 1 });
    same([nobody.jobs, nobody.suspects], [[], undefined]);
  });

  test('deadlines, filters, pauses and limits apply to claims by id too', async ({
    store,
    clock,
  }) => {
    const spec = { account: lost(2) };
    await enqueue(store, 'late', { ...spec, deadline: { inMs: 10 } });
    await enqueue(store, 'slow', { ...spec, queue: 'slow' });
    await enqueue(store, 'paused', { ...spec, queue: 'paused' });
    await enqueueAll(store, ['k1', 'k2'], { ...spec, limitKey: 'k' });
    await control(store, 'kill', 'pause:queue:paused', 0, {});
    await clock.advance(10);
    const only = ['late', 'slow', 'paused', 'k2', 'k1'];
    const queues = ['default', 'paused'];
    deepEqual(await claimedIds(store, { only, queues }), ['k2']);
    deepEqual(await claimedIds(store, { only, queues }), [], 'the key is used up');
    const full = [lane(undefined, { limit: 0 })];
    deepEqual(await claimedIds(store, { only, lanes: full }), []);
  });

  test('a job that its limit key held back can be claimed by its id', async ({ store, clock }) => {
    await enqueueAll(store, ['k1', 'k2', 'k3'], { account: lost(2), limitKey: 'k' });
    const first = await claimOne(store, { lanes: LANES });
    deepEqual(await claimedIds(store, { lanes: LANES }), []);
    await settled(store, settlementFor(first, 'succeeded'));
    deepEqual(await claimedIds(store, { lanes: LANES, only: ['k3'] }), ['k3']);
    deepEqual(await claimedIds(store, { lanes: LANES }), []);
    const third = await find(store, 'k3');
    await clock.advance(LEASE_MS);
    const [expired] = await store.expiredLeases(1);
    if (expired === undefined) throw new Error(`${third.id} has no lease`);
    await settled(store, settlementFor(expired, 'dead', { by: 'expired' }));
    deepEqual(await claimedIds(store, { lanes: LANES }), ['k2']);
  });
}
