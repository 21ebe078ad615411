import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { JobSummary, Payload } from '../job/job.ts';
import type { ActSubject } from './act-forecast.ts';

/**
 * Queries about dead letters. Every answer is bounded: with a million dead letters it costs no more than a page. The
 * letter itself is its job: `store.job(id)`, and `deadLetterOf(job)` as an envelope.
 */
export interface DeadLetterStore {
  /**
   * Dead letters by time of death, then by id. A page reads at most `MAX_DEAD_SCAN` dead letters: it may have fewer than
   * `limit`, even none, and still a `next`. Default `limit`: 100.
   */
  deadLetters(filter: DeadFilter, page?: Partial<DeadPageRequest>): Promise<DeadPage>;
  /** The number of dead letters; stops at `atMost` (1 to `MAX_DEAD_COUNT`), and at `MAX_DEAD_SCAN` without an index. */
  countDead(filter: DeadFilter, atMost: number): Promise<BoundedCount>;
  /** The causes; the cause with the newest death comes first. Each is counted up to `MAX_DEAD_COUNT`. */
  deadGroups(filter: DeadFilter, page: DeadGroupPageRequest): Promise<DeadGroupPage>;
  /** Payloads that edits have replaced, the oldest first; at most `MAX_EARLIER_PAYLOADS` are kept, the newest. */
  earlierPayloads(id: string): Promise<readonly EarlierPayload[]>;
  /**
   * The data that acts on these jobs are decided by, of the jobs that exist, as they were at one moment. At most 1,000
   * ids. For dry runs: a read that takes no lock and writes nothing.
   */
  actSubjects(ids: readonly string[]): Promise<readonly ActSubject[]>;
}

/** Rows that one page or count looks at, where no index serves all that is asked for. */
export const MAX_DEAD_SCAN = 10_000;
export const MAX_DEAD_COUNT = 10_000;
/** Of one job. */
export const MAX_EARLIER_PAYLOADS = 10;

/** All given fields must match. */
export interface DeadFilter {
  readonly handler?: string | undefined;
  readonly queue?: string | undefined;
  readonly tenant?: string | undefined;
  readonly tag?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Id of the batch. */
  readonly batch?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly reason?: ReasonCode | undefined;
  readonly errorClass?: ErrorClass | undefined;
  /** Must be in the pattern of the letter's group; case of ASCII letters does not count. At most 200 characters. */
  readonly text?: string | undefined;
  /** Died at this time or later. */
  readonly diedAfterMs?: number | undefined;
  /** Died before this time: the cut-off of a bulk operation. */
  readonly diedBeforeMs?: number | undefined;
}

export interface DeadPageRequest {
  /** 1 to 1,000. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** Default `newest`. */
  readonly first?: 'newest' | 'oldest' | undefined;
}

export interface DeadPage {
  readonly jobs: readonly JobSummary[];
  readonly next?: string | undefined;
}

export interface BoundedCount {
  readonly count: number;
  /** There are more, or may be. */
  readonly bounded: boolean;
}

export interface DeadGroupPageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Dead letters with one cause. With `diedAfterMs` or `diedBeforeMs` in the filter, only deaths in that time count. */
export interface DeadGroup extends BoundedCount {
  readonly fingerprint: string;
  /** The name of the group, for people. */
  readonly pattern: string;
  readonly firstDiedAtMs: number;
  readonly lastDiedAtMs: number;
  /** The one that died last. */
  readonly newestId: string;
}

export interface DeadGroupPage {
  readonly groups: readonly DeadGroup[];
  readonly next?: string | undefined;
}

export interface EarlierPayload {
  /** The generation that ran with it. */
  readonly generation: number;
  readonly payload: Payload;
  readonly replacedAtMs: number;
  readonly by: string;
}
