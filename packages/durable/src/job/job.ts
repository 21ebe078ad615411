import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { AttemptAccount, Rung, SanitisedError } from '@redrive/core/stored';
import type { AttemptLog } from './attempt-log.ts';
import type { JobPolicy } from './job-policy.ts';
import type { Progress } from './progress.ts';

/** Every state, in the order of a life. */
export const JOB_STATES = [
  'scheduled',
  'ready',
  'parked',
  'leased',
  'succeeded',
  'dead',
  'cancelled',
  'purged',
] as const;

/**
 * Where a job is in its life.
 *
 * ```
 * scheduled ─due─► ready ─claim─► leased ─┬─► succeeded
 *     ▲              ▲               │    ├─► scheduled (retry, rate-limited) │ parked (cause)
 *     │              ├── released ───┤    ├─► dead │ cancelled
 *     │              └── parked ─────┘    └─► lease expired: scheduled, or dead when exhausted
 *     └── dead ─requeue─► (generation + 1)
 * ```
 */
export type JobState = (typeof JOB_STATES)[number];

/** Nothing more happens to these by itself. */
export type FinalState = 'succeeded' | 'dead' | 'cancelled' | 'purged';

/** The input of a handler: JSON as it was written, or bytes. */
export type Payload =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** Where a job came from, if not from an enqueue: one object for all jobs of a source. */
export interface JobOrigin {
  readonly rung: Exclude<Rung, 'call'>;
  /** Name of the bus that brought it. Absent: none did. */
  readonly bus?: string | undefined;
  /** Name of the source or the schedule. `service_name` of its dead letter. */
  readonly source: string;
}

/** The rung whose attempts a job makes. */
export function rungOf({ origin }: Pick<JobSpec, 'origin'>): JobOrigin['rung'] {
  return origin?.rung ?? 'job';
}

/** The part of a job that never changes after the enqueue. (An edit of the payload starts a new generation.) */
export interface JobSpec {
  /** Unique. One that the store made sorts by time of creation. */
  readonly id: string;
  /** `jobDigest` of the enqueue, where the id is the caller's: another enqueue with the id and this digest is the same one. */
  readonly digest?: string | undefined;
  readonly handler: string;
  readonly queue: string;
  /** `""`: none. Tenants take turns. */
  readonly tenant: string;
  /** Higher first. */
  readonly priority: number;
  readonly tags: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Payload;
  /** The id of the session: the job's own id, or that of the call that was handed over. */
  readonly sessionId: string;
  /** Name of the policy, where the job names one. Otherwise the handler's. */
  readonly policyId?: string | undefined;
  /** A policy that the job has for itself, instead of a name. */
  readonly ownPolicy?: JobPolicy | undefined;
  /** Attempts that count, instead of those of its policy. Not together with `ownPolicy`, which has its own. */
  readonly maxAttempts?: number | undefined;
  /** A handler that gets a job when this one dies: see `hook.ts`. */
  readonly onDead?: string | undefined;
  /** The job whose attempt enqueued this one, or whose death it reports. */
  readonly parentId?: string | undefined;
  /** Id of the batch that counts it. */
  readonly batch?: string | undefined;
  /** At most one unfinished job has it. */
  readonly uniqueKey?: string | undefined;
  /** Jobs of a handler with the same one share a limit over all processes. */
  readonly limitKey?: string | undefined;
  /** Rates by key count the job under it. */
  readonly rateKey?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  /** The key that the handler passes on, so that an effect happens once. */
  readonly idempotencyKey: string;
  /** Absent: somebody enqueued it. */
  readonly origin?: JobOrigin | undefined;
  readonly submittedAtMs: number;
}

export interface Lease {
  readonly worker: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Version of the policy that this attempt goes by. */
  readonly policyHash: string;
  /** The claim's promise: its worker holds no other job while it holds this one. So a lost lease is charged to it. */
  readonly alone: boolean;
  /** Brought by heartbeats. Absent: the attempt has reported none. */
  readonly progress?: Progress | undefined;
}

/** The part of a job that changes, only through `transition()`. All times are the store's. */
export interface JobLife {
  readonly state: JobState;
  /** Counts recorded transitions, from 1, without a gap. */
  readonly revision: number;
  /** Every claim increments it, and so does every event after which a lease is not valid any more. A write with an older one is refused. */
  readonly token: number;
  readonly account: AttemptAccount;
  /**
   * A policy's `ttlMs` counts from here: from the first claim of this generation that was more than a look at what
   * blocks it. Before that: when the generation began.
   */
  readonly generationAtMs: number;
  /** Past it, no attempt starts. */
  readonly deadlineMs?: number | undefined;
  /** `scheduled`: when it becomes ready. `parked`: when it is released. */
  readonly dueAtMs?: number | undefined;
  /** `parked`: what it waits for. */
  readonly cause?: string | undefined;
  /** `leased` only. */
  readonly lease?: Lease | undefined;
  /** Somebody cancelled it while it was leased: its attempt gets an abort signal, and no other attempt follows. */
  readonly cancelRequested: boolean;
  /** `retry_count` of its document: retries scheduled because an attempt counted. Cleared by success. */
  readonly retryCount: number;
  /** `error_class` of its document: class of the newest failure. Cleared by success. */
  readonly errorClass?: ErrorClass | undefined;
  /** Why it is where it is. Absent until the first attempt has finished. */
  readonly reason?: ReasonCode | undefined;
  readonly attempts: AttemptLog;
  readonly finishedAtMs?: number | undefined;
  /** `dead`: dead letters of one cause share it. */
  readonly fingerprint?: string | undefined;
  /** `purged`: what it was, and becomes again when the purge is undone. */
  readonly purgedFrom?: 'succeeded' | 'dead' | 'cancelled' | undefined;
  /** `purged`: when. From then on it counts how long that can be undone. */
  readonly purgedAtMs?: number | undefined;
  /** `succeeded`: JSON of what the handler returned. Absent: nothing, or too large to be kept. */
  readonly result?: string | undefined;
  /** Size of a result that was too large to be kept; of one that is far too large, what was counted of it. */
  readonly resultOmittedBytes?: number | undefined;
}

/** A job as the store knows it. */
export interface Job extends JobSpec, JobLife {
  /** Sequence number of the audit block with its newest record. */
  readonly auditBlock: number;
}

/** A job in the hands of a worker. */
export interface LeasedJob extends Job {
  readonly state: 'leased';
  readonly lease: Lease;
}

/** A line of a list: no payload, no result. */
export type JobSummary = Omit<Job, 'payload' | 'result' | 'headers' | 'attempts'> & {
  readonly lastError?: StoredError | undefined;
};

/** An error of an attempt without its stack. */
export type StoredError = Omit<SanitisedError, 'stackTrace'>;

/** The states in which nothing more happens by itself. */
export function isFinal(state: JobState): state is FinalState {
  return state === 'succeeded' || state === 'dead' || state === 'cancelled' || state === 'purged';
}

/**
 * Whether no claim of this generation has cost anything yet. Then its time begins with the next one: time in the queue,
 * and behind a breaker or a gate, is not part of `ttlMs`.
 */
export function isFirstClaim({ claims, entries }: AttemptAccount): boolean {
  return claims === entries.blocked;
}
