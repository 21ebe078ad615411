import { type AttemptFailure, MAX_FAILURES_KEPT } from '../errors/retry-error.ts';
import type { FailedOutcome } from './attempt-context.ts';
import type { HandedOverAttempt } from './hand-over.ts';

/**
 * A failed attempt of a session, and the one before it. All that a session remembers of its attempts hangs on the newest
 * one: a chain, because most sessions have one failure, and an array for that takes more memory than the rest.
 */
export class Failure {
  readonly attempt: number;
  readonly kind: FailedOutcome['kind'];
  /** What was thrown, or the returned value that counts as a failure. */
  readonly error: unknown;
  /** The wait that follows; 0 when none does. */
  readonly delayMs: number;
  /** For the next rung, where the session can be handed over. */
  readonly told: HandedOverAttempt | undefined;
  private earlier: Failure | undefined;

  constructor(
    attempt: number,
    outcome: FailedOutcome,
    delayMs: number,
    earlier: Failure | undefined,
    told?: HandedOverAttempt,
  ) {
    this.told = told;
    this.attempt = attempt;
    this.kind = outcome.kind;
    this.error = errorOf(outcome);
    this.delayMs = delayMs;
    this.earlier = earlier;
    // Once in a while, so that a session of a million attempts does not keep a million errors.
    if (attempt % MAX_FAILURES_KEPT === 0) this.cutTail();
  }

  get outcome(): FailedOutcome {
    return this.kind === 'error'
      ? { kind: 'error', error: this.error }
      : { kind: 'value', value: this.error };
  }

  /** The newest failures, oldest first. */
  toArray(): AttemptFailure[] {
    const newest: AttemptFailure[] = [];
    let failure: Failure | undefined = this;
    while (failure !== undefined && newest.length < MAX_FAILURES_KEPT) {
      const { attempt, error, delayMs } = failure;
      newest.push({ attempt, error, delayMs });
      failure = failure.earlier;
    }
    return newest.reverse();
  }

  /** The newest failures as the next rung is told of them, oldest first. */
  toHandOver(): HandedOverAttempt[] {
    const newest: HandedOverAttempt[] = [];
    let failure: Failure | undefined = this;
    while (failure !== undefined && newest.length < MAX_FAILURES_KEPT) {
      if (failure.told !== undefined) newest.push(failure.told);
      failure = failure.earlier;
    }
    return newest.reverse();
  }

  private cutTail(): void {
    let failure: Failure = this;
    // So many there are: each attempt before this one has failed, or there were none after it.
    for (let kept = 1; kept < MAX_FAILURES_KEPT; kept++) failure = failure.earlier as Failure;
    failure.earlier = undefined;
  }
}

/** What failed: the error, or the value that counts as one. */
export function errorOf(failed: FailedOutcome): unknown {
  return failed.kind === 'error' ? failed.error : failed.value;
}
