import type { BreakerStateName } from '../breaker/breaker.ts';
import type { Decision, DecisionInput, ReasonCode } from '../decide/decision.ts';
import type { Session } from '../run/session.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** An error as it may leave the core: no stack unless debugging, secrets and long texts cut. */
export interface SanitisedError {
  readonly type: string;
  readonly message: string;
  readonly stackTrace?: string;
  /** Stored jobs only: the error's code, or the status of an HTTP answer. */
  readonly code?: string;
  /** Stored jobs only: the name that the handler gave the cause. */
  readonly cause?: string;
}

/** The fields that all records of a session share. Times are wall-clock milliseconds, durations milliseconds. */
export interface SessionFacts {
  readonly sessionId: string;
  /** Of a policy without an id: its hash. */
  readonly policyId: string;
  /** Version hash of the policy in force. */
  readonly policyHash: string;
  readonly operation: string;
  readonly maxAttempts: number;
  /** The category of the call, or of its policy. Absent: it has none. */
  readonly category?: string | undefined;
  readonly dependency?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Absent: renderings use the session id. */
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  /** The header `traceparent` of a stored job: the span that submitted it. */
  readonly traceParent?: string | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

/** Attempt `attempt` starts, `delayMs` after the decision about the attempt before it. */
export interface AttemptStarted {
  readonly kind: 'attempt_started';
  readonly atMs: number;
  readonly session: SessionFacts;
  readonly attempt: number;
  readonly delayMs: number;
  /** The error of the attempt before it, from the second attempt on. */
  readonly lastError?: SanitisedError | undefined;
  /** Of a stored job that was parked since the attempt before: for how long. `delayMs` is an older wait then. */
  readonly parkedMs?: number | undefined;
  /** It is the probe of an open breaker. Absent: it is not. */
  readonly probe?: boolean | undefined;
}

/** A stored job was claimed, could not start its attempt, and was parked: its breaker is open, or its gate is closed. */
export interface AttemptBlocked {
  readonly kind: 'attempt_blocked';
  readonly atMs: number;
  readonly session: SessionFacts;
  readonly attempt: number;
  readonly decision: Decision;
}

/** An attempt ended and `decide` answered. Holds the inputs, so that the answer can be derived again. */
export interface AttemptEnded {
  readonly kind: 'attempt_ended';
  readonly atMs: number;
  readonly session: SessionFacts;
  /** Number on its rung, from 1. */
  readonly attempt: number;
  /** Attempts of the session on earlier rungs: sessions number through, events number within the rung. Default 0. */
  readonly attemptsBefore?: number | undefined;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The wait before this attempt. */
  readonly delayBeforeMs: number;
  readonly success: boolean;
  readonly error?: SanitisedError | undefined;
  readonly decision: Decision;
  /** Everything `decide` was given but the policy, which the hash names. */
  readonly input: Omit<DecisionInput, 'policy'>;
  /** Version of `decide`. */
  readonly decideVersion: number;
}

/** A session is over on this rung. */
export interface SessionEnded {
  readonly kind: 'session_ended';
  readonly atMs: number;
  readonly session: SessionFacts;
  readonly startedAtMs: number;
  readonly totalAttempts: number;
  readonly success: boolean;
  readonly reason: ReasonCode;
  readonly error?: SanitisedError | undefined;
}

/** A circuit breaker changed its state. */
export interface BreakerChanged {
  readonly kind: 'breaker_changed';
  readonly atMs: number;
  /** The dependency, or the policy id where none is named. */
  readonly key: string;
  readonly from: BreakerStateName;
  readonly to: BreakerStateName;
  readonly failureCount: number;
  /** The session whose outcome changed the state. Absent for in-process breakers, which serve many sessions. */
  readonly session?: SessionFacts | undefined;
  /** When the next probe may begin, of an open breaker that all processes share. Absent: not known, or none. */
  readonly nextProbeInMs?: number | undefined;
  /** The operator who forced the state. Absent: nobody did. */
  readonly forcedBy?: string | undefined;
}

/** A ledger answered with a stored result (`hit`) or stored one (`record`). */
export interface IdempotencyUsed {
  readonly kind: 'idempotency';
  readonly atMs: number;
  readonly session: SessionFacts;
  readonly key: string;
  readonly action: 'hit' | 'record';
}

/** The one internal record. `audit/v1` and `event/v1` are renderings of it. */
export type RetryRecord =
  | AttemptStarted
  | AttemptBlocked
  | AttemptEnded
  | SessionEnded
  | BreakerChanged
  | IdempotencyUsed;

/**
 * The receiver of records. The sink also sanitises errors and contexts and hashes policies, so that only programs with
 * a sink bundle that code. `syncSink`, `eventSink` and `sessionLog` create sinks.
 */
export interface EventSink {
  /** Must return at once. An error that it throws is ignored, because a listener never fails a call. */
  emit(record: RetryRecord): void;
  /** Whether it reads records of this kind. A worker of jobs makes no others. Default: it reads all. */
  wants?(kind: RetryRecord['kind']): boolean;
  /** The error as it may stand in a record. Never throws. */
  describe(error: unknown): SanitisedError;
  /** The caller's context as it may stand in `SessionFacts.context`: a bounded copy without secrets. Never throws. */
  describeContext(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Version hash of a resolved policy, for `SessionFacts.policyHash`. */
  hashPolicy(policy: object): string;
  /** Creates the recorder that emits the records of one in-process session. */
  open(session: Session<unknown>): SessionRecorder;
}
