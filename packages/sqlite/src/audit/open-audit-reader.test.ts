import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { MAX_SEGMENT_BLOCKS, positionOf } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';
import { MAX_IDLE_MS } from './open-audit-reader.ts';

const closed = { code: 'store_unavailable' };
const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
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

/** Whether the write-ahead log can be emptied: no reader is in the way. */
function canEmptyLog(): boolean {
  const db = new DatabaseSync(place.path);
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } finally {
    db.close();
  }
}

describe('a reader of the audit log', () => {
  it('stays open while it is read from, and is closed when nobody does for a minute', async () => {
    await store.apply([enqueueOf('a')]);
    const reader = await store.readAudit();
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(MAX_IDLE_MS - 1);
      expect(await reader.blocks('', 10)).toHaveLength(1);
    }
    await store.apply([enqueueOf('b')]);
    expect(canEmptyLog()).toBe(false);
    await clock.advance(MAX_IDLE_MS);
    await expect(reader.blocks('', 10)).rejects.toMatchObject(closed);
    await expect(reader.head()).rejects.toMatchObject(closed);
    expect(canEmptyLog()).toBe(true);
  });

  it('lets the write-ahead log go when it is closed', async () => {
    const reader = await store.readAudit();
    await store.apply([enqueueOf('a')]);
    expect(canEmptyLog()).toBe(false);
    await reader.close();
    await reader.close();
    await expect(reader.lookups('', 10)).rejects.toMatchObject(closed);
    expect(canEmptyLog()).toBe(true);
    expect(statSync(`${place.path}-wal`).size).toBe(0);
  });

  it('is closed with the store', async () => {
    const reader = await store.readAudit();
    await store.close();
    await expect(reader.head()).rejects.toMatchObject(closed);
    await reader.close();
    expect(canEmptyLog()).toBe(true);
  });

  it('is one of twenty at most', async () => {
    const readers = [];
    for (let n = 0; n < 20; n++) readers.push(await store.readAudit());
    await expect(store.readAudit()).rejects.toMatchObject({ ...closed, details: { open: 20 } });
    await readers[0]?.close();
    await (await store.readAudit()).close();
    for (const reader of readers) await reader.close();
  });

  it('works on threads', async () => {
    await store.close();
    store = await openMade(place.path);
    await store.apply([enqueueOf('a')]);
    const anchor = await store.seal();
    const reader = await store.readAudit();
    await store.apply([enqueueOf('b')]);
    const answer = await verifyAudit(reader, { head: anchor });
    expect([answer.problems, answer.records, answer.sealed]).toEqual([[], 1, 1]);
    await reader.close();
  });
});

describe('sealing', () => {
  it('takes a long log in parts', async () => {
    await store.apply([enqueueOf('a')]);
    const db = new DatabaseSync(place.path);
    // Leaves, so that nothing has to be chained.
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_SEGMENT_BLOCKS + 5})
      INSERT INTO audit_blocks SELECT i, 'leaf', 1, '', '', '[]' FROM n`);
    db.close();
    expect((await store.pulse([])).unsealed).toBe(true);
    expect(await store.seal()).toMatchObject({ blocks: MAX_SEGMENT_BLOCKS, from: positionOf(1) });
    expect(await store.seal()).toMatchObject({
      blocks: 5,
      from: positionOf(MAX_SEGMENT_BLOCKS + 1),
      to: positionOf(MAX_SEGMENT_BLOCKS + 5),
    });
    expect(await store.seal()).toBeUndefined();
    expect((await store.pulse([])).unsealed).toBe(false);
  });

  it('goes on where another process has sealed', async () => {
    const other = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
    for (let n = 0; n < 6; n++) {
      await (n % 2 === 0 ? store : other).apply([enqueueOf(`job-${n}`)]);
      await (n % 3 === 0 ? other : store).seal();
    }
    await other.close();
    const reader = await store.readAudit();
    const answer = await verifyAudit(reader);
    expect([answer.problems, answer.sealed, answer.head?.seq]).toEqual([[], 6, 6]);
    await reader.close();
  });

  it('waits for nobody where there is nothing to seal', async () => {
    const db = new DatabaseSync(place.path);
    db.exec('BEGIN IMMEDIATE');
    expect(await store.seal()).toBeUndefined();
    db.exec('ROLLBACK');
    db.close();
  });
});
