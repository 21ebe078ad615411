import { deepEqual, equal } from 'node:assert/strict';
import { auditBlocks } from './audit-trail.ts';
import { act, claim, claimedIds, enqueue, enqueueAll, find, leased } from './commands.ts';
import { control } from './control-commands.ts';
import { allJobs } from './invariants.ts';
import { same } from './plain.ts';
import { decidedEnd, POLICY, RETRYABLE, settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** Nothing to check where a store keeps nothing. */
export function persistenceTests({ test }: StoreSuite): void {
  test('persistence over a restart: jobs, pauses, policies and audit', async (subject) => {
    const { store, clock, reopen } = subject;
    if (reopen === undefined) return;
    const bytes = Uint8Array.of(0, 255, 10);
    await enqueue(store, 'bytes', { payload: { kind: 'bytes', bytes }, tenant: 'b' });
    await settled(store, decidedEnd(await leased(store, 'retry'), RETRYABLE, clock.now()));
    await settled(
      store,
      settlementFor(await leased(store, 'done'), 'succeeded', { result: '[1]' }),
    );
    await settled(
      store,
      settlementFor(await leased(store, 'parked'), 'parked', { dueInMs: 9_000 }),
    );
    await settled(store, settlementFor(await leased(store, 'purged'), 'dead'));
    await act(store, 'purge', 'purged');
    await enqueue(store, 'later', { due: { inMs: 60_000 }, deadline: { inMs: 90_000 } });
    await leased(store, 'held', { priority: 5, limitKey: 'l' });
    await enqueue(store, 'unique', { uniqueKey: 'u', due: { inMs: 99_000 } });
    await store.registerPolicies([{ hash: 'h', id: 'p', policy: POLICY }]);
    await control(store, 'kill', 'pause:queue:slow', 0, {});
    await enqueue(store, 'paused', { queue: 'slow' });
    const jobs = await allJobs(store);
    const whole = await Promise.all(jobs.map(({ id }) => store.job(id)));
    const before = [whole, await store.policy('h'), await auditBlocks(store)];

    const again = await reopen();
    const after = await Promise.all(jobs.map(({ id }) => again.job(id)));
    same([after, await again.policy('h'), await auditBlocks(again)], before);
    deepEqual(await claimedIds(again, { queues: ['slow'] }), []);
    deepEqual(
      (await allJobs(again)).map(({ id }) => id),
      jobs.map(({ id }) => id),
    );
    return again;
  });

  test('persistence over a restart: retries come when they are due, leases end', async (subject) => {
    const { store, clock, reopen } = subject;
    if (reopen === undefined) return;
    await settled(store, decidedEnd(await leased(store, 'retry'), RETRYABLE, clock.now()));
    const held = await leased(store, 'held', { priority: 5, limitKey: 'l' });
    const again = await reopen();
    deepEqual(await claimedIds(again), []);
    await clock.advance(1_000);
    deepEqual(await claimedIds(again), ['retry']);
    deepEqual(await again.heartbeat([held], 60_000), ['held']);
    await enqueue(again, 'same-key', { limitKey: 'l' });
    deepEqual(await claimedIds(again), []);
    await clock.advance(60_000);
    equal((await again.expiredLeases(10)).length, 2);
    await settled(again, settlementFor(held, 'succeeded'));
    equal((await find(again, 'held')).state, 'succeeded');
    deepEqual(await claimedIds(again), ['same-key']);
    return again;
  });

  test('persistence over a restart: tokens, revisions and unique keys go on', async (subject) => {
    const { store, reopen } = subject;
    if (reopen === undefined) return;
    const first = await leased(store, 'job-1', { uniqueKey: 'u' });
    await settled(store, settlementFor(first, 'ready'));
    await enqueueAll(store, ['job-2', 'job-3']);
    const again = await reopen();
    const { jobs } = await claim(again);
    deepEqual(
      jobs.map(({ id, token }) => [id, token]),
      [
        ['job-1', 3],
        ['job-2', 1],
        ['job-3', 1],
      ],
    );
    const refused = await enqueue(again, 'job-4', { uniqueKey: 'u', onConflict: 'refuse' });
    deepEqual(refused, { ok: false, refusal: 'unique_conflict', id: 'job-1' });
    equal((await enqueue(again, 'job-2')).ok, false);
    return again;
  });
}
