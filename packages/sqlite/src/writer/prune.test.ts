import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { fingerprintOf } from '@redrive/durable/dead-letters';
import type { PruneCommand } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

// What belongs to a job goes with it, or the file would only grow.

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
const actor = { name: 'test' };
let place: Scratch;
let store: FullStore;

beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
});
afterEach(async () => {
  await store.close();
  place.remove();
});

function rows(table: string): number {
  const db = new DatabaseSync(place.path);
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() ?? {};
  db.close();
  return Number(n);
}

async function die(id: string, message: string): Promise<void> {
  await store.apply([enqueueOf(id)]);
  const [{ jobs }] = await store.apply([claimOf(1)]);
  for (const job of jobs) {
    const { kind, settlement } = settleOf(job, 'dead');
    const group = fingerprintOf({ type: 'Error', message });
    await store.apply([{ kind, settlement: { ...settlement, group } }]);
  }
}

const act = (id: string, name: 'requeue' | 'purge' | 'restore' | 'cancel') =>
  store.apply([{ kind: 'act', act: name, id, actor }]);

async function prune(command: Partial<PruneCommand> = {}) {
  const never = Infinity;
  const [result] = await store.apply([
    {
      kind: 'prune',
      succeededAfterMs: never,
      cancelledAfterMs: never,
      deadAfterMs: never,
      purgedAfterMs: never,
      limit: 100,
      actor,
      ...command,
    },
  ]);
  return result;
}

describe('pruning', () => {
  it('forgets causes that nobody has any more, and keeps those of purged jobs', async () => {
    await die('a', 'disk is full');
    await die('b', 'no route');
    await die('c', 'no route');
    await act('a', 'purge');
    await act('b', 'requeue');
    await prune();
    expect(rows('dead_groups')).toBe(2);
    await act('c', 'requeue');
    await prune();
    expect(rows('dead_groups')).toBe(1);
    // It has its cause again when it comes back.
    await act('a', 'restore');
    const { groups } = await store.deadGroups({}, { limit: 10 });
    expect(groups.map(({ pattern, count }) => [pattern, count])).toEqual([
      ['Error: disk is full', 1],
    ]);
    await prune({ deadAfterMs: 0 });
    expect(rows('dead_groups')).toBe(0);
  });

  it('looks at a thousand causes at a time, and in the end at all', async () => {
    const db = new DatabaseSync(place.path);
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO dead_groups (fingerprint, pattern) SELECT 'fp' || i, 'p' FROM n`);
    db.close();
    await die('a', 'disk is full');
    await prune();
    expect(rows('dead_groups')).toBe(1_501);
    await prune();
    await prune();
    expect(rows('dead_groups')).toBe(1);
    await prune();
    expect(rows('dead_groups')).toBe(1);
  });

  it('leaves no row of a job that is gone', async () => {
    await die('dead', 'x');
    await die('purged', 'x');
    await act('purged', 'purge');
    expect([rows('dead_letters'), rows('purged_jobs')]).toEqual([1, 1]);
    expect(await prune({ deadAfterMs: 0, purgedAfterMs: 0 })).toMatchObject({ deleted: 2 });
    for (const table of ['jobs', 'dead_letters', 'purged_jobs', 'dead_groups']) {
      expect([table, rows(table)]).toEqual([table, 0]);
    }
  });

  it('deletes idempotency keys whose time is over, so many at a time, and says that there are more', async () => {
    const ledger = store.ledger({ retentionMs: 1_000 });
    for (let n = 0; n < 5; n++) await ledger.once({ key: `k-${n}` }, () => n);
    await store.ledger().once({ key: 'kept' }, () => 0);
    await clock.advance(999);
    expect(await prune({ limit: 3 })).toMatchObject({ more: false });
    expect(rows('ledger')).toBe(6);
    await clock.advance(1);
    expect(await prune({ limit: 3 })).toEqual({ ok: true, deleted: 0, more: true });
    expect(rows('ledger')).toBe(3);
    expect(await prune({ limit: 3 })).toEqual({ ok: true, deleted: 0, more: false });
    expect(rows('ledger')).toBe(1);
  });
});

it('a step of the clock is forgotten with the jobs before it', async () => {
  await die('before', 'down');
  clock.setWall(clock.now() - 60_000);
  await die('after', 'down');
  expect(rows('clock_steps')).toBe(1);
  clock.setWall(clock.now() + 120_000);
  expect(await prune({ deadAfterMs: 90_000 })).toMatchObject({ deleted: 1 });
  expect(rows('jobs')).toBe(1);
  await prune({ deadAfterMs: 0 });
  expect({ jobs: rows('jobs'), steps: rows('clock_steps') }).toEqual({ jobs: 0, steps: 0 });
});
