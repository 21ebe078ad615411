import { type FullStore, final, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';
import { ChangeFeed } from './change-feed.ts';

const START = Date.parse('2027-01-31T08:00:00Z');
const HOUR = 3_600_000;

/** A store in which two jobs succeed and one dies in each minute. */
function place(over: (store: FullStore) => FullStore = (store) => store) {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const run = (payload: unknown) => (payload === 'bad' ? final('no such image') : 'done');
  const jobs = jobsOn(store, { resize: run }, { log: 'off', clock });
  const feeds: ChangeFeed[] = [];
  onTestFinished(async () => {
    for (const feed of feeds) feed.close();
    await clock.advance(10_000);
  });
  return {
    clock,
    store,
    feed: () => {
      const feed = new ChangeFeed(over(store), clock);
      feeds.push(feed);
      return feed;
    },
    work: async (minutes: number) => {
      await jobs.start();
      for (let minute = 0; minute < minutes; minute += 1) {
        await jobs.enqueueMany('resize', ['good', 'good', 'bad']);
        await clock.advance(60_000);
      }
      const stopping = jobs.stop();
      await clock.advance(1_000);
      await stopping;
    },
  };
}

test('one follower serves figures, also while no stream is open', async () => {
  const { feed, work, clock } = place();
  const figures = feed();
  await figures.start();
  await work(5);
  await clock.advance(6_000);
  const { total, rebuilt, progress, dead } = await figures.figures(HOUR);
  expect({ rebuilt, progress }).toEqual({ rebuilt: true, progress: 1 });
  expect(total).toMatchObject({ first_try: 10, recovered: 0, dead: 5, retries: 0 });
  expect(dead).toHaveLength(60);
  expect(dead.slice(-6)).toEqual([1, 1, 1, 1, 1, 0]);
});

test('after a restart figures are rebuilt from the log in the background, the newest part first', async () => {
  let reads = 0;
  const { feed, work, clock, store } = place((inner) => ({
    ...inner,
    auditBlocks: async (...given) => {
      reads += 1;
      return inner.auditBlocks(...given);
    },
  }));
  const first = feed();
  await first.start();
  await work(60);
  await clock.advance(6_000);
  const before = await first.figures(HOUR);
  first.close();
  const second = feed();
  await second.start();
  const meanwhile = await second.figures(HOUR);
  expect(meanwhile.rebuilt).toBe(false);
  expect(meanwhile.progress).toBeLessThan(0.05);
  expect(meanwhile.total.first_try).toBeLessThan(before.total.first_try);
  expect(Date.parse(meanwhile.since)).toBeGreaterThan(START + 50 * 60_000);
  await clock.advance(1_000);
  expect(await second.figures(HOUR)).toEqual({ ...before, since: expect.any(String) });
  const ofOneRead = reads;
  for (let n = 0; n < 20; n += 1) await second.figures(24 * HOUR);
  // No browser makes the store count.
  expect(reads - ofOneRead).toBe(0);
  expect(store).toBeDefined();
});

test('blocks of before the last 24 hours are not read', async () => {
  let oldest = Infinity;
  const { feed, work, clock } = place((inner) => ({
    ...inner,
    auditBlocks: async (after, limit) => {
      const page = await inner.auditBlocks(after, limit);
      if (limit > 1) for (const { atMs } of page) oldest = Math.min(oldest, atMs);
      return page;
    },
  }));
  await work(400);
  await clock.advance(20 * HOUR);
  const figures = feed();
  await figures.start();
  await clock.advance(60_000);
  const { rebuilt, total } = await figures.figures(24 * HOUR);
  expect(rebuilt).toBe(true);
  expect(total.first_try).toBeGreaterThan(300);
  expect(total.first_try).toBeLessThan(600);
  expect(oldest).toBeGreaterThan(START);
});

test('blocks that appear late are in their own minute, each once', async () => {
  const hidden = new Set<number>();
  const { feed, work, clock, store } = place((inner) => ({
    ...inner,
    auditBlocks: async (after, limit) => {
      const page = await inner.auditBlocks(after, limit);
      return page.filter(({ seq }) => !hidden.has(seq));
    },
  }));
  const figures = feed();
  await figures.start();
  const watched = store.watch(() => undefined);
  await work(1);
  for (const { seq } of (await store.auditBlocks(0, 1_000)).slice(-3)) hidden.add(seq);
  await work(1);
  await clock.advance(6_000);
  hidden.clear();
  await clock.advance(20_000);
  const { total } = await figures.figures(HOUR);
  watched();
  expect(total).toMatchObject({ first_try: 4, dead: 2 });
});

test('GET /v1/figures answers a viewer, and refuses the token of one tenant', async () => {
  const { call, token, clock } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  const answer = await call('GET', '/v1/figures?window=1h', { token: viewer });
  await clock.advance(100);
  expect(answer.json()).toMatchObject({
    total: { dead: 2, first_try: 0 },
    first_try: expect.any(Array),
  });
  const other = await token({ role: 'admin', tenant: 'acme' });
  expect((await call('GET', '/v1/figures', { token: other })).statusCode).toBe(403);
  expect((await call('GET', '/v1/figures?window=9h', { token: viewer })).statusCode).toBe(400);
});
