import type { OnceRequest } from '@redrive/core';
import type { CurrentAttempt } from '@redrive/core/node';
import type { EnqueueManyOptions, EnqueueOptions } from '../jobs/jobs.ts';

/** The job and its attempt, as a handler gets them. */
export interface JobContext {
  readonly jobId: string;
  readonly sessionId: string;
  readonly handler: string;
  readonly queue: string;
  readonly tenant: string;
  readonly tags: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly correlationId: string;
  readonly traceId?: string | undefined;
  /** Number of this attempt within its generation, from 1. */
  readonly attempt: number;
  /** Raised by every requeue, from 1. */
  readonly generation: number;
  /** Attempts that count, as the policy in force says. */
  readonly maxAttempts: number;
  /** The fencing token of the lease. It rises with every claim: a resource that keeps the highest one refuses the rest. */
  readonly token: number;
  /** The same for every attempt of this job. */
  readonly idempotencyKey: string;
  /**
   * Aborts at the attempt's timeout, the deadline, a lost lease, a cancellation, a kill switch that interrupts, or when a stop runs
   * out of time.
   */
  readonly signal: AbortSignal;
  /** When the time of the job is up, by the store's clock, in milliseconds since 1970; absent: never. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds until the deadline; `Infinity`: none. */
  readonly timeLeftMs: number;
  /** The error of the attempt before this one, where it failed. */
  readonly lastError?: { readonly type: string; readonly message: string } | undefined;
  /**
   * Runs an effect once per key, over all attempts, jobs and processes that use the store: answers with the recorded
   * result where there is one. See `docs/how-to/make-an-effect-happen-once.md`.
   *
   * ```ts
   * await context.once(`charge ${order.id}`, () => payments.charge(order));
   * ```
   *
   * The key is the caller's own; `context.idempotencyKey` is a good one where the job has one effect. The result is kept
   * as JSON of at most 1 MiB, for 30 days.
   *
   * Between the effect and its record is a gap: a process that dies in it leaves an effect that nobody knows of, and
   * after the lease the next attempt has it again. Three things close it: an effect in the store's own database, written
   * with `onceIn` in one transaction with its record; a remote side that takes the key too; or one that takes the token
   * that `run` gets, and refuses an older one.
   *
   * @throws RedriveError `idempotency_in_progress`, `idempotency_conflict`; `idempotency_lost`: `run` has ended well, but
   *   that could not be recorded; `payload_too_large` and `invalid_option`: the same, because the result cannot be kept as
   *   JSON, and final, because another attempt would only repeat the effect; `store_unsupported` when the store has no
   *   ledger. What `run` throws comes out as it is.
   */
  readonly once: <T>(
    key: string,
    run: (token: number) => T | PromiseLike<T>,
    options?: OnceOptions,
  ) => Promise<T>;
  /**
   * Reports how far this attempt has come: a fraction from 0 to 1, and a note of at most 1,000 bytes (longer ones are cut,
   * secrets are masked). The next heartbeat brings it to the store, which is every third of the lease; of several reports
   * in between the last one counts. It costs no write of its own and has no audit record. `redrive jobs show`, `redrive
   * jobs watch` and the console show it until the attempt ends. An event that runs before it is stored has no progress.
   *
   * ```ts
   * context.progress(0.4, 'page 4 of 10');
   * ```
   *
   * @throws RedriveError `invalid_option`: the fraction is no number from 0 to 1, or the note is no text.
   */
  readonly progress: (fraction: number, note?: string) => void;
  /**
   * Enqueues a job with this attempt: it is stored in the transaction that settles the attempt, if and only if the attempt
   * succeeds. The options are those of `jobs.enqueue`; tenant, correlation id and trace id are those of this job unless they
   * say otherwise, and times count from the settlement. An attempt enqueues at most 10,000 jobs, with payloads of 64 MiB.
   *
   * ```ts
   * context.enqueue('invoice', { order: order.id });
   * ```
   *
   * Where the store refuses the job (`onConflict: 'refuse'`, or an `id` with another payload), the attempt fails with the error
   * that `jobs.enqueue` would have thrown, and none of its jobs is stored.
   *
   * @throws RedriveError `invalid_job`, `payload_too_large`, `unknown_handler`, at once; `invalid_job` in an event that runs
   *   before it is stored, and after the attempt has ended.
   */
  readonly enqueue: (handler: string, payload?: unknown, options?: EnqueueOptions) => FollowUp;
  /** The same for many jobs of one handler: see `jobs.enqueueMany`. */
  readonly enqueueMany: <P>(
    handler: string,
    payloads: readonly P[],
    options?: EnqueueManyOptions<P>,
  ) => readonly FollowUp[];
  /**
   * For calls inside: `retry(fn, policy, { parent: context.parent })` shares this job's deadline and signal, and the count
   * of retries in this attempt. `retry` of '@redrive/core/node' finds it by itself: `currentAttempt()` is the same object.
   */
  readonly parent: CurrentAttempt;
}

/** A job that an attempt enqueues. Where an unfinished job has its unique key, that one stays, and no job has this id. */
export interface FollowUp {
  readonly id: string;
  readonly handler: string;
}

/** How long the key is held (`leaseMs`), what its parameters are, and what to do while somebody else has it. */
export type OnceOptions = Pick<OnceRequest, 'fingerprint' | 'leaseMs' | 'onInProgress' | 'waitMs'>;

/** A handler has this time to return after its signal has aborted; then the worker does not wait for it any more. */
export const ABORT_GRACE_MS = 2_000;
