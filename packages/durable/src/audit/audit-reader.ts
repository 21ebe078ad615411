import type { JobState } from '../job/job.ts';
import type { StoredPolicy } from '../store/store.ts';
import type { Anchor, PlacedBlock } from './anchor.ts';
import type { AuditPack } from './pack.ts';
import type { AuditedRow } from './row-facts.ts';

/**
 * A snapshot of the audit log: everything that was committed at one moment, and nothing later. So jobs and records agree
 * while other processes write. (SQLite: one read transaction. Postgres: one `REPEATABLE READ`, `READ ONLY` transaction.)
 * It returns rows unchecked, because its purpose is to verify them. Pages have at most `limit` entries; an empty page is
 * the end.
 */
export interface AuditReader {
  /** Anchors with a number above `after` (absent: all), in order. */
  anchors(after: number | undefined, limit: number): Promise<readonly Anchor[]>;
  /** The newest anchor. */
  head(): Promise<Anchor | undefined>;
  /** Packs of old blocks with a number above `after` (absent: all), in order. `blocks` and `block` unpack them. */
  packs(after: number | undefined, limit: number): Promise<readonly AuditPack[]>;
  /** Blocks behind a position (`""`: from the start), in the order of positions, sealed or not. */
  blocks(after: string, limit: number): Promise<readonly PlacedBlock[]>;
  /** One block by its sequence number, which records and jobs name it by. */
  block(seq: number): Promise<PlacedBlock | undefined>;
  /** The pointers of jobs to their newest record, for ids above `after`, ordered by id (by code point). All jobs have one. */
  lookups(after: string, limit: number): Promise<readonly JobLookup[]>;
  policy(hash: string): Promise<StoredPolicy | undefined>;
  /** Releases the snapshot. Safe to call twice. */
  close(): Promise<void>;
}

/** The values of a job's row that follow from the log. `audit verify` compares them with the log. */
export interface JobLookup {
  readonly id: string;
  readonly revision: number;
  readonly token: number;
  /** Sequence number of the block with its newest record. */
  readonly auditBlock: number;
  readonly state: JobState;
  /** Further facts of the row, where it can be read. */
  readonly row?: AuditedRow | undefined;
  /** Why the row cannot be read. */
  readonly unreadable?: string | undefined;
  /** Columns that do not follow from the others of the row, or of rows that are derived from it. */
  readonly misplaced?: readonly string[] | undefined;
}
