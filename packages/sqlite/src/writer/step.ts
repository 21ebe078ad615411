import {
  type AuditEvent,
  encodeRecord,
  recordTail,
  type SetAsideJob,
} from '@redrive/durable/store';
import { stateOf } from '../job/states.ts';
import type { Lanes } from './lanes.ts';

/** What became of a job, for its record. */
export interface Recorded {
  readonly id: string;
  readonly event: AuditEvent;
  /** Places in STATES; `null`: it was not there before. */
  readonly from: number | null;
  readonly to: number;
  /** After the transition, like all that follows. */
  readonly revision: number;
  readonly token: number;
  readonly generation: number;
  readonly executions: number;
  readonly previousBlock: number;
  readonly detail: string;
}

/** One transaction under way: its time, and what it will leave in the audit log. */
export class Step {
  /** The store's time, read under the write lock. */
  readonly nowMs: number;
  /** Number of the audit block that it writes. */
  readonly block: number;
  readonly lanes: Lanes;
  /** What goes into the audit log, encoded. */
  readonly records: string[] = [];
  /** Whether something may be claimed that could not be before. */
  madeReady = false;
  finishedSome = false;
  /** Rows that cannot be read. */
  readonly setAside: SetAsideJob[] = [];
  /** Of the controls and pauses, where they were changed. */
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

  /** Notes a transition of a job. */
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

  /** Notes what is no transition of a job. */
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

/** Whether two records differ in nothing but the id: those of one claim mostly do not, nor do those of many successes. */
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
