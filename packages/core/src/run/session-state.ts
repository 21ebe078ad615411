import type { Budget } from '../budget/budget.ts';
import type { Classification } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import type { AttemptFailure } from '../errors/retry-error.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { Cut } from './attempt.ts';
import type { Allowance, FailedOutcome } from './attempt-context.ts';
import type { Recorder } from './recorder.ts';
import type { RetryOptions } from './retry-options.ts';

/** What the steps of a session see of it: everything but its result. */
export interface SessionState {
  readonly id: string;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  readonly clock: Clock;
  /** What ends the session from outside: the caller's signal, or that of the attempt it is nested in. */
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  readonly recorder: Recorder | undefined;
  /** How often the operation has run to an end. */
  attempts: number;
  /** Failed attempts, the newest ones. */
  failures: readonly AttemptFailure[] | undefined;
  lastOutcome: FailedOutcome | undefined;
  lastDelayMs: number;
  /** Retries shared with nested sessions, once somebody shares them. */
  allowance: Allowance | undefined;
  timeLeftMs(): number;
}

/** What the steps of a session see of an attempt. */
export interface AttemptGuard {
  readonly attempt: number;
  /** What ended the attempt, if it was not the operation. */
  readonly cut: Cut | undefined;
  /** Lets go of whatever the attempt was registered with. The first thing after a failure. */
  leave(): void;
  /** Aborts the operation's signal, because the attempt was ended from outside. */
  stop(reason: unknown): void;
  /** Tells whoever guards the attempt that it failed. */
  report(failure: Classification): void;
}
