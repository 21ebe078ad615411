import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ClaimRate, claimRate, type Rate } from '@redrive/durable/store';
import { claim, claimedIds, claimOne, enqueue, enqueueAll, HANDLER, lane } from './commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const ids = (count: number, name = 'job'): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${String(n).padStart(3, '0')}`);

function ofHandler(rate: Partial<Rate> = {}, handler = HANDLER): ClaimRate[] {
  return [claimRate({ handler }, { limit: 10, perMs: 1_000, ...rate })];
}

export function rateTests({ test }: FullStoreSuite): void {
  test('let no more jobs start than the burst, and the others stay ready', async ({ store }) => {
    await enqueueAll(store, ids(15));
    const rates = ofHandler();
    deepEqual(await claimedIds(store, { rates }), ids(10));
    const { jobs, more, nextDueInMs = 0 } = await claim(store, { rates });
    deepEqual([jobs.length, more], [0, false]);
    ok(nextDueInMs > 0 && nextDueInMs <= 104, `${nextDueInMs} ms until the next start`);
    const waiting = await store.job('job-010');
    deepEqual([waiting?.state, waiting?.account.claims, waiting?.revision], ['ready', 0, 1]);
  });

  test('let as many jobs start as the time allows', async ({ store, clock }) => {
    await enqueueAll(store, ids(200));
    const rates = ofHandler({ burst: 2 });
    let started = 0;
    for (let tenths = 0; tenths < 100; tenths++) {
      started += (await claimedIds(store, { rates })).length;
      await clock.advance(100);
    }
    ok(started >= 95 && started <= 102, `${started} starts in 10 s`);
  });

  test('count the claims of all workers, at once too', async ({ store }) => {
    await enqueueAll(store, ids(100));
    const rates = ofHandler();
    const claims = await Promise.all(
      ids(8, 'worker').map((worker) => claimedIds(store, { worker, rates, limit: 4 })),
    );
    const taken = claims.flat();
    for (let round = 0; round < 8; round++) taken.push(...(await claimedIds(store, { rates })));
    equal(taken.length, 10);
    equal(new Set(taken).size, 10);
  });

  test('count starts, and not jobs that run', async ({ store }) => {
    await enqueueAll(store, ids(3));
    const rates = ofHandler({ burst: 1 });
    const job = await claimOne(store, { rates });
    await settled(store, settlementFor(job, 'succeeded'));
    deepEqual(await claimedIds(store, { rates }), []);
  });

  test('keep no job of another tenant back', async ({ store, clock }) => {
    await enqueueAll(store, ids(300, 'loud'), { tenant: 'loud', priority: 5 });
    await enqueueAll(store, ids(3, 'quiet'), { tenant: 'quiet' });
    const rates = ofHandler({ by: 'tenant', limit: 2 });
    const first = await claimedIds(store, { rates, limit: 4 });
    deepEqual(first, ['loud-000', 'loud-001', 'quiet-000', 'quiet-001']);
    deepEqual(await claimedIds(store, { rates }), []);
    await clock.advance(550);
    deepEqual(await claimedIds(store, { rates }), ['loud-002', 'quiet-002']);
  });

  test('keep no job of another key or without a key back', async ({ store, clock }) => {
    await enqueueAll(store, ids(300, 'a'), { rateKey: 'a', priority: 5 });
    await enqueue(store, 'b', { rateKey: 'b' });
    await clock.advance(1);
    await enqueue(store, 'free');
    const rates = ofHandler({ by: 'key', limit: 1 });
    const taken: string[] = [];
    for (let round = 0; round < 4; round++) {
      taken.push(...(await claimedIds(store, { rates, limit: 3 })));
    }
    deepEqual(taken, ['a-000', 'b', 'free']);
    await clock.advance(1_100);
    deepEqual(await claimedIds(store, { rates }), ['a-001']);
  });

  test('count a key of each tenant apart', async ({ store }) => {
    for (const tenant of ['', 'a', 'b']) {
      await enqueueAll(store, ids(2, `of-${tenant}`), { tenant, rateKey: 'k' });
    }
    const rates = ofHandler({ by: 'key', limit: 1 });
    deepEqual(await claimedIds(store, { rates }), ['of--000', 'of-a-000', 'of-b-000']);
  });

  test('of one handler do not concern another one', async ({ store }) => {
    await enqueueAll(store, ids(20));
    await enqueueAll(store, ids(3, 'mail'), { handler: 'mail', priority: -1 });
    const lanes = [lane(), lane('mail')];
    const taken = await claimedIds(store, { rates: ofHandler(), lanes });
    deepEqual(taken, [...ids(10), ...ids(3, 'mail')]);
  });

  test('of a queue count all of its handlers, or each apart', async ({ store, clock }) => {
    const lanes = [lane(), lane('mail')];
    const both = async (name: string) => {
      await enqueueAll(store, ids(3, `${name}-a`), { queue: 'slow' });
      await enqueueAll(store, ids(3, `${name}-b`), { queue: 'slow', handler: 'mail' });
      await enqueue(store, `${name}-other`);
    };
    await both('x');
    const all = [claimRate({ queue: 'slow' }, { limit: 2, perMs: 60_000 })];
    deepEqual(await claimedIds(store, { rates: all, lanes }), ['x-a-000', 'x-a-001', 'x-other']);
    deepEqual(await claimedIds(store, { rates: all, lanes }), []);
    await clock.advance(1);
    const each = [claimRate({ queue: 'slow' }, { limit: 1, perMs: 60_000, by: 'handler' })];
    deepEqual(await claimedIds(store, { rates: each, lanes }), ['x-a-002', 'x-b-000']);
  });

  test('hold all at once', async ({ store, clock }) => {
    await enqueueAll(store, ids(4, 'a'), { tenant: 'a', rateKey: 'k' });
    await enqueueAll(store, ids(4, 'b'), { tenant: 'b', rateKey: 'k' });
    await enqueueAll(store, ids(4, 'c'), { tenant: 'c' });
    const rates = [
      ...ofHandler({ limit: 5 }),
      ...ofHandler({ by: 'tenant', limit: 2 }),
      ...ofHandler({ by: 'key', limit: 1 }),
    ];
    const taken = await claimedIds(store, { rates });
    deepEqual(taken.sort(), ['a-000', 'b-000', 'c-000', 'c-001']);
    deepEqual(await claimedIds(store, { rates }), []);
    await clock.advance(1_100);
    equal((await claimedIds(store, { rates })).length, 4);
  });

  test('hold beside limit keys', async ({ store, clock }) => {
    await enqueueAll(store, ids(3, 'a'), { tenant: 'a', limitKey: 'l' });
    await enqueueAll(store, ids(3, 'b'), { tenant: 'b', limitKey: 'l' });
    const rates = ofHandler({ by: 'tenant', limit: 1 });
    const order: string[] = [];
    for (let round = 0; round < 12; round++) {
      const { jobs } = await claim(store, { rates });
      ok(jobs.length <= 1, 'the limit key allows one job at once');
      order.push(...jobs.map(({ id }) => id));
      for (const job of jobs) await settled(store, settlementFor(job, 'succeeded'));
      await clock.advance(550);
    }
    deepEqual([...order].sort(), [...ids(3, 'a'), ...ids(3, 'b')]);
  });

  test('count jobs that are claimed by their ids', async ({ store }) => {
    await enqueueAll(store, ids(3), { tenant: 'a' });
    const rates = ofHandler({ by: 'tenant', limit: 1 });
    deepEqual(await claimedIds(store, { rates, only: ['job-002', 'job-001'] }), ['job-002']);
    deepEqual(await claimedIds(store, { rates, only: ['job-001'] }), []);
    deepEqual(await claimedIds(store, { rates }), []);
  });

  test('are told with how many jobs wait, and since when', async ({ store, clock }) => {
    await enqueueAll(store, ids(5, 'a'), { tenant: 'a' });
    await enqueue(store, 'b', { tenant: 'b' });
    const rates = ofHandler({ by: 'tenant', limit: 1 });
    deepEqual(await store.rates(), []);
    await claim(store, { rates });
    const sinceMs = clock.now();
    const name = `handler:${HANDLER}/tenant/1000ms`;
    deepEqual(await store.rates(), [{ name, value: 'a', sinceMs, count: 4, bounded: false }]);
    for (let round = 0; round < 2; round++) {
      await clock.advance(1_100);
      await claim(store, { rates });
    }
    deepEqual(await store.rates(), [{ name, value: 'a', sinceMs, count: 2, bounded: false }]);
    for (let round = 0; round < 3; round++) {
      await clock.advance(1_100);
      await claim(store, { rates });
    }
    deepEqual(await store.rates(), []);
  });

  test('that all jobs of a handler share are told, too', async ({ store, clock }) => {
    await enqueueAll(store, ids(12));
    await claim(store, { rates: ofHandler() });
    const name = `handler:${HANDLER}/all/1000ms`;
    const sinceMs = clock.now();
    deepEqual(await store.rates(), [{ name, value: '', sinceMs, count: 2, bounded: false }]);
  });

  test('that no claim names any more keep nothing back', async ({ store, clock }) => {
    await enqueueAll(store, ids(5), { tenant: 'a' });
    await claim(store, { rates: ofHandler({ by: 'tenant', limit: 1 }) });
    const taken = await claimedIds(store);
    // A store may look a little later for what an earlier version of the handler kept back.
    await clock.advance(15_000);
    taken.push(...(await claimedIds(store)));
    deepEqual(taken, ids(5).slice(1));
  });

  test('let a job go that was cancelled meanwhile', async ({ store, clock }) => {
    await enqueueAll(store, ids(3), { tenant: 'a' });
    const rates = ofHandler({ by: 'tenant', limit: 1 });
    await claim(store, { rates });
    const cancel = { kind: 'act', act: 'cancel', id: 'job-001', actor: { name: 'test' } } as const;
    equal((await store.apply([cancel]))[0].ok, true);
    await clock.advance(1_100);
    deepEqual(await claimedIds(store, { rates }), ['job-002']);
  });

  test('distinguish odd keys', async ({ store }) => {
    const keys = ['', ' ', 'a', 'A', '"a"', 'a,b', '["a"]', "'", '\\', 'é', 'e\u0301', '😀'];
    for (const [n, rateKey] of keys.entries()) await enqueue(store, `job-${n}`, { rateKey });
    const rates = ofHandler({ by: 'key', limit: 1 });
    equal((await claimedIds(store, { rates })).length, keys.length);
    deepEqual(await claimedIds(store, { rates }), []);
  });
}
