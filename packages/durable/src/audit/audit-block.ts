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
  /** A JSON array of `AuditRecord`s and groups of them, as it was written and hashed: `recordsIn` reads it. */
  readonly body: string;
}

/**
 * One transition of a job, or a note about something else: then the id is its subject, its numbers are 0, and it
 * has no states. An array in a fixed order, because there is one per transition of every job.
 */
export type AuditRecord = readonly [
  id: string,
  /** The job's revision after the transition; gap-free. */
  revision: number,
  event: AuditEvent,
  from: JobState | null,
  to: JobState | null,
  atMs: number,
  /** After the transition. */
  token: number,
  generation: number,
  /** Attempts over all generations. */
  executions: number,
  /** Sequence number of the block with the job's previous record; 0: none. */
  previousBlock: number,
  /** Further facts: see `AuditDetail`. */
  detail: Readonly<Record<string, unknown>>,
];

export type AuditEvent = MoveEvent | NoteEvent;

/** Events of records that are not transitions of a job. */
export const NOTE_EVENTS = [
  /** A kill switch, breaker, gate, cause or bulk operation was changed: see `ControlCommand`. */
  'control',
  /** An attempt or the result of a session in process, as its `RetryRecord`; or one of version 1.0.0: see `importRecord`. */
  'session',
  /** The configuration in force changed. */
  'config',
  /** A job's row could not be read and was set aside, or can be read again and was put back. */
  'set_aside',
  'put_back',
  /** Somebody looked at payloads, sessions or metrics. */
  'read',
  /** Another act of an operator. */
  'act',
] as const;

export type NoteEvent = (typeof NOTE_EVENTS)[number];
