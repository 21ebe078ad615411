import type { ParentSession } from '@redrive/core';

/** What a handler is told about its job. */
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
  /** Aborts at the attempt's timeout, the deadline, a lost lease, a cancellation, or when a stop runs out of time. */
  readonly signal: AbortSignal;
  /** When the time of the job is up, by the store's clock, in milliseconds since 1970; absent: never. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds until the deadline; `Infinity`: none. */
  readonly timeLeftMs: number;
  /** The error of the attempt before this one, where it failed. */
  readonly lastError?: { readonly type: string; readonly message: string } | undefined;
  /** For calls inside: `retry(fn, policy, { parent: context.parent })` shares this job's deadline and allowance. */
  readonly parent: ParentSession;
}
