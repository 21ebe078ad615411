import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OnceInOptions, onceIn } from './once-in.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
let place: Scratch;
let store: FullStore;
let db: DatabaseSync;

beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  db = new DatabaseSync(place.path);
  db.exec('CREATE TABLE effects (name TEXT)');
});

afterEach(async () => {
  if (db.isOpen) db.close();
  await store.close();
  place.remove();
});

const effects = (): unknown[] =>
  db
    .prepare('SELECT name FROM effects')
    .all()
    .map(({ name }) => name);

const effect = (name: string) => (): string => {
  db.prepare('INSERT INTO effects VALUES (?)').run(name);
  return `done ${name}`;
};

/** In a transaction that commits, or is rolled back when it throws. */
function once<T>(
  request: Parameters<typeof onceIn>[1],
  run: (token: number) => T,
  options?: OnceInOptions,
): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = onceIn(db, request, run, { clock, ...options });
    db.exec('COMMIT');
    return value;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

const refused = (code: string) => expect.objectContaining({ code });

describe('onceIn', () => {
  it('runs once per key, and answers with the stored result after that', () => {
    expect(once({ key: 'k' }, effect('first'))).toBe('done first');
    expect(once({ key: 'k' }, effect('second'))).toBe('done first');
    expect(effects()).toEqual(['first']);
  });

  it('keeps neither effect nor record when the transaction is rolled back', async () => {
    db.exec('BEGIN IMMEDIATE');
    onceIn(db, { key: 'k' }, effect('lost'), { clock });
    db.exec('ROLLBACK');
    expect(effects()).toEqual([]);
    expect(await store.ledger().look('k')).toBeUndefined();
    expect(once({ key: 'k' }, effect('kept'))).toBe('done kept');
  });

  it('keeps neither when what it runs throws, whatever becomes of the transaction', async () => {
    db.exec('BEGIN IMMEDIATE');
    db.exec("INSERT INTO effects VALUES ('other')");
    const error = new Error('no');
    const run = (): never => {
      effect('half')();
      throw error;
    };
    expect(() => onceIn(db, { key: 'k' }, run, { clock })).toThrow(error);
    db.exec('COMMIT');
    expect(effects()).toEqual(['other']);
    expect(await store.ledger().look('k')).toBeUndefined();
  });

  it('shares its keys with the ledger of the store, in both directions', async () => {
    const ledger = store.ledger();
    once({ key: 'mine' }, () => ({ sum: 3 }));
    expect(await ledger.once({ key: 'mine' }, () => 'again')).toEqual({ sum: 3 });
    await ledger.once({ key: 'theirs' }, () => null);
    expect(once({ key: 'theirs' }, effect('again'))).toBeNull();
    expect(effects()).toEqual([]);
  });

  it.each([[null], [undefined], [0], [''], [false], [{ a: [1] }]])('keeps %j', (value) => {
    once({ key: 'k' }, () => value);
    expect(once({ key: 'k' }, () => 'again')).toEqual(value);
  });

  it('does not run under a key that somebody holds, until their lease is over', async () => {
    const ledger = store.ledger();
    await ledger.reserve('k', { fingerprint: '', leaseMs: 1_000 });
    expect(() => once({ key: 'k' }, effect('early'))).toThrow(refused('idempotency_in_progress'));
    await clock.advance(1_000);
    expect(once({ key: 'k' }, effect('late'))).toBe('done late');
    expect(effects()).toEqual(['late']);
  });

  it('refuses the late result of the holder whose key it took', async () => {
    const ledger = store.ledger();
    const held = await ledger.reserve('k', { fingerprint: '', leaseMs: 1_000 });
    await clock.advance(1_000);
    let token = 0;
    once({ key: 'k' }, (given) => {
      token = given;
    });
    const old = held.state === 'reserved' ? held.token : Number.NaN;
    expect(token).toBeGreaterThan(old);
    expect(await ledger.complete('k', old, 'late')).toBe(false);
  });

  it('takes another fingerprint for a conflict', () => {
    once({ key: 'k', fingerprint: 'a' }, effect('first'));
    const again = () => once({ key: 'k', fingerprint: 'b' }, effect('second'));
    expect(again).toThrow(refused('idempotency_conflict'));
    expect(effects()).toEqual(['first']);
  });

  it('forgets the key after its retention', async () => {
    once({ key: 'k' }, effect('first'), { retentionMs: 5_000 });
    await clock.advance(4_999);
    once({ key: 'k' }, effect('second'));
    await clock.advance(1);
    once({ key: 'k' }, effect('third'));
    expect(effects()).toEqual(['first', 'third']);
  });

  it('keeps nothing of what is too large or no JSON', () => {
    const large = () => once({ key: 'k' }, () => 'x'.repeat(100), { maxValueBytes: 50 });
    expect(large).toThrow(refused('payload_too_large'));
    expect(() => once({ key: 'k' }, () => 1n)).toThrow(refused('invalid_option'));
    expect(once({ key: 'k' }, effect('small'))).toBe('done small');
  });

  it('refuses what would go on after the transaction', () => {
    const late = () => once({ key: 'k' }, async () => effect('late')());
    expect(late).toThrow(refused('invalid_option'));
    expect(effects()).toEqual([]);
    const ends = () => once({ key: 'k' }, () => db.exec('COMMIT'));
    expect(ends).toThrow(refused('not_in_transaction'));
  });

  it('cannot be nested under one key', () => {
    const nested = () => once({ key: 'k' }, () => onceIn(db, { key: 'k' }, () => 1, { clock }));
    expect(nested).toThrow(refused('idempotency_in_progress'));
    expect(once({ key: 'k' }, () => onceIn(db, { key: 'other' }, () => 2, { clock }))).toBe(2);
  });

  it('wants a transaction, a durable connection and a fitting request', () => {
    const run = effect('never');
    expect(() => onceIn(db, { key: 'k' }, run)).toThrow(refused('not_in_transaction'));
    db.exec('PRAGMA synchronous = NORMAL');
    expect(() => once({ key: 'k' }, run)).toThrow(refused('store_unsupported'));
    db.exec('PRAGMA synchronous = FULL');
    expect(() => once({ key: '' }, run)).toThrow(refused('invalid_option'));
    expect(() => once({ key: 'k' }, run, { retentionMs: 0 })).toThrow(refused('invalid_option'));
    expect(effects()).toEqual([]);
  });
});
