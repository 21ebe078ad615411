import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { AttemptEntry } from '@redrive/core/stored';
import {
  type ShownValues,
  shownHeaders,
  shownPayload,
  shownResult,
} from '../dead-letter/redact.ts';
import type { Job, JobState, JobSummary } from '../job/job.ts';
import { type AttemptDocument, attemptDocuments } from './attempt-documents.ts';
import { subsystemOf } from './session-facts.ts';
import { iso, isoTime } from './times.ts';

/**
 * A line of a list of jobs. Times are in ISO 8601; what is absent is `null`, so that scripts can rely on every key.
 */
export interface JobSummaryDocument {
  readonly id: string;
  readonly handler: string;
  readonly subsystem: string;
  readonly state: JobState;
  readonly queue: string;
  readonly tenant: string | null;
  readonly priority: number;
  readonly tags: readonly string[];
  /** Retries because an attempt counted. Cleared by success. */
  readonly retry_count: number;
  /** `scheduled` and `parked`: when it is due. */
  readonly next_retry_at: string | null;
  /** Class of the newest failure. Cleared by success. */
  readonly error_class: ErrorClass | null;
  /** Why it is where it is. */
  readonly reason: ReasonCode | null;
  /** `parked`: what it waits for. */
  readonly cause: string | null;
  readonly submitted_at: string;
  /** The same time, under the name that runs have for it. */
  readonly submitted_date: string;
  readonly deadline: string | null;
  readonly finished_at: string | null;
  /** Rises with every requeue, from 1. */
  readonly generation: number;
  /** Attempts of this generation, the running one included. */
  readonly attempts_made: number;
  readonly worker: string | null;
  readonly cancel_requested: boolean;
  readonly session_id: string;
  readonly correlation_id: string;
  readonly policy: string | null;
  readonly unique_key: string | null;
  readonly last_error: { readonly type: string; readonly message: string } | null;
}

/** All that is known of a job: what `redrive jobs show --json` prints. */
export interface JobDocument extends JobSummaryDocument {
  /** How the attempts of this generation ended. */
  readonly account: Readonly<Record<AttemptEntry, number>>;
  /** The first one and the newest, over all generations. */
  readonly attempts: readonly AttemptDocument[];
  /** Attempts that are not in the list; the audit log has them. */
  readonly omitted_attempts: number;
  readonly lease: {
    readonly worker: string;
    readonly since: string;
    readonly until: string;
  } | null;
  /** The source that it came from. `null`: somebody enqueued it. */
  readonly origin: {
    readonly rung: string;
    readonly bus: string | null;
    readonly source: string;
  } | null;
  readonly trace_id: string | null;
  readonly idempotency_key: string;
  readonly limit_key: string | null;
  /** Version of the policy of the running or newest attempt. */
  readonly policy_hash: string | null;
  readonly max_attempts: number | null;
  readonly revision: number;
  readonly token: number;
  readonly headers: unknown;
  readonly payload: unknown;
  readonly result: unknown;
  readonly result_omitted_bytes: number | null;
}

export interface JobDocumentOptions {
  /** Default `redacted`. */
  readonly values?: ShownValues | undefined;
}

/**
 * A job with its whole life, under the names of runs, sessions and attempts. Payload, result and headers have their
 * secrets masked and are cut unless `values` asks for them in full.
 */
export function jobDocument(job: Job, options: JobDocumentOptions = {}): JobDocument {
  const { values = 'redacted' } = options;
  const { lease, attempts } = job;
  const error = attempts.kept.at(-1)?.error;
  return {
    ...jobSummaryDocument({ ...job, lastError: error }),
    policy: job.policyId ?? attempts.kept.at(-1)?.policyId ?? null,
    account: job.account.entries,
    attempts: attemptDocuments(job),
    omitted_attempts: attempts.omitted,
    lease: lease
      ? { worker: lease.worker, since: iso(lease.sinceMs), until: iso(lease.untilMs) }
      : null,
    origin: job.origin
      ? { rung: job.origin.rung, bus: job.origin.bus ?? null, source: job.origin.source }
      : null,
    trace_id: job.traceId ?? null,
    idempotency_key: job.idempotencyKey,
    limit_key: job.limitKey ?? null,
    policy_hash: lease?.policyHash ?? attempts.kept.at(-1)?.policyHash ?? null,
    max_attempts: attempts.kept.at(-1)?.maxAttempts ?? null,
    revision: job.revision,
    token: job.token,
    headers: shownHeaders(job, values),
    payload: shownPayload(job.payload, values),
    result: shownResult(job, values),
    result_omitted_bytes: job.resultOmittedBytes ?? null,
  };
}

/** A line of a list, under the same names as in `jobDocument`. */
export function jobSummaryDocument(job: JobSummary): JobSummaryDocument {
  const { id, handler, state, queue, tenant, priority, tags, account, lease, lastError } = job;
  return {
    id,
    handler,
    subsystem: subsystemOf(handler),
    state,
    queue,
    tenant: tenant === '' ? null : tenant,
    priority,
    tags,
    retry_count: job.retryCount,
    next_retry_at: isoTime(job.dueAtMs),
    error_class: job.errorClass ?? null,
    reason: job.reason ?? null,
    cause: job.cause ?? null,
    submitted_at: iso(job.submittedAtMs),
    submitted_date: iso(job.submittedAtMs),
    deadline: isoTime(job.deadlineMs),
    finished_at: isoTime(job.finishedAtMs),
    generation: account.generation,
    attempts_made: account.claims,
    worker: lease?.worker ?? null,
    cancel_requested: job.cancelRequested,
    session_id: job.sessionId,
    correlation_id: job.correlationId ?? job.sessionId,
    policy: job.policyId ?? null,
    unique_key: job.uniqueKey ?? null,
    last_error: lastError ? { type: lastError.type, message: lastError.message } : null,
  };
}
