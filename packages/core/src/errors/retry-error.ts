import type { Classification, Effect, ErrorClass } from '../classify/classification.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { isRedriveError, RedriveError } from './redrive-error.ts';

/** One failed attempt, as a `RetryError` tells it. */
export interface AttemptFailure {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** What it threw, or the returned value that counted as a failure. */
  readonly error: unknown;
  /** The wait that followed; 0 after the last attempt. */
  readonly delayMs: number;
}

/** How many failures a `RetryError` keeps: the newest. */
export const MAX_FAILURES_KEPT = 100;

/** What a session gave up with. */
export interface GiveUp {
  readonly reason: ReasonCode;
  readonly operation: string;
  readonly category: string;
  readonly sessionId: string;
  readonly attempts: readonly AttemptFailure[];
  readonly totalAttempts: number;
  readonly retryAt?: Date | undefined;
  /** How the last failed attempt was classified. Absent: no attempt was made. */
  readonly failure?: Classification | undefined;
}

/**
 * The operation was given up. `cause` is the last error exactly as it was thrown; `attempts` tells the whole story. An
 * outer session takes it as final, so that nested retries do not multiply.
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
  /** How often the operation ran. */
  readonly totalAttempts: number;
  /** When another try would have been worth it, where that is known. */
  readonly retryAt: Date | undefined;
  /** What the last failed attempt was classified as. `undefined`: no attempt was made. */
  readonly errorClass: ErrorClass | undefined;
  readonly effect: Effect | undefined;
  /** How long the other side asked to stay away, in its last answer. Never the session's own back-off. */
  readonly retryAfterMs: number | undefined;

  constructor(giveUp: GiveUp, cause: unknown) {
    const { reason, operation, totalAttempts } = giveUp;
    const times = totalAttempts === 1 ? '1 attempt' : `${totalAttempts} attempts`;
    const last = messageOf(cause);
    super('retry_gave_up', `${operation} gave up after ${times} (${reason})${last}`, {}, { cause });
    this.reason = reason;
    this.operation = operation;
    this.category = giveUp.category;
    this.sessionId = giveUp.sessionId;
    this.attempts = giveUp.attempts;
    this.totalAttempts = totalAttempts;
    this.retryAt = giveUp.retryAt;
    this.errorClass = giveUp.failure?.errorClass;
    this.effect = giveUp.failure?.effect;
    this.retryAfterMs = giveUp.failure?.retryAfterMs;
  }
}

function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? `: ${cause.message}` : '';
  } catch {
    // A value that throws when it is looked at, such as a revoked proxy.
    return '';
  }
}

/** Whether a thrown value is a session's give-up, and one for this reason if a reason is given. */
export function isRetryError(error: unknown, reason?: ReasonCode): error is RetryError {
  if (!isRedriveError(error, 'retry_gave_up')) return false;
  return reason === undefined || ('reason' in error && error.reason === reason);
}
