import type { Classification, Effect, ErrorClass } from '../classify/classification.ts';
import { statusOf } from '../classify/error-facts.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { isRedriveError, RedriveError } from './redrive-error.ts';

/** One failed attempt of a `RetryError`. */
export interface AttemptFailure {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The thrown error, or the returned value that counted as a failure. */
  readonly error: unknown;
  /** The wait that followed; 0 after the last attempt. */
  readonly delayMs: number;
}

/** A `RetryError` keeps this number of failures, the newest. */
export const MAX_FAILURES_KEPT = 100;

/** Why the next rung did not take a session. */
export interface HandOverFailure {
  readonly handler: string;
  readonly handOverError: unknown;
}

/** The facts about a session that gave up. */
export interface GiveUp {
  readonly reason: ReasonCode;
  readonly operation: string;
  /** Names the call in the message where `operation` is the default policy. */
  readonly dependency?: string | undefined;
  readonly category: string;
  readonly sessionId: string;
  readonly attempts: readonly AttemptFailure[];
  readonly totalAttempts: number;
  /** How many attempts the policy allows. */
  readonly maxAttempts: number;
  /** Time since the first attempt failed. How long that attempt took is unknown: its call reads no clock before it. */
  readonly failingMs: number;
  readonly retryAt?: Date | undefined;
  /** How the last failed attempt was classified. Absent: no attempt was made. */
  readonly failure?: Classification | undefined;
  /** Becomes the `details`. */
  readonly handOverFailure?: HandOverFailure | undefined;
}

/**
 * A session gave up. `cause` is the last error exactly as it was thrown; `attempts` has every attempt. An outer session
 * treats it as final, so that nested retries do not multiply.
 */
export class RetryError extends RedriveError {
  override readonly name = 'RetryError';
  override readonly code: 'retry_gave_up' = 'retry_gave_up';
  readonly reason: ReasonCode;
  readonly operation: string;
  /** The retry category, or the policy's id. */
  readonly category: string;
  readonly sessionId: string;
  /** One entry per failed attempt, the newest 100. */
  readonly attempts: readonly AttemptFailure[];
  /** The number of attempts. */
  readonly totalAttempts: number;
  /** The time at which another attempt could succeed, if it is known. */
  readonly retryAt: Date | undefined;
  /** The class of the last failed attempt. `undefined`: no attempt was made. */
  readonly errorClass: ErrorClass | undefined;
  readonly effect: Effect | undefined;
  /** The wait that the dependency asked for in its last answer. Never the session's own back-off. */
  readonly retryAfterMs: number | undefined;

  constructor(giveUp: GiveUp, cause: unknown) {
    super('retry_gave_up', messageOf(giveUp, cause), { ...giveUp.handOverFailure }, { cause });
    this.reason = giveUp.reason;
    this.operation = giveUp.operation;
    this.category = giveUp.category;
    this.sessionId = giveUp.sessionId;
    this.attempts = giveUp.attempts;
    this.totalAttempts = giveUp.totalAttempts;
    this.retryAt = giveUp.retryAt;
    this.errorClass = giveUp.failure?.errorClass;
    this.effect = giveUp.failure?.effect;
    this.retryAfterMs = giveUp.failure?.retryAfterMs;
  }
}

/** `Gave up on payments.charge after 4 of 4 attempts, failing for 1.8 s (max_attempts_exceeded): HTTP 503 Service Unavailable` */
function messageOf(giveUp: GiveUp, cause: unknown): string {
  const { reason, operation, dependency, totalAttempts, maxAttempts, failingMs } = giveUp;
  const name = operation === 'default' ? dependency : operation;
  const did = reason === 'handed_over' ? 'Handed over' : name ? 'Gave up on' : 'Gave up';
  const failing = totalAttempts > 1 ? `, failing for ${durationText(failingMs)}` : '';
  const after =
    totalAttempts === 0
      ? 'before the first attempt'
      : `after ${totalAttempts} of ${maxAttempts} attempt${maxAttempts === 1 ? '' : 's'}${failing}`;
  const { handOverFailure: failed } = giveUp;
  const handOver = failed
    ? `; the hand-over to ${failed.handler} failed${causeText(failed.handOverError)}`
    : '';
  return `${did}${name ? ` ${name}` : ''} ${after} (${reason})${causeText(cause)}${handOver}`;
}

function durationText(ms: number): string {
  if (ms < 1_000) return `${ms.toFixed()} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** The status and the error. Of a returned value only its status, because the value may be secret. */
function causeText(cause: unknown): string {
  try {
    const status = statusOf(cause);
    const text = cause instanceof Error ? cause.message || cause.name : statusText(cause);
    const known = status === undefined || text.includes(String(status)) ? '' : `HTTP ${status}`;
    const parts = [known, text].filter(Boolean);
    return parts.length > 0 ? `: ${parts.join(' ')}` : '';
  } catch {
    // A value that throws when it is looked at, such as a revoked proxy.
    return '';
  }
}

function statusText(value: unknown): string {
  const text: unknown = Object(value).statusText;
  return typeof text === 'string' ? text : '';
}

/** Whether a thrown value is a session's give-up, and one for this reason if a reason is given. */
export function isRetryError(error: unknown, reason?: ReasonCode): error is RetryError {
  if (!isRedriveError(error, 'retry_gave_up')) return false;
  return reason === undefined || ('reason' in error && error.reason === reason);
}
