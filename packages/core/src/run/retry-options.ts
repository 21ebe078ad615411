import type { Breaker } from '../breaker/breaker.ts';
import type { Budget } from '../budget/retry-budget.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import { ignoreRejection } from '../classify/answer-of.ts';
import type { ErrorClass } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import {
  type FieldProblem,
  problem,
  refuse,
  shownValue,
  suggestName,
} from '../fields/check-fields.ts';
import type { HandOverOption } from '../hand-over/hand-over.ts';
import type { OnceLedger } from '../ledger/ledger.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { EventSink } from '../records/record.ts';
import type { ParentSession } from './attempt-context.ts';

/** The options of one call. All optional. */
export interface RetryOptions {
  /** Ends the call at once, in an attempt or in a wait. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Names the operation in records and errors. Default: the policy's id. */
  readonly operation?: string | undefined;
  /** Where records of attempts and sessions go. Default: nowhere. */
  readonly events?: EventSink | undefined;
  /** Guards each attempt. Needed where the policy has `enableCircuitBreaker`. */
  readonly breaker?: Breaker | undefined;
  /** Default: the budget of the policy's `dependency`; none if the policy names no dependency. `false`: none. */
  readonly budget?: Budget | false | undefined;
  /** Limits how many attempts run at once. Default: none. */
  readonly bulkhead?: Bulkhead | undefined;
  /** Fixed for all attempts. With a `ledger`, the effect happens once per key. Default: the session's id. */
  readonly idempotencyKey?: string | undefined;
  readonly ledger?: OnceLedger | undefined;
  /** Hash of the parameters: the same key with another fingerprint is refused. Default `""`. */
  readonly fingerprint?: string | undefined;
  /** When another caller holds the key: wait for its result, or fail with `idempotency_in_progress`. Default `wait`. */
  readonly onInProgress?: 'wait' | 'fail' | undefined;
  /** How the work can be stored when a wait is beyond the policy's horizon. */
  readonly handOver?: HandOverOption | undefined;
  /**
   * After a failure whose effect is not known: `retry`, or give up with `effect_unknown`. Default: retry, unless the error
   * says that the request was a POST or a PATCH without an Idempotency-Key.
   */
  readonly onUnknown?: 'retry' | 'give_up' | undefined;
  /** Called before each wait. The call does not wait for it, and ignores an error that it throws. Default: none. */
  readonly onRetry?: ((retry: RetryEvent) => unknown) | undefined;
  /** Ends the retries of this call, with reason `kill_switch`, while it is engaged. Default: none. */
  readonly killSwitch?: KillSwitch | undefined;
  /** The session in whose attempt this call is made: share its count of retries and its deadline. */
  readonly parent?: ParentSession | undefined;
  /** Let a Node process end although a wait, or the timeout of an attempt, is pending. Default `false`. */
  readonly unref?: boolean | undefined;
  /** Default: a new unique id. Two sessions with one id draw the same jitter. */
  readonly sessionId?: string | undefined;
  readonly category?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly traceId?: string | undefined;
  /** Goes into records, sanitised. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** An attempt has failed, and another one follows after `delayMs`. */
export interface RetryEvent {
  readonly sessionId: string;
  readonly operation: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The thrown error, or the returned value that counted as a failure. */
  readonly error: unknown;
  readonly errorClass: ErrorClass;
  readonly delayMs: number;
  readonly reason: ReasonCode;
}

/**
 * The port that stops retries from outside: an engaged switch ends in-process retries with reason `kill_switch`.
 * `killSwitchOf(store)` of `@redrive/durable` answers from the switches in a store.
 */
export interface KillSwitch {
  /**
   * Whether retries of this call must stop. Called after each failed attempt and after each wait, never before the first
   * attempt; must answer at once, without I/O. A switch that throws counts as engaged.
   */
  isEngaged(call: KillSwitchCall): boolean;
}

/** The call that asks a kill switch. */
export interface KillSwitchCall {
  readonly operation: string;
  readonly tenantId: string | undefined;
  /** Whether the call runs, at any depth, in the attempt of a job. */
  readonly inJob: boolean;
}

/** The options of a call that was given none. */
export const NO_OPTIONS: RetryOptions = Object.freeze({});

/** All names; a test compares them with the interface. */
export const CALL_OPTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'signal operation events breaker budget bulkhead idempotencyKey ledger fingerprint onInProgress handOver ' +
    'onRetry onUnknown killSwitch parent unref sessionId category tenantId correlationId traceId context clock'
  ).split(' '),
);

/**
 * Refuses options whose names are unknown, so that a misspelt `signal` is not just ignored, and ports that are none.
 *
 * @throws RedriveError `invalid_option` with every problem at once, and the nearest name for an unknown one.
 */
export function checkNames(options: object, names = CALL_OPTIONS, what = 'options'): void {
  if (typeof options !== 'object' || options === null) {
    refuse('invalid_option', what, [problem('it', 'an object', options)]);
  }
  const problems: FieldProblem[] = [];
  for (const name in options) {
    if (!names.has(name)) problems.push(suggestName(name, [...names]));
    // The method by which a port is known. A wrong port must not come to light after the effect of the operation.
    const method = name === 'budget' ? 'deposit' : name === 'killSwitch' ? 'isEngaged' : '';
    // Runs before each call: no other value is read. `false` and `null` are none.
    const value = method && Object(options)[name];
    if (value && typeof value[method] !== 'function') {
      problems.push(problem(name, `something with ${method}()`, value));
    }
  }
  refuse('invalid_option', what, problems);
}

/** @throws RedriveError `invalid_option`. */
export function refuseOperation(operation: unknown): never {
  ignoreRejection(operation); // The caller gets the refusal alone.
  const advice = operation instanceof Promise ? ': pass a function that returns it' : '';
  throw new RedriveError(
    'invalid_option',
    `The operation must be a function, not ${shownValue(operation)}${advice}`,
  );
}

/** Whether an option needs to know of a success, or can end an attempt. */
export function hasGuards(options: RetryOptions): boolean {
  const { signal, events, breaker, bulkhead, parent, ledger, handOver, budget } = options;
  return Boolean(signal || events || breaker || bulkhead || parent || ledger || handOver || budget);
}

/** @throws RedriveError `breaker_missing` and `invalid_option`. */
export function checkGuards(
  policy: ResolvedPolicy,
  { breaker, signal, events }: RetryOptions,
): void {
  if (policy.enableCircuitBreaker && policy.enabled && !breaker) {
    throw new RedriveError(
      'breaker_missing',
      `Policy ${policy.id} needs the option breaker: circuitBreaker(), or pipeline()`,
    );
  }
  if (signal && (typeof signal.addEventListener !== 'function' || !Object.isExtensible(signal))) {
    throw new RedriveError('invalid_option', 'The signal must be an AbortSignal, and not frozen');
  }
  if (events && typeof events.open !== 'function') {
    throw new RedriveError('invalid_option', 'events must be made by syncSink() or eventSink()');
  }
}
