import type { Budget } from '../budget/budget.ts';
import type { Classification } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { Attempt } from './attempt.ts';
import type { RetryCounter } from './attempt-context.ts';
import type { Failure } from './failure.ts';
import type { RetryOptions } from './retry-options.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** What the steps of a session see of it: everything but its result. */
export interface SessionState {
  readonly id: string;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  readonly clock: Clock;
  /** What ends the session from outside: the caller's signal, or that of the attempt it is nested in. */
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  readonly recorder: SessionRecorder | undefined;
  /** How it was classified. */
  lastClassification: Classification | undefined;
  /** The newest failed attempt, which knows the ones before it. */
  lastFailure: Failure | undefined;
  /** Counts retries together with nested sessions, once there are some. */
  retries: RetryCounter | undefined;
  timeLeftMs(): number;
}

/** What the steps of a session see of an attempt. */
export type ConcludedAttempt = Pick<Attempt<never>, 'attempt' | 'cut' | 'fail' | 'report'>;
