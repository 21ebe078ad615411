import type { DecisionPolicy } from '@redrive/core/stored';
import type { Anchor } from '../audit/anchor.ts';
import type { AuditBlock } from '../audit/audit-block.ts';
import type { Job, JobState, JobSummary, LeasedJob } from '../job/job.ts';
import type { FailingJob } from '../job/job-summary.ts';
import type { Progress } from '../job/progress.ts';
import type { Command, ResultsOf } from './commands.ts';

/**
 * The port of a store of jobs. It has few verbs, so that one shape serves group commit, a writer thread, the in-memory
 * model, the caller's own transaction and crash points.
 *
 * Every failure of the store itself (unreachable, locked, disk full, too slow) rejects with a `RedriveError`, code
 * `store_unavailable`, within the store's `timeoutMs`; whether a write that was under way has happened is then not
 * known. Everything that the domain refuses is a result.
 */
export interface Store {
  /** In errors, logs and `status`: `memory`, `sqlite:./redrive.db`, `postgres://host/db` without credentials. */
  readonly name: string;

  /**
   * Makes the tables, and brings those of an older version up to date. A worker does so at its start, unless `migrate`
   * is off. If nobody has, other calls reject with `store_not_found` or `schema_too_old`; on SQLite the first write
   * does it by itself. Harmless when there is nothing to do.
   */
  migrate(): Promise<void>;

  /**
   * Carries out the commands in one transaction with one audit block, in their order. Commands of several callers that
   * arrive together commit together; each promise settles after its commit is durable.
   */
  apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>>;

  /**
   * Extends leases, on a path of its own that never waits behind other work. The answer has one entry per lease, in the
   * same order.
   */
  heartbeat(leases: readonly LeaseRef[], leaseMs: number): Promise<readonly HeartbeatAnswer[]>;

  /** Leases that ran out, the oldest first: what the rescue decides about. */
  expiredLeases(limit: number, filter?: ExpiredFilter): Promise<readonly LeasedJob[]>;

  /**
   * The leases that this worker has and that have not run out, the newest first: for a worker that asked for jobs and got
   * no answer. The commit may have happened all the same.
   */
  leasesOf(worker: string, limit: number): Promise<readonly LeasedJob[]>;

  /** Whether there is anything to do: one cheap statement, for the poll of an idle worker. */
  pulse(handlers: readonly string[]): Promise<Pulse>;

  job(id: string): Promise<Job | undefined>;
  /** The jobs with these ids that are finished, for `jobs.wait`. At most 1,000 ids. */
  finished(ids: readonly string[]): Promise<readonly Job[]>;
  /** The states of the jobs with these ids; ids of no job are left out. At most 1,000 ids. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, JobState>>;
  /**
   * Jobs, the newest submission first. A page may have fewer than asked for, even none, and still a `next`: it looks at
   * `MAX_JOB_SCAN` jobs at most, so that a rare filter costs no more than a common one. Default `limit`: 100.
   */
  jobs(filter: JobFilter, page?: Partial<PageRequest>): Promise<JobPage>;
  /**
   * Unfinished jobs that have failed and will be tried again: scheduled ones by their due time, ready, leased and parked
   * ones. Looks at `atMost` jobs of each state, so that a million jobs cost no more than these.
   */
  failing(request: FailingRequest): Promise<FailingJobs>;
  counts(): Promise<Counts>;

  /** Makes policies known by their hash, for records, rescue and replay. Idempotent. */
  registerPolicies(policies: readonly StoredPolicy[]): Promise<void>;
  policy(hash: string): Promise<StoredPolicy | undefined>;
  /** How many policies are registered. Counts up to `atMost`. */
  countPolicies(atMost: number): Promise<number>;

  /** Audit blocks with a sequence number above `after`, in order. */
  auditBlocks(after: number, limit: number): Promise<readonly AuditBlock[]>;

  /**
   * Calls back when there may be something new: `ready` to claim, `finished` jobs, or another
   * `control` revision. From this process at once, from
   * others as soon as the store learns of it. Hints: they may come twice, or not at all. Answers how to stop.
   */
  watch(listener: (change: Change) => void): () => void;

  /** Wakes workers after a commit that the store did not see: one in the caller's own transaction. */
  committed(): void;

  /**
   * The position of the database's log: a replica that has replayed it shows all that was committed before this call.
   * Absent where the database has no replicas.
   */
  readToken?(): Promise<string>;

  /** Closes threads, connections and files, after the calls under way. Safe to call twice. `await using` calls it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A filter of expired leases. At most one of `handlers` and `otherThan`. Default: all. */
export interface ExpiredFilter {
  /** Of jobs of these handlers. */
  readonly handlers?: readonly string[] | undefined;
  /** Of jobs of any other handlers. */
  readonly otherThan?: readonly string[] | undefined;
  /** Only leases that ran out at least this long ago. Default 0. */
  readonly forMs?: number | undefined;
}

export interface LeaseRef {
  readonly id: string;
  readonly token: number;
  /** Kept with the lease until it ends, without an audit record. Absent: the one that it has stays. */
  readonly progress?: Progress | undefined;
}

/**
 * `held`: extended. `cancel`: extended, and somebody wants the attempt to stop. `busy`: alive, but it could not be extended
 * just now, so it ends when it would have ended. `lost`: not ours any more.
 */
export type HeartbeatAnswer = 'held' | 'cancel' | 'busy' | 'lost';

export type Change = 'ready' | 'finished' | 'control';

export interface Pulse {
  /** Whether a job of these handlers is ready (it may still be paused or held back by a limit). */
  readonly ready: boolean;
  /** Until the next scheduled or parked job or deadline comes due, 0 when one is; absent when there is none. */
  readonly nextDueInMs?: number | undefined;
  readonly expiredLeases: boolean;
  /** A sealed batch has no unfinished job any more, and has not ended. Absent: none. */
  readonly batchEnds?: true | undefined;
  /** Whether the audit log has blocks without an anchor. */
  readonly unsealed: boolean;
  /** The newest anchor of the audit log: its number, and when it was made. Absent: there is none. */
  readonly anchor?: Pick<Anchor, 'seq' | 'atMs'> | undefined;
  /** `controls().revision`. */
  readonly controlRevision: number;
  readonly nowMs: number;
}

/** All that is given must hold. */
export interface JobFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly handler?: string | undefined;
  /** Only jobs of other handlers than these. */
  readonly otherThan?: readonly string[] | undefined;
  readonly queue?: string | undefined;
  readonly tenant?: string | undefined;
  readonly tag?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Id of the batch. */
  readonly batch?: string | undefined;
  /** At or after this time. */
  readonly submittedAfterMs?: number | undefined;
  /** Before this time. */
  readonly submittedBeforeMs?: number | undefined;
}

export interface PageRequest {
  /** 1 to 1,000. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Newest submission first. Purged jobs only when asked for. */
export interface JobPage {
  readonly jobs: readonly JobSummary[];
  readonly next?: string | undefined;
}

/** States in which an unfinished job that has failed can be. */
export const FAILING_STATES = ['scheduled', 'ready', 'leased', 'parked'] as const;
export type FailingState = (typeof FAILING_STATES)[number];

export interface FailingRequest {
  /** Jobs of each state that are looked at: 1 to `MAX_FAILING_SCAN`. */
  readonly atMost: number;
  /** Only jobs of these states; `bounded` is about them alone. Default: all four. */
  readonly states?: readonly FailingState[] | undefined;
  /** Only jobs that are parked under this cause, and all of them: also those that have not failed themselves. */
  readonly cause?: string | undefined;
}

/** In no particular order. */
export interface FailingJobs {
  readonly jobs: readonly FailingJob[];
  /** There are jobs that nobody looked at. */
  readonly bounded: boolean;
}

/** Jobs that one page of `jobs` looks at, where no index serves the filter. */
export const MAX_JOB_SCAN = 20_000;

/** Jobs of one state that `failing` looks at. */
export const MAX_FAILING_SCAN = 10_000;

export interface Counts {
  readonly nowMs: number;
  readonly groups: readonly {
    readonly queue: string;
    readonly handler: string;
    readonly state: JobState;
    readonly count: number;
    /** Counting stopped here: there are more, or may be. Absent: `count` is exact. */
    readonly bounded?: true | undefined;
  }[];
  /** Counting stopped in some group: there are more jobs than the groups say. */
  readonly bounded: boolean;
  /** When the oldest ready job was submitted. */
  readonly oldestReadyAtMs?: number | undefined;
}

export interface StoredPolicy {
  readonly hash: string;
  readonly id: string;
  readonly policy: DecisionPolicy;
}
