import type { Effect, ErrorClass } from '../classify/classification.ts';
import { untilAlarm } from '../clock/alarm.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { type HandOverFailure, MAX_FAILURES_KEPT } from '../errors/retry-error.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { Failure, Session } from '../run/session.ts';

/** The port to the next rung of the ladder. Durable stores implement it. */
export interface HandOver {
  /** Stores the work; once it resolves, the work is safe. Should settle within its own timeout. */
  handOver(work: HandedOverWork): Promise<void>;
  /** Throws where such work could never be stored: its ids, its handler or its payload are refused. */
  check?(work: HandedOverWork): void;
}

/** A session that goes on elsewhere: the same ids, history and deadline. */
export interface HandedOverWork {
  readonly sessionId: string;
  readonly operation: string;
  readonly policyId: string;
  /** The handler that does the work there, and its payload. */
  readonly handler: string;
  readonly payload: unknown;
  /** Wait before the next attempt. */
  readonly delayMs: number;
  /** Time left until the session's deadline. `Infinity`: none. */
  readonly timeLeftMs: number;
  /** The rung that hands over. */
  readonly rung: 'call' | 'event';
  /** The policy in force there: its `maxAttempts`, and what its hash is made of. */
  readonly policy: ResolvedPolicy;
  /** The attempts so far, oldest first: the first one and the newest, 100 at most. */
  readonly attempts: readonly HandedOverAttempt[];
  /** How often the operation ran. The next rung counts its attempts anew, and its executions go on from here. */
  readonly totalAttempts: number;
  readonly tenantId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  /** Headers of the stored job, such as a trace. Default none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
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
  readonly effect: Effect;
  /** The wait that the dependency asked for, if it did. */
  readonly retryAfterMs?: number | undefined;
  readonly reason: ReasonCode;
  /** The thrown error, or the returned value that counted as a failure. */
  readonly error: unknown;
}

/** How the work of a call can be stored. */
export interface HandOverOption {
  readonly to: HandOver;
  readonly handler: string;
  readonly payload: unknown;
}

/** How long the next rung may take to accept a session. */
const HAND_OVER_TIMEOUT_MS = 30_000;

/** Gives the session to the next rung. A session that it does not take is given up; the answer says why not. */
export async function handOver<T>(
  session: Session<T>,
  delayMs: number,
): Promise<HandOverFailure | undefined> {
  // `decide` hands over only where the call said how.
  const { to, handler } = session.options.handOver as HandOverOption;
  const store = () => to.handOver(workOf(session, delayMs));
  try {
    await untilAlarm(session.clock, HAND_OVER_TIMEOUT_MS, false, undefined, store, noAnswer);
    return undefined;
  } catch (handOverError) {
    return { handler, handOverError };
  }
}

const noAnswer = () => new Error('No answer within 30 s');

function workOf<T>(session: Session<T>, delayMs: number): HandedOverWork {
  const { id: sessionId, operationName: operation, options, policy, failures } = session;
  const { handler, payload } = options.handOver as HandOverOption; // As above.
  const { attempt: totalAttempts, error: lastError } = session.lastFailure as Failure; // It asked for the wait.
  const { tenantId, correlationId, traceId, idempotencyKey = sessionId } = options;
  const attempts = failures.map(({ kind: _, before, ...attempt }) => ({
    ...attempt,
    delayBeforeMs: before?.delayMs ?? 0,
    delayMs: attempt.attempt === totalAttempts ? delayMs : attempt.delayMs,
  }));
  // The session keeps one more than that, so that the wait before the second one is known.
  if (attempts.length > MAX_FAILURES_KEPT) attempts.splice(1, 1);
  return {
    sessionId,
    operation,
    policyId: policy.id,
    handler,
    payload,
    delayMs,
    timeLeftMs: session.timeLeftMs(),
    rung: 'call',
    policy,
    attempts,
    totalAttempts,
    tenantId,
    correlationId,
    traceId,
    idempotencyKey,
    lastError,
  };
}
