import { deepEqual } from 'node:assert/strict';
import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { claimedIds, enqueue, enqueueAll, LEASE_MS, lane } from './commands.ts';
import type { StoreSuite } from './suite.ts';

const FAILED_ONCE = settleAttempt(claimAttempt(openAccount()), 'failed', 0);
const FAILED_TWICE = settleAttempt(claimAttempt(FAILED_ONCE), 'failed', 0);
const LOST_ONCE = settleAttempt(claimAttempt(openAccount()), 'lease_lost', 0);

export function claimAheadTests({ test }: StoreSuite): void {
  test('takes up to `ahead` more jobs, also over the limit of a lane', async ({ store }) => {
    await enqueueAll(store, ['a', 'b', 'c', 'd', 'e']);
    const lanes = [lane(undefined, { limit: 1 })];
    deepEqual(await claimedIds(store, { lanes, limit: 1, ahead: 2 }), ['a', 'b', 'c']);
    deepEqual(await claimedIds(store, { lanes, limit: 100, ahead: 1 }), ['d', 'e']);
  });

  test('takes jobs after failures, also on their last attempt', async ({ store }) => {
    await enqueue(store, 'a');
    await enqueue(store, 'b', { account: FAILED_TWICE });
    deepEqual(await claimedIds(store, { limit: 1, ahead: 10 }), ['a', 'b']);
  });

  test('takes none whose deadline is less than two leases away', async ({ store }) => {
    await enqueue(store, 'a');
    await enqueue(store, 'b', { deadline: { inMs: 2 * LEASE_MS } });
    await enqueue(store, 'c', { deadline: { inMs: 2 * LEASE_MS + 1 } });
    deepEqual(await claimedIds(store, { limit: 1, ahead: 10 }), ['a', 'c']);
    deepEqual(await claimedIds(store, { limit: 1, ahead: 10 }), ['b']);
  });

  test('takes none that has lost a lease before', async ({ store, clock }) => {
    await enqueue(store, 'a');
    await clock.advance(1);
    await enqueue(store, 'lost', { account: LOST_ONCE });
    await clock.advance(1);
    await enqueue(store, 'b');
    deepEqual(await claimedIds(store, { limit: 1, ahead: 10 }), ['a', 'b']);
    deepEqual(await claimedIds(store, { limit: 1 }), ['lost']);
  });

  test('a job that may not be taken ahead is taken in its place where there is room', async ({
    store,
  }) => {
    await enqueueAll(store, ['a', 'b'], { account: LOST_ONCE });
    await enqueueAll(store, ['c', 'd']);
    deepEqual(await claimedIds(store, { limit: 3, ahead: 1 }), ['a', 'b', 'c', 'd']);
  });
}
