import { deepEqual } from 'node:assert/strict';
import { claimedIds, claimOne, enqueue, enqueueAll, enqueueOf, lane } from './commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function filterTests({ test }: StoreSuite): void {
  test('category filter: only handlers that are named are taken', async ({ store }) => {
    await store.apply([
      enqueueOf('1', { handler: 'mail' }),
      enqueueOf('2', { handler: 'resize' }),
      enqueueOf('3', { handler: 'report' }),
    ]);
    deepEqual(await claimedIds(store, { lanes: [lane('mail'), lane('report')] }), ['1', '3']);
    deepEqual(await claimedIds(store, { lanes: [lane('Resize'), lane('resize2')] }), []);
    deepEqual(await claimedIds(store, { lanes: [lane('resize')] }), ['2']);
  });

  test('category filter: only queues that are named are taken, all without one', async ({
    store,
  }) => {
    await store.apply([
      enqueueOf('1', { queue: 'fast' }),
      enqueueOf('2', { queue: 'slow' }),
      enqueueOf('3', { queue: 'default' }),
      enqueueOf('4', { queue: 'slow', handler: 'mail' }),
    ]);
    deepEqual(await claimedIds(store, { queues: ['slow', 'nightly'] }), ['2']);
    deepEqual(await claimedIds(store, { queues: [] }), []);
    deepEqual(await claimedIds(store), ['1', '3']);
  });

  test('category filter: due retries are filtered like new jobs', async ({ store, clock }) => {
    await enqueue(store, 'retried', { handler: 'mail', queue: 'slow' });
    const job = await claimOne(store, { lanes: [lane('mail')] });
    await settled(store, settlementFor(job, 'scheduled', { dueInMs: 100 }));
    await clock.advance(100);
    await enqueue(store, 'new', { handler: 'resize', queue: 'fast' });
    deepEqual(await claimedIds(store, { queues: ['fast'] }), ['new']);
    deepEqual(await claimedIds(store), []);
    deepEqual(await claimedIds(store, { lanes: [lane('mail')], queues: ['fast'] }), []);
    deepEqual(await claimedIds(store, { lanes: [lane('mail')], queues: ['slow'] }), ['retried']);
  });

  test('jobs that are filtered out do not delay other jobs', async ({ store, clock }) => {
    const many = Array.from({ length: 500 }, (_, n) => `a${n}`);
    const inQueue = many.map((id) => `q${id}`);
    await enqueueAll(store, many, { handler: 'mail', priority: 9 });
    await enqueueAll(store, inQueue, { queue: 'slow', priority: 8 });
    await clock.advance(1);
    await enqueue(store, 'wanted');
    deepEqual(await claimedIds(store, { queues: ['default'], limit: 2 }), ['wanted']);
  });
}
