import type { ReasonCode } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { chargedAttempts, type SanitisedError } from '@redrive/core/stored';
import { attemptDocument } from '../documents/attempt-documents.ts';
import { subsystemOf } from '../documents/session-facts.ts';
import { iso, isoTime } from '../documents/times.ts';
import { attemptsBefore, type JobAttempt } from '../job/attempt-log.ts';
import { type Job, type Payload, rungOf } from '../job/job.ts';
import { type ErrorFingerprint, EXPIRED_GROUP } from './fingerprint.ts';
import { type ShownValues, shownHeaders, shownPayload } from './redact.ts';
import { causeWithoutRules } from './rules/cause-rules.ts';

/**
 * A dead letter: eight fields in a fixed order, and Redrive's own additions in one object `redrive`. The same for all
 * rungs. Times are ISO 8601, delays and durations are seconds. An absent value is `null`, so that scripts can rely on
 * every key.
 */
export type DeadLetterEnvelope = Readonly<ReturnType<typeof deadLetterOf>>;

export interface EnvelopeOptions {
  /** How payload and headers are shown. Default `redacted`. */
  readonly payload?: ShownValues | undefined;
}

/** The part of a dead job that its envelope shows. */
type DeadJob = Pick<Job, 'id' | 'handler' | 'queue' | 'tenant' | 'origin' | 'payload' | 'headers'> &
  Pick<Job, 'sessionId' | 'correlationId' | 'traceId' | 'idempotencyKey' | 'policyId'> &
  Pick<Job, 'account' | 'attempts' | 'reason' | 'errorClass' | 'fingerprint'> &
  Pick<Job, 'submittedAtMs' | 'deadlineMs' | 'finishedAtMs'>;

/** The envelope of a dead job. Its errors were masked and cut when they were stored. */
export function deadLetterOf(job: DeadJob, options: EnvelopeOptions = {}) {
  const { payload: shown = 'redacted' } = options;
  const { id, origin, account, reason, payload } = job;
  const { kept, omitted } = job.attempts;
  const rung = rungOf(job);
  const newest = kept.at(-1);
  // The newest attempt need not have failed: it may not even have started.
  const error: SanitisedError = kept.findLast((attempt) => attempt.error !== undefined)?.error ?? {
    type: reason ?? 'unknown',
    message: '',
  };
  const abandoned = abandonedReason(reason);
  return {
    /** The payload: in full only on request, `null` when it was asked not to be shown. */
    original_event: shownPayload(payload, shown),
    idempotency_key: job.idempotencyKey,
    /** Attempts of this generation that count, over all rungs. `redrive.executions` has all. */
    attempt_count: attemptsBefore(account) + chargedAttempts(account),
    /** `Type: message`. */
    last_error: error.message === '' ? error.type : `${error.type}: ${error.message}`,
    error_type: error.type,
    abandoned_reason: abandoned,
    service_name: origin?.source ?? subsystemOf(job.handler),
    timestamp: iso(job.finishedAtMs ?? job.submittedAtMs).replace('.000Z', 'Z'),
    redrive: {
      schema_version: 'dead-letter/v1' as const,
      id,
      session_id: job.sessionId,
      correlation_id: job.correlationId ?? job.sessionId,
      trace_id: job.traceId ?? null,
      reason_code: reason ?? null,
      /** The label of the metric that counts dead letters. */
      metric_reason: DEAD_LETTER_LABELS[abandoned],
      error_class: job.errorClass ?? null,
      // Dead letters of the same cause share it. Where the deadline passed, no error of an attempt is the cause.
      ...(job.fingerprint === EXPIRED_GROUP.fingerprint ? EXPIRED_GROUP : causeOf(job, error)),
      origin: {
        rung,
        bus: origin?.bus ?? null,
        queue: job.queue,
        handler: job.handler,
        tenant: job.tenant || null,
      },
      /** The version that the newest attempt went by. `null`: there was none. */
      policy: newest
        ? {
            id: newest.policyId ?? job.policyId ?? null,
            hash: newest.policyHash,
            max_attempts: newest.maxAttempts,
          }
        : null,
      generation: account.generation,
      executions: account.executions,
      submitted_at: iso(job.submittedAtMs),
      first_failed_at: isoTime(kept.find(isFailure)?.startedAtMs),
      deadline: isoTime(job.deadlineMs),
      attempts: kept.map((attempt) => attemptDocument(attempt, rung)),
      omitted_attempts: omitted,
      payload: { shown, kind: payload.kind, bytes: sizeOf(payload) },
      headers: shownHeaders(job, shown),
      /** The command that requeues the dead letter: the same item, in its next generation. */
      send_back: {
        id,
        /** It must still be in this one, so that nobody sends it back twice. */
        generation: account.generation,
        command: commandText`redrive dlq requeue ${id}`,
      },
    },
  };
}

/** The cause that it has, and the pattern of its own error. */
function causeOf(
  { handler, fingerprint }: DeadJob,
  { type, message, code, cause }: SanitisedError,
): ErrorFingerprint {
  const own = causeWithoutRules({ handler, type, message, code, cause });
  return { fingerprint: fingerprint ?? own.fingerprint, pattern: own.pattern };
}

function isFailure({ entry }: JobAttempt): boolean {
  return entry === 'failed' || entry === 'lease_lost';
}

function sizeOf(payload: Payload): number {
  return payload.kind === 'json' ? Buffer.byteLength(payload.text) : payload.bytes.length;
}

/** `abandoned_reason` of a dead letter. */
export type AbandonedReason = 'max_attempts_exceeded' | 'ttl_exceeded' | 'non_retryable';

/** The same as a metric labels it: `metric_reason` of a dead letter. */
export type DeadLetterLabel = 'max_attempts' | 'ttl_exceeded' | 'non_retryable';

/** Why something is given up, in one of three words: tried often enough, too late, or of no use. */
const ABANDONED: Readonly<Partial<Record<ReasonCode, AbandonedReason>>> = {
  max_attempts_exceeded: 'max_attempts_exceeded',
  allowance_exhausted: 'max_attempts_exceeded',
  lease_lost: 'max_attempts_exceeded',
  ttl_exceeded: 'ttl_exceeded',
  beyond_horizon: 'ttl_exceeded',
};

/** The `abandoned_reason` of a reason code. Reasons without a row are `non_retryable`. */
export function abandonedReason(reason: ReasonCode | undefined): AbandonedReason {
  return (reason && ABANDONED[reason]) ?? 'non_retryable';
}

export const DEAD_LETTER_LABELS: Readonly<Record<AbandonedReason, DeadLetterLabel>> = {
  max_attempts_exceeded: 'max_attempts',
  ttl_exceeded: 'ttl_exceeded',
  non_retryable: 'non_retryable',
};
