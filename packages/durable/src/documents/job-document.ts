import { chargedAttempts } from '@redrive/core/stored';
import { hookId } from '../dead-letter/hook.ts';
import {
  type ShownValues,
  shownHeaders,
  shownPayload,
  shownResult,
} from '../dead-letter/redact.ts';
import { MAX_KEPT_ENQUEUED } from '../job/attempt-log.ts';
import type { Job, JobSummary } from '../job/job.ts';
import { jobPolicyHash } from '../job/job-policy.ts';
import type { Progress } from '../job/progress.ts';
import { lossesOf } from '../job/suspects.ts';
import { attemptDocuments } from './attempt-documents.ts';
import { subsystemOf } from './session-facts.ts';
import { iso, isoTime } from './times.ts';

export interface JobDocumentOptions {
  /** Default `redacted`. */
  readonly values?: ShownValues | undefined;
}

/**
 * A job with its whole life, under the names of runs, sessions and attempts. Payload, result and headers have their
 * secrets masked and are cut unless `values` asks for them in full.
 */
export function jobDocument(job: Job, options: JobDocumentOptions = {}) {
  const { values = 'redacted' } = options;
  const { lease, attempts, origin, account } = job;
  const newest = attempts.kept.at(-1);
  return {
    ...jobSummaryDocument({ ...job, lastError: newest?.error }),
    policy: job.policyId ?? newest?.policyId ?? null,
    /** The policy that the job itself names, or the version of the one that it has for itself. */
    own_policy: job.policyId ?? jobPolicyHash(job.ownPolicy) ?? null,
    /** Its own number of attempts. */
    own_max_attempts: job.maxAttempts ?? null,
    /** How the attempts of this generation ended. */
    account: account.entries,
    /** Attempts of all generations and rungs. */
    executions: account.executions,
    /** Attempts of this generation that count towards the limit, the one that succeeded included. */
    charged: chargedAttempts(account) + account.entries.succeeded,
    /** Leases that it lost in a row. */
    losses: lossesOf(account),
    /** The first one and the newest, over all generations. */
    attempts: attemptDocuments(job),
    /** Attempts that are not in the list; the audit log has them. */
    omitted_attempts: attempts.omitted,
    lease: lease
      ? {
          ...{ worker: lease.worker, since: iso(lease.sinceMs), until: iso(lease.untilMs) },
          alone: lease.alone,
          /** Of the running attempt, from `context.progress`. `null`: it has reported none. */
          progress: lease.progress ? progressDocument(lease.progress) : null,
        }
      : null,
    /** The source that it came from. `null`: somebody enqueued it. */
    origin: origin ? { rung: origin.rung, bus: origin.bus ?? null, source: origin.source } : null,
    trace_id: job.traceId ?? null,
    /** The job whose attempt enqueued this one. `null`: none did. */
    parent_id: job.parentId ?? null,
    /** The handler that gets a job when this one dies. */
    on_dead: job.onDead ?? null,
    /** Jobs that its attempts have enqueued, and the hooks of its deaths. */
    leads_to: leadsTo(job),
    idempotency_key: job.idempotencyKey,
    limit_key: job.limitKey ?? null,
    /** Version of the policy of the running or newest attempt. */
    policy_hash: lease?.policyHash ?? newest?.policyHash ?? null,
    max_attempts: newest?.maxAttempts ?? null,
    revision: job.revision,
    token: job.token,
    headers: shownHeaders(job, values),
    payload: shownPayload(job.payload, values),
    result: shownResult(job, values),
    result_omitted_bytes: job.resultOmittedBytes ?? null,
  };
}

/** The number of jobs that its attempts have enqueued or its deaths have left, and ids of the first ones. */
function leadsTo(job: Job) {
  const all = job.attempts.kept.flatMap(({ enqueued }) => enqueued ?? []);
  const hooks = hooksOf(job);
  return {
    count: all.reduce((sum, { count }) => sum + count, hooks.length),
    ids: [...hooks, ...all.flatMap(({ ids }) => ids)].slice(0, MAX_KEPT_ENQUEUED),
  };
}

/** A death is the end of the last attempt of a generation; one by the deadline leaves no attempt. */
function hooksOf({ id, onDead, state, account, attempts }: Job): readonly string[] {
  if (onDead === undefined) return [];
  const died = attempts.kept.filter(
    ({ action, reason }) => action === 'give-up' && reason !== 'cancelled',
  );
  const generations = new Set(died.map(({ generation }) => generation));
  if (state === 'dead') generations.add(account.generation);
  return [...generations].map((generation) => hookId(id, generation));
}

export function progressDocument({ fraction, note, sinceMs }: Progress) {
  return { fraction, note: note ?? null, since: iso(sinceMs) };
}

/**
 * A line of a list, under the same names as in `jobDocument`. Times are in ISO 8601; an absent value is `null`, so that
 * scripts can rely on every key.
 */
export function jobSummaryDocument(job: JobSummary) {
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
    /** Retries because an attempt counted. Cleared by success. */
    retry_count: job.retryCount,
    /** `scheduled` and `parked`: when it is due. */
    next_retry_at: isoTime(job.dueAtMs),
    /** Class of the newest failure. Cleared by success. */
    error_class: job.errorClass ?? null,
    /** The reason of its state. */
    reason: job.reason ?? null,
    /** `parked`: the cause that it waits for. */
    cause: job.cause ?? null,
    submitted_at: iso(job.submittedAtMs),
    /** The same time, under the name that runs have for it. */
    submitted_date: iso(job.submittedAtMs),
    deadline: isoTime(job.deadlineMs),
    finished_at: isoTime(job.finishedAtMs),
    /** Incremented by every requeue, from 1. */
    generation: account.generation,
    /** Attempts of this generation, the running one included. */
    attempts_made: account.claims,
    worker: lease?.worker ?? null,
    cancel_requested: job.cancelRequested,
    session_id: job.sessionId,
    correlation_id: job.correlationId ?? job.sessionId,
    policy: job.policyId ?? null,
    batch: job.batch ?? null,
    unique_key: job.uniqueKey ?? null,
    last_error: lastError ? { type: lastError.type, message: lastError.message } : null,
  };
}
