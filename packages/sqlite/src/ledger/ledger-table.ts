import type { DatabaseSync } from 'node:sqlite';
import { type NoteOnce, type StoredReservation, wholeMs, windowKey } from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';

// A ledger's calls on their way to the writer, where they commit together with everything else.

export type EncodedLedger =
  | readonly [kind: 'reserve', key: string, fingerprint: string, leaseMs: number, keptMs: number]
  | readonly [kind: 'renew', key: string, token: number, leaseMs: number, keptMs: number]
  | readonly [
      kind: 'end',
      key: string,
      token: number,
      state: number,
      value: string | null,
      keptMs: number,
      metadata: string | null,
    ]
  | readonly [kind: 'clear', key: string];

/** A key's state is stored as its place in here. */
export const KEY_STATES = ['in_progress', 'done', 'failed'] as const;
const IN_PROGRESS = 0;
export const DONE = 1;

/** The result of a call: the answer to a reservation, or whether something was written. */
export type LedgerOutcome = StoredReservation | boolean;

/** Idempotency keys. The token is the number of the row, which no later row gets again: so tokens of a key only rise. */
export const LEDGER = `
  CREATE TABLE ledger (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    -- 0: in progress. 1: done. 2: failed.
    state INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    -- From then on it is as if it were not there. Absent: never.
    gone_at INTEGER,
    -- JSON of the result or the failure. Absent: nothing was given.
    value TEXT,
    -- JSON of what was given with a result. Absent: nothing.
    metadata TEXT
  ) STRICT;
  CREATE INDEX ledger_gone ON ledger (gone_at) WHERE gone_at IS NOT NULL;
`;

export type LedgerRow = [
  token: number,
  state: number,
  fingerprint: string,
  leaseUntil: number,
  value: string | null,
  metadata: string | null,
];

/** The job that has a unique key. */
export type KeyHolder = readonly [id: string, handler: string, tenant: string];

/** Finds a key that is there, by key and time. */
export function findKey(db: DatabaseSync): Query<LedgerRow> {
  return query(
    db,
    `SELECT token, state, fingerprint, lease_until, value, metadata FROM ledger
     WHERE key = ? AND (gone_at IS NULL OR gone_at > ?)`,
  );
}

/** The keys, on a connection that writes, inside its transaction. */
export class LedgerTable {
  readonly #find: Query<LedgerRow>;
  readonly #put: Statement;
  readonly #keep: Statement;
  readonly #hold: Statement;
  readonly #renew: Statement;
  readonly #end: Statement;
  readonly #delete: Statement;
  readonly #prune: Statement;

  constructor(db: DatabaseSync) {
    this.#find = findKey(db);
    // A row that is replaced gets a new number, and so the key a new token.
    this.#put = statement(
      db,
      `INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at)
       VALUES (?, ${IN_PROGRESS}, ?, ?, ?)`,
    );
    this.#keep = statement(
      db,
      `INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at)
       VALUES (?, ${DONE}, '', ?, ?)`,
    );
    this.#hold = statement(
      db,
      `INSERT OR REPLACE INTO ledger (key, state, fingerprint, lease_until, gone_at, value)
       VALUES (?, ${DONE}, '', ?, ?, ?)`,
    );
    const held = `token = ? AND key = ? AND state = ${IN_PROGRESS} AND (gone_at IS NULL OR gone_at > ?)`;
    this.#renew = statement(db, `UPDATE ledger SET lease_until = ?, gone_at = ? WHERE ${held}`);
    this.#end = statement(
      db,
      `UPDATE ledger SET state = ?, value = ?, metadata = ?, gone_at = ? WHERE ${held}`,
    );
    this.#delete = statement(db, 'DELETE FROM ledger WHERE key = ?');
    this.#prune = statement(
      db,
      `DELETE FROM ledger WHERE token IN (
         SELECT token FROM ledger WHERE gone_at <= ? ORDER BY gone_at LIMIT ?)`,
    );
  }

  carryOut(command: EncodedLedger, nowMs: number): LedgerOutcome {
    switch (command[0]) {
      case 'reserve': {
        const [, key, fingerprint, leaseMs, keptMs] = command;
        return this.reserve(key, fingerprint, leaseMs, keptMs, nowMs);
      }
      case 'renew': {
        const [, key, token, leaseMs, keptMs] = command;
        const untilMs = nowMs + leaseMs;
        return written(this.#renew.run(untilMs, wholeMs(untilMs + keptMs), token, key, nowMs));
      }
      case 'end': {
        const [, key, token, state, value, keptMs, metadata] = command;
        const goneMs = wholeMs(nowMs + keptMs);
        return written(this.#end.run(state, value, metadata, goneMs, token, key, nowMs));
      }
      case 'clear':
        return written(this.#delete.run(command[1]));
    }
  }

  reserve(
    key: string,
    fingerprint: string,
    leaseMs: number,
    keptMs: number,
    nowMs: number,
  ): StoredReservation {
    const row = this.#find.get(key, nowMs);
    if (row !== undefined) {
      const [, state, recordedFingerprint, leaseUntilMs, value] = row;
      if (recordedFingerprint !== fingerprint) return { state: 'conflict', recordedFingerprint };
      if (state === DONE) return { state: 'done', value };
      if (state === IN_PROGRESS && leaseUntilMs > nowMs) {
        return { state: 'in_progress', leaseLeftMs: leaseUntilMs - nowMs };
      }
    }
    const untilMs = nowMs + leaseMs;
    const { lastInsertRowid } = this.#put.run(key, fingerprint, untilMs, wholeMs(untilMs + keptMs));
    return { state: 'reserved', token: Number(lastInsertRowid) };
  }

  /** Whether this is the first note with its key. */
  isFirst({ key, forMs }: NoteOnce, nowMs: number): boolean {
    if (this.#find.get(key, nowMs) !== undefined) return false;
    this.#keep.run(key, nowMs, wholeMs(nowMs + forMs));
    return true;
  }

  /** The job that has a unique key for a time, as long as that lasts. */
  holderOf(uniqueKey: string, nowMs: number): KeyHolder | undefined {
    const value = this.#find.get(windowKey(uniqueKey), nowMs)?.[4] ?? null;
    // Written by `hold`.
    return value === null ? undefined : (JSON.parse(value) as KeyHolder);
  }

  /** Gives a unique key to a job for a time. */
  hold(uniqueKey: string, holder: KeyHolder, nowMs: number, untilMs: number): void {
    this.#hold.run(windowKey(uniqueKey), nowMs, untilMs, JSON.stringify(holder));
  }

  /** Deletes keys whose time is over. Answers how many. */
  prune(nowMs: number, limit: number): number {
    return Number(this.#prune.run(nowMs, limit).changes);
  }
}

function written({ changes }: { readonly changes: number | bigint }): boolean {
  return Number(changes) > 0;
}
