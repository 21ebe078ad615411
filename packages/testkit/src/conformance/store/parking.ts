import { deepEqual, equal } from 'node:assert/strict';
import { settleAttempt } from '@redrive/core/stored';
import { eventsOf } from './audit-trail.ts';
import { act, claimedIds, claimOne, enqueue, find, leased, stateOf, tick } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const PARKED = { dueInMs: 5_000, cause: 'breaker_open', reason: 'breaker_open' } as const;

export function parkingTests({ test }: StoreSuite): void {
  test('a parked job has its cause and is not claimed', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'job-1'), 'parked', PARKED));
    const job = await find(store, 'job-1');
    same(
      [job.state, job.cause, job.dueAtMs, job.reason],
      ['parked', 'breaker_open', clock.now() + 5_000, 'breaker_open'],
    );
    equal(job.account.entries.blocked, 1);
    await clock.advance(10_000);
    deepEqual(await claimedIds(store), [], 'only the tick releases it');
  });

  test('a tick releases it when its time has come, with a record', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'job-1'), 'parked', PARKED));
    await clock.advance(4_999);
    equal((await tick(store)).released, 0);
    await clock.advance(1);
    equal((await tick(store)).released, 1);
    const job = await find(store, 'job-1');
    same([job.state, job.cause, job.dueAtMs], ['ready', undefined, undefined]);
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'claim', 'settle', 'unpark']);
    deepEqual(await claimedIds(store), ['job-1']);
  });

  test('a wait of nothing is over with the next tick', async ({ store, clock }) => {
    const end = settlementFor(await leased(store, 'job-1'), 'parked', { ...PARKED, dueInMs: 0 });
    await settled(store, end);
    const job = await find(store, 'job-1');
    same([job.state, job.dueAtMs], ['parked', clock.now()]);
    equal((await tick(store)).released, 1);
  });

  test('a parked job keeps since when nothing was charged', async ({ store, clock }) => {
    const job = await leased(store, 'job-1');
    const account = settleAttempt(job.account, 'blocked', undefined, clock.now());
    await settled(store, settlementFor(job, 'parked', { ...PARKED, account }));
    deepEqual((await find(store, 'job-1')).account, account);
    await act(store, 'unpark', 'job-1');
    const again = await claimOne(store);
    equal(again.account.unchargedSinceMs, clock.now());
    await clock.advance(60_000);
    const charged = settleAttempt(again.account, 'failed', 1_000, clock.now());
    await settled(store, settlementFor(again, 'parked', { ...PARKED, account: charged }));
    deepEqual((await find(store, 'job-1')).account, charged);
    equal(charged.unchargedSinceMs, clock.now());
  });

  test('somebody lets it go before its time', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'job-1'), 'parked', PARKED));
    deepEqual(await act(store, 'unpark', 'job-1'), { ok: true, state: 'ready' });
    deepEqual(await act(store, 'unpark', 'job-1'), { ok: false, refusal: 'illegal' });
    deepEqual(await claimedIds(store), ['job-1']);
  });

  test('nothing else is unparked', async ({ store }) => {
    await enqueue(store, 'scheduled', { due: { inMs: 100 } });
    await enqueue(store, 'ready');
    for (const id of ['scheduled', 'ready']) {
      deepEqual(await act(store, 'unpark', id), { ok: false, refusal: 'illegal' });
      equal(await stateOf(store, id), id);
    }
    deepEqual(await act(store, 'unpark', 'nobody'), { ok: false, refusal: 'not_found' });
  });
}
