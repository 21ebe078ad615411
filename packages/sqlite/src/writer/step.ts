import {
  type AuditEvent,
  encodeRecord,
  recordTail,
  type SetAsideJob,
} from '@redrive/durable/store';
import { stateOf } from '../job/states.ts';
import type { Lanes } from './lanes.ts';

/** A transition of a job, for its audit record. */
export interface Recorded {
  readonly id: string;
  readonly event: AuditEvent;
  /** Indexes into STATES; `null`: the job did not exist before. */
  readonly from: number | null;
  readonly to: number;
  /** After the transition, like all fields below. */
  readonly revision: number;
  readonly token: number;
  readonly generation: number;
  readonly executions: number;
  readonly previousBlock: number;
  readonly detail: string;
}

/** A running transaction: its time, and its records for the audit log. */
export class Step {
  /** The store's time, read under the write lock. */
  readonly nowMs: number;
  /** Number of the audit block that it writes. */
  readonly block: number;
  readonly lanes: Lanes;
  /** The records for the audit log, encoded. */
  readonly records: string[] = [];
  /** Whether jobs can be claimed that could not be claimed before. */
  madeReady = false;
  finishedSome = false;
  /** Rows that cannot be read. */
  readonly setAside: SetAsideJob[] = [];
  /** The new revision of control documents and pauses, if they were changed. */
  controlRevision: number | undefined;
  readonly #audited: boolean;
  #last: Recorded | undefined;
  #lastTail = '';

  constructor(nowMs: number, block: number, lanes: Lanes, audited: boolean) {
    this.nowMs = nowMs;
    this.block = block;
    this.lanes = lanes;
    this.#audited = audited;
  }

  /** Records a transition of a job. */
  record(what: Recorded): void {
    if (!this.#audited) return;
    if (this.#last === undefined || !isAlike(this.#last, what)) this.#lastTail = this.#tailOf(what);
    this.#last = what;
    this.records.push(encodeRecord(what.id, this.#lastTail));
  }

  #tailOf(what: Recorded): string {
    const { event, from, to, revision, token, generation, executions, previousBlock, detail } =
      what;
    return recordTail({
      event,
      from: from === null ? null : stateOf(from),
      to: stateOf(to),
      atMs: this.nowMs,
      revision,
      token,
      account: { generation, executions },
      previousBlock,
      detail,
    });
  }

  /** Records a note, which is not a transition of a job. */
  note(event: AuditEvent, subject: string, detail: string): void {
    if (!this.#audited) return;
    const tail = recordTail({
      event,
      from: null,
      to: null,
      atMs: this.nowMs,
      revision: 0,
      token: 0,
      account: { generation: 0, executions: 0 },
      previousBlock: 0,
      detail,
    });
    this.records.push(encodeRecord(subject, tail));
  }
}

/** Whether two records differ only in the id, as most records of one claim and of many successes do. */
function isAlike(a: Recorded, b: Recorded): boolean {
  return (
    a.previousBlock === b.previousBlock &&
    a.detail === b.detail &&
    a.event === b.event &&
    a.revision === b.revision &&
    a.token === b.token &&
    a.executions === b.executions &&
    a.generation === b.generation &&
    a.from === b.from &&
    a.to === b.to
  );
}
