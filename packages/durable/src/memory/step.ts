import type { AuditEvent, NoteEvent } from '../audit/audit-block.ts';
import { BlockRecords, NO_TRANSITION } from '../audit/encode-block.ts';
import type { RecordDetail } from '../audit/record-detail.ts';
import type { Job, JobState } from '../job/job.ts';
import { type JobEvent, type Transition, transition } from '../job/transition.ts';
import type { Change } from '../store/store.ts';
import type { JobTable } from './job-table.ts';

/** The record of a change. */
export interface RecordAs extends RecordDetail {
  readonly event: AuditEvent;
}

/** One call of `apply`: its time, its records for the audit log, and its changes. */
export class Step {
  readonly table: JobTable;
  readonly nowMs: number;
  readonly records = new BlockRecords();
  readonly changes = new Set<Change>();
  readonly #block: number;

  constructor(table: JobTable, nowMs: number, block: number) {
    this.table = table;
    this.nowMs = nowMs;
    this.#block = block;
  }

  /** Applies an event to a job, if it is legal. `more`: changes besides those of its life. */
  apply(job: Job, event: JobEvent, as: RecordAs, more: Partial<Job> = {}): Transition {
    const answer = transition(job, event, this.nowMs);
    if (!answer.ok) return answer;
    const after = { ...job, ...answer.life, ...more };
    if (answer.recorded) this.record(after, job.state, as, job.auditBlock);
    else this.#keep(after);
    return answer;
  }

  /** Keeps a job that has a new revision, with its record. `from`: null for a new one. */
  record(after: Job, from: JobState | null, as: RecordAs, previousBlock = 0): void {
    const { id, state: to, revision, token, account } = after;
    const atMs = this.nowMs;
    const { generation, executions } = account;
    const life = { revision, token, generation, executions, previousBlock };
    this.records.add({ id, from, to, atMs, ...life, ...as });
    this.#keep({ ...after, auditBlock: this.#block });
  }

  /** Takes a job away for good. */
  remove(job: Job, detail: string): void {
    const { id, state: from, token, account, auditBlock: previousBlock } = job;
    const revision = job.revision + 1;
    const atMs = this.nowMs;
    const as = { event: 'prune', detail, to: 'purged' } as const;
    const { generation, executions } = account;
    const life = { revision, token, generation, executions, previousBlock };
    this.records.add({ id, from, atMs, ...life, ...as });
    this.table.delete(id);
  }

  /** Adds a record that is not a transition of a job. */
  note(event: NoteEvent, id: string, detail: string): void {
    this.records.add({ id, event, detail, atMs: this.nowMs, ...NO_TRANSITION });
  }

  #keep(job: Job): void {
    this.table.put(job);
    if (job.finishedAtMs !== undefined) this.changes.add('finished');
    // A scheduled job is a change too: a worker that sleeps until the next due time may have to wake before.
    if (job.state === 'ready' || job.state === 'scheduled') this.changes.add('ready');
  }
}
