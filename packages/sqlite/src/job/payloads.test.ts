import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

let place: Scratch;
let store: FullStore;
beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, {}, { audit: true, start: withoutThreads });
});
afterEach(async () => {
  await store.close();
  place.remove();
});

const textOf = (length: number): string => JSON.stringify('x'.repeat(length));
const jobOf = (id: string, text: string) => enqueueOf(id, { payload: { kind: 'json', text } });
const actor = { name: 'test' };

/** The number of rows in the table of large payloads. */
function apart(): number {
  const db = new DatabaseSync(place.path);
  const found = db.prepare('SELECT count(*) AS count FROM payloads').get();
  db.close();
  return Number(found?.count);
}

it.each([10_000, 100_000])(
  'processing a payload of %i bytes writes it at most 1.3 times',
  async (length) => {
    const db = new DatabaseSync(place.path);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    // A reader keeps the log whole, so that its size is all that was written.
    db.exec('BEGIN; SELECT count(*) FROM meta');
    const ids = Array.from({ length: 100 }, (_, n) => `job-${100 + n}`);
    await store.apply(ids.map((id) => jobOf(id, textOf(length))));
    const [{ jobs }] = await store.apply([claimOf(100)]);
    expect(jobs.map(({ payload }) => payload.kind === 'json' && payload.text.length)).toEqual(
      ids.map(() => length + 2),
    );
    await store.apply(jobs.map((job) => settleOf(job)));
    const written = statSync(`${place.path}-wal`).size;
    db.close();
    expect(written / (ids.length * length)).toBeLessThan(1.3);
  },
);

it('a payload keeps its kind and bytes, is replaced, and goes with its job', async () => {
  const bytes = Uint8Array.from({ length: 5_000 }, (_, n) => n % 256);
  await store.apply([
    jobOf('small', textOf(10)),
    jobOf('large', textOf(5_000)),
    enqueueOf('bytes', { payload: { kind: 'bytes', bytes } }),
  ]);
  expect(apart()).toBe(2);
  expect((await store.job('bytes'))?.payload).toEqual({ kind: 'bytes', bytes });
  expect((await store.job('large'))?.payload).toEqual({ kind: 'json', text: textOf(5_000) });
  const refused = await store.apply([jobOf('large', textOf(9_000)), jobOf('small', textOf(9_000))]);
  expect(refused.map(({ ok }) => ok)).toEqual([false, false]);
  expect((await store.job('large'))?.payload).toEqual({ kind: 'json', text: textOf(5_000) });

  await store.apply(
    ['small', 'large', 'bytes'].map((id) => ({ kind: 'act', act: 'cancel', id, actor })),
  );
  const edit = (id: string, length: number) =>
    ({
      kind: 'act',
      act: 'requeue',
      id,
      actor,
      payload: { kind: 'json', text: textOf(length) },
    }) as const;
  await store.apply([edit('large', 20), edit('small', 6_000)]);
  expect((await store.job('large'))?.payload).toEqual({ kind: 'json', text: textOf(20) });
  expect((await store.job('small'))?.payload).toEqual({ kind: 'json', text: textOf(6_000) });
  expect(apart()).toBe(2);
  await store.apply(['small', 'large'].map((id) => ({ kind: 'act', act: 'cancel', id, actor })));
  await store.apply([
    {
      kind: 'prune',
      succeededAfterMs: 0,
      cancelledAfterMs: 0,
      deadAfterMs: 0,
      purgedAfterMs: 0,
      limit: 10,
      actor,
    },
  ]);
  expect(apart()).toBe(0);
});
