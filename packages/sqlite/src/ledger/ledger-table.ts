import type { DatabaseSync } from 'node:sqlite';
import { type NoteOnce, type StoredReservation, wholeMs } from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { DONE, type EncodedLedger, IN_PROGRESS, type LedgerOutcome } from './encoded-ledger.ts';

export type LedgerRow = [
  token: number,
  state: number,
  fingerprint: string,
  leaseUntil: number,
  value: string | null,
  metadata: string | null,
];

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

  /** Deletes keys whose time is over. Answers how many. */
  prune(nowMs: number, limit: number): number {
    return Number(this.#prune.run(nowMs, limit).changes);
  }
}

function written({ changes }: { readonly changes: number | bigint }): boolean {
  return Number(changes) > 0;
}
