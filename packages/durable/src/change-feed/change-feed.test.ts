import { RedriveError } from '@redrive/core';
import { expect, it } from 'vitest';
import { schedules } from '../control/schedules.ts';
import type { ChangesRequest, DocumentChange } from '../document-source/document-source.ts';
import { memoryDocuments } from '../memory/documents.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { workBench } from '../testing/work-bench.ts';
import { type ChangeFeed, changeFeedHandler, changeFeedSchedule } from './change-feed.ts';

/** A feed over a list of changes, in virtual time: a position is a place in the list. */
function feedBench({ isMoving = false } = {}) {
  const log: DocumentChange[] = [];
  const asked: ChangesRequest[] = [];
  let trouble: Error | undefined;
  const bench = workBench({});
  const { clock } = bench;
  const store = memoryStore({ clock });
  const source = {
    ...memoryDocuments({ clock }),
    name: 'fake',
    async changes(_: unknown, request: ChangesRequest) {
      asked.push(request);
      if (trouble !== undefined) throw trouble;
      const from = request.after === undefined ? log.length : Number.parseInt(request.after, 10);
      if (from >= log.length)
        await new Promise<void>((resolve) => clock.setTimer(request.waitMs, resolve));
      const changes = log.slice(from, from + request.limit);
      return { changes, next: `${from + changes.length}${isMoving ? `:${asked.length}` : ''}` };
    },
  };
  const collection = {
    name: 'archives',
    fields: {
      ...{ id: '_id', status: 's', count: 'c', time: 't', mark: 'm', error: 'e' },
      read: ['_id'],
    },
    ...{ pending: ['new'], done: ['done'], failed: 'failed' },
  };
  const event = {
    ...{ type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested' },
    data: { archive_id: '$_id' },
  };
  const feed: ChangeFeed = { name: 'archives', source, collection, kinds: ['insert'], event };
  const handlers = {
    'changes.follow': changeFeedHandler({ store, feeds: [feed], actor: { name: 'test' }, clock }),
    'events.publish': { idempotent: true, run: async () => undefined },
  };
  const { jobs } = workBench(handlers, { store }, clock);
  jobs.schedule(...changeFeedSchedule(feed));
  return {
    ...{ jobs, clock, store, asked },
    change(id: string, more: Record<string, unknown> = {}) {
      const values = { _id: id, ...more };
      log.push({ kind: 'insert', token: `t-${id}`, atMs: 1_000, readToken: '1:1', values });
    },
    fail(error?: Error) {
      trouble = error;
    },
    /** A run of the feed is over before its next tick. */
    async stop() {
      const stopped = jobs.stop();
      await clock.advance(15_000);
      await stopped;
    },
    document: async () => (await schedules(store)).schedules[0],
    async events() {
      const { jobs: found } = await store.jobs({ handler: 'events.publish' }, { limit: 100 });
      return found;
    },
  };
}

it('stores an event per change, and keeps its position in the schedule', async () => {
  const bench = feedBench();
  bench.change('before');
  await bench.jobs.start();
  await bench.clock.advance(16_000);
  expect((await bench.document())?.position).toBe('1');
  for (const id of ['a', 'b', 'c']) bench.change(id);
  await bench.clock.advance(3_000);
  expect((await bench.document())?.position).toBe('4');
  bench.change('d');
  await bench.clock.advance(31_000);
  expect(await bench.document()).toMatchObject({ position: '5', totals: { stored: 4 } });
  expect(await bench.events()).toHaveLength(4);
  // One look a second, by one job at a time.
  expect(bench.asked.length).toBeLessThan(60);
  await bench.stop();
});

it('a quiet collection whose position moves on writes it once per run', async () => {
  const bench = feedBench({ isMoving: true });
  await bench.jobs.start();
  await bench.clock.advance(16_000);
  const positions = new Set<string | undefined>();
  for (let second = 0; second < 60; second += 1) {
    await bench.clock.advance(1_000);
    positions.add((await bench.document())?.position);
  }
  expect(positions.size).toBeGreaterThan(3);
  expect(positions.size).toBeLessThan(7);
  // No tick finds the run before it unfinished: that would cost 15 seconds without a look.
  expect(bench.asked.length).toBeGreaterThanOrEqual(60);
  await bench.stop();
});

it('a position that is read again stores nothing twice', async () => {
  const bench = feedBench();
  await bench.jobs.start();
  await bench.clock.advance(16_000);
  for (const id of ['a', 'b']) bench.change(id);
  await bench.clock.advance(15_000);
  expect(await bench.events()).toHaveLength(2);
  const { all } = await bench.store.controls();
  const control = all.find(({ kind }) => kind === 'schedule');
  const document = JSON.stringify({ ...JSON.parse(control?.document ?? '{}'), position: '0' });
  const expected = control?.revision ?? 0;
  await bench.stop();
  await bench.store.apply([
    { kind: 'control', of: 'schedule', key: 'changes.archives', expect: expected, document },
  ]);
  await bench.jobs.start();
  await bench.clock.advance(31_000);
  expect((await bench.document())?.position).toBe('2');
  expect(await bench.events()).toHaveLength(2);
  await bench.stop();
});

it('a lost position waits for a person, and says what to do; changes after trouble are not lost', async () => {
  const bench = feedBench();
  await bench.jobs.start();
  await bench.clock.advance(16_000);
  const gone = 'The oplog does not have the changes of archives after this position any more';
  bench.fail(new RedriveError('documents_refused', gone, { isLost: true }));
  bench.change('a');
  await bench.clock.advance(120_000);
  const failing = (await bench.store.failing({ atMost: 9 })).jobs;
  expect(failing.map(({ handler }) => handler)).toEqual(['changes.follow']);
  const last = await bench.store.job(failing[0]?.id ?? '');
  expect(last?.attempts.kept.at(-1)?.error?.message).toBe(
    `${gone}. Events of changes are missing. Stop the workers, run "redrive schedules remove changes.archives" and start them: the feed begins anew, and a sweep sends documents that were never attempted`,
  );
  bench.fail();
  await bench.clock.advance(60_000);
  expect(await bench.events()).toHaveLength(1);
  await bench.stop();
});

it('an event above 1 MiB is a dead letter', async () => {
  const bench = feedBench();
  await bench.jobs.start();
  await bench.clock.advance(16_000);
  bench.change('x'.repeat(1_100_000));
  await bench.clock.advance(15_000);
  const [letter] = await bench.events();
  expect((await bench.store.job(letter?.id ?? ''))?.state).toBe('dead');
  await bench.stop();
});
