import { deepEqual, equal, ok } from 'node:assert/strict';
import { openAccount } from '@redrive/core/stored';
import { eventsOf } from './audit-trail.ts';
import { act, claimedIds, claimOne, enqueue, find, leased, stateOf, tick } from './commands.ts';
import { same } from './plain.ts';
import { decidedEnd, RETRYABLE, settle, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function operatorTests({ test }: StoreSuite): void {
  test('requeue opens a new generation with a fresh account', async ({ store, clock }) => {
    await enqueue(store, 'job-1', { deadline: { inMs: 500_000 } });
    for (let attempt = 1; attempt <= 3; attempt++) {
      await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
      await clock.advance(60_000);
    }
    const dead = await find(store, 'job-1');
    same([dead.state, dead.retryCount, dead.errorClass], ['dead', 2, 'retryable']);
    deepEqual(await act(store, 'requeue', 'job-1'), { ok: true, state: 'ready' });
    const again = await find(store, 'job-1');
    deepEqual(again.account, { ...openAccount(), generation: 2, executions: 3 });
    same(
      [again.state, again.token, again.generationAtMs, again.retryCount, again.cancelRequested],
      ['ready', dead.token + 1, clock.now(), 0, false],
    );
    same(
      [again.errorClass, again.reason, again.finishedAtMs, again.deadlineMs],
      [undefined, undefined, undefined, undefined],
    );
    same(again.attempts, dead.attempts, 'its history stays');
    equal(again.submittedAtMs, dead.submittedAtMs);
    const job = await claimOne(store);
    same([job.account.claims, job.account.executions], [1, 4]);
  });

  test('requeue takes a cancelled job too, and one that somebody wanted to stop', async ({
    store,
    clock,
  }) => {
    const job = await leased(store, 'job-1');
    await act(store, 'cancel', 'job-1');
    await settled(store, settlementFor(job, 'ready'));
    const deadline = { inMs: 1_000 };
    deepEqual(await act(store, 'requeue', 'job-1', { deadline }), { ok: true, state: 'ready' });
    const again = await find(store, 'job-1');
    deepEqual([again.cancelRequested, again.deadlineMs], [false, clock.now() + 1_000]);
    await settled(store, settlementFor(await claimOne(store), 'scheduled', { dueInMs: 5 }));
    equal(await stateOf(store, 'job-1'), 'scheduled');
  });

  test('a token from before the requeue is worth nothing', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await settled(store, settlementFor(job, 'dead'));
    await act(store, 'requeue', 'job-1');
    const again = await claimOne(store);
    ok(again.token > job.token + 1);
    deepEqual(await settle(store, settlementFor(job, 'succeeded')), {
      ok: false,
      refusal: 'stale_token',
    });
    deepEqual(await store.heartbeat([job], 1_000), ['lost']);
  });

  test('run now makes a scheduled job ready before its time', async ({ store }) => {
    await enqueue(store, 'job-1', { due: { inMs: 3_600_000 } });
    deepEqual(await act(store, 'run_now', 'job-1'), { ok: true, state: 'ready' });
    same((await find(store, 'job-1')).dueAtMs, undefined);
    deepEqual(await eventsOf(store, 'job-1'), ['enqueue', 'run_now']);
    deepEqual(await claimedIds(store), ['job-1']);
  });

  test('purge hides a finished job, and restore brings it back as it was', async ({
    store,
    clock,
  }) => {
    for (const to of ['succeeded', 'dead', 'cancelled'] as const) {
      await settled(store, settlementFor(await leased(store, to), to, { result: '"r"' }));
      const before = await find(store, to);
      await clock.advance(10);
      deepEqual(await act(store, 'purge', to), { ok: true, state: 'purged' });
      const purged = await find(store, to);
      same(
        [purged.state, purged.purgedFrom, purged.purgedAtMs, purged.finishedAtMs],
        ['purged', to, clock.now(), before.finishedAtMs],
      );
      deepEqual(await act(store, 'purge', to), { ok: false, refusal: 'illegal' });
      deepEqual(await act(store, 'requeue', to), { ok: false, refusal: 'illegal' });
      deepEqual(await act(store, 'restore', to), { ok: true, state: to });
      const { auditBlock: _new, ...after } = await find(store, to);
      const { auditBlock: _old, ...was } = before;
      same(after, { ...was, revision: before.revision + 2 }, to);
    }
  });

  test('nothing happens out of its state', async ({ store }) => {
    const illegal = { ok: false, refusal: 'illegal' };
    await settled(store, settlementFor(await leased(store, 'succeeded'), 'succeeded'));
    await settled(store, settlementFor(await leased(store, 'parked'), 'parked', { dueInMs: 9 }));
    await leased(store, 'leased');
    await enqueue(store, 'ready');
    await enqueue(store, 'scheduled', { due: { inMs: 1_000 } });
    const legal = {
      ready: ['cancel'],
      scheduled: ['cancel', 'run_now'],
      parked: ['cancel', 'unpark'],
      leased: ['cancel'],
      succeeded: ['purge'],
    };
    for (const [id, acts] of Object.entries(legal)) {
      for (const what of ACTS) {
        if (acts.includes(what)) continue;
        deepEqual(await act(store, what, id), illegal, `${what} of ${id}`);
      }
      equal(await stateOf(store, id), id);
    }
    for (const what of ACTS) {
      deepEqual(await act(store, what, 'nobody'), { ok: false, refusal: 'not_found' }, what);
    }
  });

  test('a requeued job with a deadline is given up when it passes', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'job-1'), 'dead'));
    await act(store, 'requeue', 'job-1', { deadline: { atMs: clock.now() + 50 } });
    await clock.advance(50);
    equal((await tick(store)).expired, 1);
    equal(await stateOf(store, 'job-1'), 'dead');
  });
}

const ACTS = ['cancel', 'run_now', 'unpark', 'requeue', 'purge', 'restore'] as const;
