import { deepEqual, equal } from 'node:assert/strict';
import { eventsOf } from './audit-trail.ts';
import { claimedIds, enqueueAll, enqueueOf, find, stateOf, tick } from './commands.ts';
import type { StoreSuite } from './suite.ts';

export function tickTests({ test }: StoreSuite): void {
  test('a tick promotes due jobs, without a record', async ({ store, clock }) => {
    await store.apply([
      enqueueOf('sooner', { due: { inMs: 10 } }),
      enqueueOf('later', { due: { inMs: 20 } }),
    ]);
    await clock.advance(10);
    deepEqual(await tick(store), { ok: true, promoted: 1, released: 0, expired: 0, more: false });
    const job = await find(store, 'sooner');
    deepEqual([job.state, job.dueAtMs, job.revision], ['ready', undefined, 1]);
    equal(await stateOf(store, 'later'), 'scheduled');
    deepEqual(await eventsOf(store, 'sooner'), ['enqueue']);
  });

  test('handles at most `limit` jobs of each kind, the earliest first, and reports when it stopped', async ({
    store,
    clock,
  }) => {
    for (const inMs of [30, 10, 20]) {
      await enqueueAll(store, [`due-${inMs}`], { due: { inMs } });
      await enqueueAll(store, [`late-${inMs}`], { deadline: { inMs } });
    }
    await clock.advance(100);
    const first = await tick(store, { limit: 2 });
    const { expiredBy: _, ...counts } = first;
    deepEqual(counts, { ok: true, promoted: 2, released: 0, expired: 2, more: true });
    equal(await stateOf(store, 'due-30'), 'scheduled');
    equal(await stateOf(store, 'late-30'), 'ready');
    const second = await tick(store, { limit: 2 });
    deepEqual([second.promoted, second.expired, second.more], [1, 1, false]);
    deepEqual(await tick(store), { ok: true, promoted: 0, released: 0, expired: 0, more: false });
  });

  test('a tick reports expired jobs by handler and queue', async ({ store, clock }) => {
    const deadline = { inMs: 10 };
    await enqueueAll(store, ['a', 'b'], { handler: 'mail', queue: 'slow', deadline });
    await enqueueAll(store, ['c'], { handler: 'mail', queue: 'Quick "1"', deadline });
    await enqueueAll(store, ['d', 'e', 'f'], { handler: 'Import', queue: 'slow', deadline });
    await enqueueAll(store, ['g'], { handler: 'mail', queue: 'slow' });
    await clock.advance(10);
    deepEqual((await tick(store)).expiredBy, [
      { handler: 'Import', queue: 'slow', count: 3 },
      { handler: 'mail', queue: 'Quick "1"', count: 1 },
      { handler: 'mail', queue: 'slow', count: 2 },
    ]);
    equal((await tick(store)).expiredBy, undefined);
  });

  test('a clock that goes back promotes nothing early', async ({ store, clock }) => {
    await enqueueAll(store, ['job-1'], { due: { inMs: 1_000 } });
    const startMs = clock.now();
    clock.setWall(startMs - 3_600_000);
    equal((await tick(store)).promoted, 0);
    deepEqual(await claimedIds(store), []);
    await clock.advance(3_600_000 + 999);
    equal((await tick(store)).promoted, 0);
    await clock.advance(1);
    deepEqual(await claimedIds(store), ['job-1']);
  });

  test('a clock that jumps ahead brings everything at once', async ({ store, clock }) => {
    await enqueueAll(store, ['a', 'b'], { due: { inMs: 86_400_000 * 20 } });
    clock.setWall(clock.now() + 86_400_000 * 25);
    equal((await tick(store)).promoted, 2);
  });
}
