import type { BreakerStateName } from '../breaker/breaker.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { isGivingUp } from './audit-v1.ts';
import type { AttemptStarted, BreakerChanged, RetryRecord, SessionFacts } from './record.ts';
import { correlationId, type ErrorV1, errorV1, isoTime, seconds } from './render-parts.ts';

export type EventTypeV1 =
  | 'retry_attempt'
  | 'retry_success'
  | 'retry_failure'
  | 'circuit_breaker_opened'
  | 'circuit_breaker_closed';

/** A retry event, in the shape `event/v1`. */
export interface EventV1 {
  readonly event_id: string;
  readonly event_type: EventTypeV1;
  readonly timestamp: string;
  readonly correlation_id: string;
  readonly session_id: string;
  readonly policy_id: string;
  readonly operation: string;
  /** `retry_attempt`: the attempt that starts, … */
  readonly attempt?: number;
  /** … left out where free waits have taken the session past it, … */
  readonly max_attempts?: number;
  /** … and the seconds waited before it. */
  readonly delay?: number;
  readonly error?: ErrorV1;
  readonly component: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly redrive: EventAddition;
}

/** Redrive's own additions to the shape of an event. */
export interface EventAddition {
  readonly schema_version: 'event/v1';
  readonly reason_code?: ReasonCode;
  readonly total_attempts?: number;
  readonly breaker?: string;
  readonly from?: BreakerStateName;
  readonly to?: BreakerStateName;
  readonly failure_count?: number;
}

export interface EventV1Options {
  /** An id that no other event has, e.g. `() => newId('evt', clock)`. Called only when there is an event. */
  readonly nextId: () => string;
  /** Default `retry_manager`. */
  readonly component?: string;
}

/** The fields of a session that its events carry. */
type Named = Omit<SessionFacts, 'policyHash' | 'maxAttempts'>;

/**
 * Renders a record in the shape `event/v1`: fields in a fixed order, delays in seconds. Redrive's own fields follow in
 * one `redrive` object.
 *
 * `undefined` for records without an event in this shape: first attempts and their success, results of attempts,
 * half-open breakers, answers of the ledger, and sessions that were cancelled or continue on another rung.
 */
export function toEventV1(record: RetryRecord, options: EventV1Options): EventV1 | undefined {
  const event = (
    type: EventTypeV1,
    session: Named,
    fields: Partial<EventV1>,
    context: EventV1['context'],
    addition: Omit<EventAddition, 'schema_version'>,
  ): EventV1 => ({
    event_id: options.nextId(),
    event_type: type,
    timestamp: isoTime(record.atMs),
    correlation_id: correlationId(session),
    session_id: session.sessionId,
    policy_id: session.policyId,
    operation: session.operation,
    ...fields,
    component: options.component ?? 'retry_manager',
    ...(context && { context }),
    redrive: { schema_version: 'event/v1', ...addition },
  });

  switch (record.kind) {
    case 'attempt_started':
      if (record.attempt < 2) return undefined;
      return event(
        'retry_attempt',
        record.session,
        attemptFields(record),
        attemptContext(record),
        {},
      );
    case 'session_ended': {
      const { session, success, reason, totalAttempts, error } = record;
      if (success ? totalAttempts < 2 : !isGivingUp(reason)) return undefined;
      return event(
        success ? 'retry_success' : 'retry_failure',
        session,
        error ? { error: errorV1(error) } : {},
        session.context,
        { reason_code: reason, total_attempts: totalAttempts },
      );
    }
    case 'breaker_changed': {
      const { key, from, to, failureCount } = record;
      const session: Named = record.session ?? sessionOf(record);
      if (to === 'half_open') return undefined;
      const type = to === 'open' ? 'circuit_breaker_opened' : 'circuit_breaker_closed';
      const addition = { breaker: key, from, to, failure_count: failureCount };
      return event(type, session, {}, session.context, addition);
    }
    default:
      return undefined;
  }
}

function attemptFields({ attempt, delayMs, session: { maxAttempts } }: AttemptStarted) {
  const limit = attempt <= maxAttempts && { max_attempts: maxAttempts };
  return { attempt, ...limit, delay: seconds(delayMs) };
}

function attemptContext({ session, lastError }: AttemptStarted) {
  return lastError
    ? { ...session.context, last_error: `${lastError.type}: ${lastError.message}` }
    : session.context;
}

/** The shape requires these fields also where no session changed the breaker, or the session is not known. */
function sessionOf({ key }: BreakerChanged): Named {
  return { sessionId: `breaker:${key}`, policyId: key, operation: key };
}
