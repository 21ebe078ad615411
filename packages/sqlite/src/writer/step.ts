import {
  type AuditEntry,
  type AuditEvent,
  BlockRecords,
  NO_TRANSITION,
  type SetAsideJob,
} from '@redrive/durable/store';
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
