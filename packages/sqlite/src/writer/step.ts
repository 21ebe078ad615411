import type { DatabaseSync } from 'node:sqlite';
import {
  type AuditEntry,
  type AuditEvent,
  BlockRecords,
  blockHash,
  LEAF_WRITER,
  NO_TRANSITION,
  type SetAsideJob,
} from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { stateOf } from '../job/states.ts';
import type { Lanes } from './lanes.ts';

/** A transition of a job, for its audit record. */
export interface Recorded extends Omit<AuditEntry, 'from' | 'to' | 'atMs'> {
  /** Indexes into STATES; `null`: the job did not exist before. */
  readonly from: number | null;
  readonly to: number;
}

/** A running transaction: its time, and its records for the audit log. */
export class Step {
  /** The store's time, read under the write lock. */
  readonly nowMs: number;
  /** Number of the audit block that it writes. */
  readonly block: number;
  readonly lanes: Lanes;
  /** The records for the audit log. */
  readonly records = new BlockRecords();
  /** Whether jobs can be claimed that could not be claimed before. */
  madeReady = false;
  finishedSome = false;
  /** Rows that cannot be read. */
  readonly setAside: SetAsideJob[] = [];
  /** The new revision of control documents, if they were changed. */
  controlRevision: number | undefined;
  readonly #audited: boolean;

  constructor(nowMs: number, block: number, lanes: Lanes, audited: boolean) {
    this.nowMs = nowMs;
    this.block = block;
    this.lanes = lanes;
    this.#audited = audited;
  }

  /** Records a transition of a job. */
  record(what: Recorded): void {
    if (!this.#audited) return;
    const { id, event, from, revision, token, generation, executions, previousBlock } = what;
    this.records.add({
      id,
      event,
      from: from === null ? null : stateOf(from),
      to: stateOf(what.to),
      atMs: this.nowMs,
      revision,
      token,
      generation,
      executions,
      previousBlock,
      detail: what.detail,
      own: what.own,
    });
  }

  /** Records a note, which is not a transition of a job. */
  note(event: AuditEvent, subject: string, detail: string): void {
    if (!this.#audited) return;
    this.records.add({ id: subject, event, atMs: this.nowMs, detail, ...NO_TRANSITION });
  }
}

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
