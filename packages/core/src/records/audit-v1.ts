import type { ReasonCode } from '../decide/decision.ts';
import type { AttemptEnded, IdempotencyUsed, RetryRecord, SessionEnded } from './record.ts';
import { correlationId, isoTime, seconds } from './render-parts.ts';

/** Redrive's own additions to the shape of an audit event. */
export interface AuditAddition {
  readonly schema_version: 'audit/v1';
  readonly session_id: string;
  readonly policy_id: string;
  readonly policy_hash: string;
  readonly reason_code?: ReasonCode;
}

interface AuditEnd {
  /** `""` where the caller named none, as in the idempotency key. */
  readonly tenant_id: string;
  /** The session id where the caller named none. */
  readonly correlation_id: string;
  /** `""` where the caller named none. */
  readonly trace_id: string;
  readonly timestamp: string;
  readonly redrive: AuditAddition;
}

/** Attempt `attempt_number` failed, and another one follows after `delay_seconds`. */
export interface AuditRetryAttempt extends AuditEnd {
  readonly event_type: 'retry_attempt';
  readonly retry_category: string;
  readonly operation: string;
  readonly attempt_number: number;
  readonly max_attempts: number;
  readonly delay_seconds: number;
  readonly exception_type: string;
  readonly exception_message: string;
}

/** A session gave up; `redrive.reason_code` says why. */
export interface AuditRetryExhausted extends AuditEnd {
  readonly event_type: 'retry_exhausted';
  readonly retry_category: string;
  readonly operation: string;
  readonly total_attempts: number;
  readonly final_exception_type: string;
  readonly final_exception_message: string;
}

/** A stored result was the answer (`hit`), or one was stored (`record`). */
export interface AuditIdempotency extends AuditEnd {
  readonly event_type: 'idempotency';
  readonly retry_category: string;
  readonly operation: string;
  readonly idempotency_key: string;
  readonly action: 'hit' | 'record';
}

export type AuditEventV1 = AuditRetryAttempt | AuditRetryExhausted | AuditIdempotency;

/**
 * Renders a record in the shape `audit/v1`: fields in a fixed order, times without empty fractions, delays in seconds.
 * Redrive's own fields follow in one `redrive` object.
 *
 * `undefined` for records without an event in this shape: starts, successes, breaker changes, cancelled sessions, and
 * sessions that continue on another rung (their last attempt is a `retry_attempt`). A session that gives up is
 * `retry_exhausted` for any reason, also for a final error at the first attempt.
 */
export function toAuditV1(record: RetryRecord): AuditEventV1 | undefined {
  switch (record.kind) {
    case 'attempt_ended':
      return retryAttempt(record);
    case 'session_ended':
      return retryExhausted(record);
    case 'idempotency':
      return {
        event_type: 'idempotency',
        ...what(record),
        idempotency_key: record.key,
        action: record.action,
        ...end(record),
      };
    default:
      return undefined;
  }
}

function retryAttempt(record: AttemptEnded): AuditRetryAttempt | undefined {
  const { action, reason, delayMs } = record.decision;
  if (action === 'succeed' || action === 'give-up') return undefined;
  const error = errorOr(reason, record);
  return {
    event_type: 'retry_attempt',
    ...what(record),
    attempt_number: record.attempt,
    max_attempts: record.session.maxAttempts,
    delay_seconds: seconds(delayMs),
    exception_type: error.type,
    exception_message: error.message,
    ...end(record, reason),
  };
}

function retryExhausted(record: SessionEnded): AuditRetryExhausted | undefined {
  const { success, reason } = record;
  if (success || !isGivingUp(reason)) return undefined;
  const error = errorOr(reason, record);
  return {
    event_type: 'retry_exhausted',
    ...what(record),
    total_attempts: record.totalAttempts,
    final_exception_type: error.type,
    final_exception_message: error.message,
    ...end(record, reason),
  };
}

/** Whether a session with this reason has failed. The caller's own cancellation is not a failure. */
export function isGivingUp(reason: ReasonCode): boolean {
  return reason !== 'cancelled' && reason !== 'handed_over';
}

/** The error of a record. An attempt that was blocked, or that returned a failure, has none: its reason takes the place. */
function errorOr(type: ReasonCode, { error }: AttemptEnded | SessionEnded) {
  return error ?? { type, message: '' };
}

function what({ session }: AttemptEnded | SessionEnded | IdempotencyUsed) {
  return { retry_category: session.category ?? session.policyId, operation: session.operation };
}

function end(
  { atMs, session }: AttemptEnded | SessionEnded | IdempotencyUsed,
  reason?: ReasonCode,
): AuditEnd {
  return {
    tenant_id: session.tenantId ?? '',
    correlation_id: correlationId(session),
    trace_id: session.traceId ?? '',
    timestamp: isoTime(atMs).replace('.000Z', 'Z'),
    redrive: {
      schema_version: 'audit/v1',
      session_id: session.sessionId,
      policy_id: session.policyId,
      policy_hash: session.policyHash,
      ...(reason && { reason_code: reason }),
    },
  };
}
