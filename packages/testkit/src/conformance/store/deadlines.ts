import { deepEqual, equal } from 'node:assert/strict';
import { trailOf } from './audit-trail.ts';
import { claimedIds, enqueue, enqueueAll, find, leased, stateOf, tick } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function deadlineTests({ test }: StoreSuite): void {
  test('past it no attempt starts', async ({ store, clock }) => {
    await enqueue(store, 'late', { deadline: { inMs: 1_000 } });
    await enqueue(store, 'at-time', { deadline: { inMs: 1_001 } });
    await clock.advance(1_000);
    deepEqual(await claimedIds(store), ['at-time']);
    equal(await stateOf(store, 'late'), 'ready', 'the tick gives it up');
  });

  test('a job past its deadline does not delay other jobs', async ({ store, clock }) => {
    const late = Array.from({ length: 300 }, (_, n) => `late-${n}`);
    await enqueueAll(store, late, { priority: 9, deadline: { inMs: 10 } });
    await enqueue(store, 'in-time');
    await clock.advance(10);
    deepEqual(await claimedIds(store, { limit: 1 }), ['in-time']);
  });

  test('a tick gives up jobs that wait past it, in any state', async ({ store, clock }) => {
    const deadline = { inMs: 1_000 };
    await settled(
      store,
      settlementFor(await leased(store, 'parked', { deadline }), 'parked', {
        dueInMs: 100_000,
        cause: 'gate_closed',
      }),
    );
    await enqueue(store, 'ready', { deadline });
    await enqueue(store, 'scheduled', { deadline, due: { inMs: 100_000 } });
    await enqueue(store, 'due', { deadline, due: { inMs: 500 } });
    await enqueue(store, 'later', { deadline: { inMs: 1_001 } });
    await clock.advance(999);
    equal((await tick(store)).expired, 0);
    await clock.advance(1);
    equal((await tick(store)).expired, 4);
    for (const id of ['ready', 'scheduled', 'parked', 'due']) {
      const job = await find(store, id);
      same(
        [job.state, job.reason, job.finishedAtMs, job.dueAtMs, job.cause],
        ['dead', 'ttl_exceeded', clock.now(), undefined, undefined],
        id,
      );
      const last = (await trailOf(store, id)).at(-1);
      deepEqual([last?.event, last?.to, last?.detail], ['expire', 'dead', { by: 'test' }]);
    }
    equal(await stateOf(store, 'later'), 'ready');
  });

  test('a running attempt goes on past it', async ({ store, clock }) => {
    const job = await leased(store, 'job-1', { deadline: { inMs: 1_000 } });
    await clock.advance(2_000);
    equal((await tick(store)).expired, 0);
    deepEqual(await store.heartbeat([job], 1_000), ['held']);
    await settled(store, settlementFor(job, 'succeeded'));
  });

  test('it may be far away', async ({ store, clock }) => {
    const farMs = clock.now() + 315_360_000_000;
    await enqueue(store, 'job-1', { deadline: { atMs: farMs } });
    equal((await find(store, 'job-1')).deadlineMs, farMs);
  });
}
