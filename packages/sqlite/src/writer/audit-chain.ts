import type { DatabaseSync } from 'node:sqlite';
import { type BlockRecords, blockHash, LEAF_WRITER } from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';

/** There is one write lock, so all processes that write to a file continue one chain. */
const CHAIN_WRITER = 'sqlite';

/** The blocks of the audit log, one per transaction. */
export class AuditChain {
  readonly #insert: Statement;
  readonly #lastSeq: Query<[seq: number | null]>;
  readonly #lastLink: Query<[hash: string]>;
  #seq = 0;
  #hash = '';
  /** The newest block that this process knows; other processes may have added later ones. */
  #knownSeq = 0;
  #isKnown = false;

  constructor(db: DatabaseSync) {
    this.#insert = statement(
      db,
      'INSERT INTO audit_blocks (seq, writer, at, prev_hash, hash, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#lastSeq = query(db, 'SELECT max(seq) FROM audit_blocks');
    this.#lastLink = query(
      db,
      `SELECT hash FROM audit_blocks WHERE seq > ? AND writer <> '${LEAF_WRITER}' ORDER BY seq DESC LIMIT 1`,
    );
  }

  /** Number of the block that this transaction writes. Read under the write lock, so no other process can use it. */
  next(): number {
    if (!this.#isKnown) {
      this.#seq = this.#lastSeq.get()?.[0] ?? 0;
      this.#hash = this.#lastLink.get(this.#knownSeq)?.[0] ?? this.#hash;
      this.#knownSeq = this.#seq;
      this.#isKnown = true;
    }
    return this.#seq + 1;
  }

  /** Writes the block of this transaction, after the newest one. */
  append({ body }: BlockRecords, atMs: number): void {
    const hash = blockHash(this.#hash, body);
    this.#insert.run(this.#seq + 1, CHAIN_WRITER, atMs, this.#hash, hash, body);
    this.#seq += 1;
    this.#hash = hash;
    this.#knownSeq = this.#seq;
  }

  /** Writes a block in the caller's transaction: a leaf outside the chain, because that transaction may roll back. */
  appendLeaf({ body }: BlockRecords, atMs: number): void {
    this.#insert.run(this.next(), LEAF_WRITER, atMs, '', blockHash('', body), body);
    this.#isKnown = false;
  }

  /** Other processes have written: the head of the chain must be read again. */
  refresh(): void {
    this.#isKnown = false;
  }

  /** The transaction was rolled back. */
  forget(): void {
    this.#isKnown = false;
    this.#knownSeq = 0;
    this.#hash = '';
  }
}
