import type { JobState } from '../job/job.ts';
import type { MoveEvent } from './moves.ts';

/**
 * The records of one transaction. Blocks of one writer are chained: `hash` is the SHA-256, in hex, of
 * `prevHash + '\n' + body`. A block written inside a caller's transaction is a leaf: it has no predecessor (`prevHash`
 * is `""`), because a rollback would break a chain.
 */
export interface AuditBlock {
  /** Incremented with every block of the store; a transaction that was rolled back leaves a gap. */
  readonly seq: number;
  readonly writer: string;
  readonly atMs: number;
  readonly prevHash: string;
  readonly hash: string;
  /** A JSON array of `AuditRecord`s, as arrays, and groups of them, as it was written and hashed: `recordsIn` reads it. */
  readonly body: string;
}

/**
 * One transition of a job, or a note about something else: then the id is its subject, its numbers are 0, and it
 * has no states. A body has these fields in this order, without their names, because there is one record per transition of
 * every job.
 */
export interface AuditRecord {
  readonly id: string;
  /** The job's revision after the transition; gap-free. */
  readonly revision: number;
  readonly event: AuditEvent;
  readonly from: JobState | null;
  readonly to: JobState | null;
  readonly atMs: number;
  /** After the transition. */
  readonly token: number;
  readonly generation: number;
  /** Attempts over all generations. */
  readonly executions: number;
  /** Sequence number of the block with the job's previous record; 0: none. */
  readonly previousBlock: number;
  /** Further facts: see `AuditDetail`. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export type AuditEvent = MoveEvent | NoteEvent;

/** Events of records that are not transitions of a job. */
export const NOTE_EVENTS = [
  /** A kill switch, breaker, gate, cause or bulk operation was changed: see `ControlCommand`. */
  'control',
  /** An attempt or the result of a session in process, as its `RetryRecord`; or one of version 1.0.0: see `importRecord`. */
  'session',
  /** The configuration in force changed. */
  'config',
  /** A batch was opened or sealed, or has ended. */
  'batch',
  /** A job's row could not be read and was set aside, or can be read again and was put back. */
  'set_aside',
  'put_back',
  /** Somebody looked at payloads, sessions or metrics. */
  'read',
  /** Another act of an operator. */
  'act',
] as const;

export type NoteEvent = (typeof NOTE_EVENTS)[number];
