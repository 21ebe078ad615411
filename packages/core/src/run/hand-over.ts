import type { ErrorClass } from '../classify/classification.ts';
import type { AttemptAccount } from '../decide/account.ts';
import type { ReasonCode } from '../decide/decision.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';

/** The port to the next rung of the ladder. Durable stores implement it. */
export interface HandOver {
  /** Stores the work; once it resolves, the work is safe. Should settle within its own timeout. */
  handOver(work: HandedOverWork): Promise<void>;
}

/** A session that goes on elsewhere: the same id, account and deadline. */
export interface HandedOverWork {
  readonly sessionId: string;
  readonly operation: string;
  readonly policyId: string;
  /** Who takes it up, and with what. */
  readonly handler: string;
  readonly payload: unknown;
  /** Wait before the next attempt. */
  readonly delayMs: number;
  /** Time left until the session's deadline. `Infinity`: none. */
  readonly timeLeftMs: number;
  /** The account to go on with. A call's is new, because attempts are limited per rung; only its executions go on. */
  readonly account: AttemptAccount;
  /** The rung that hands over. */
  readonly rung: 'call';
  /** The policy in force there: its `maxAttempts`, and what its hash is made of. */
  readonly policy: ResolvedPolicy;
  /** The attempts so far, oldest first: the first one and the newest, 100 at most. */
  readonly attempts: readonly HandedOverAttempt[];
  readonly totalAttempts: number;
  readonly tenantId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly idempotencyKey: string;
  readonly lastError: unknown;
}

/** A failed attempt of a session that is handed over. */
export interface HandedOverAttempt {
  /** Number of the attempt on its rung, from 1. */
  readonly attempt: number;
  /** Wall-clock time. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The wait before this attempt. */
  readonly delayBeforeMs: number;
  /** The wait that followed; after the last one, the wait that is handed over. */
  readonly delayMs: number;
  readonly errorClass: ErrorClass;
  readonly reason: ReasonCode;
  /** The thrown error, or the returned value that counted as a failure. */
  readonly error: unknown;
}

/** What a call says about how its work can be stored. */
export interface HandOverOption {
  readonly to: HandOver;
  readonly handler: string;
  readonly payload: unknown;
}
