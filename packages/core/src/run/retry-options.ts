import type { Breaker } from '../breaker/breaker.ts';
import type { Budget } from '../budget/budget.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import type { Clock } from '../clock/clock.ts';
import type { OnceLedger } from '../ledger/with-once.ts';
import type { EventSink } from '../records/record.ts';
import type { ParentSession } from './attempt-context.ts';
import type { HandOverOption } from './hand-over.ts';

/** What belongs to one call rather than to its policy. All optional. */
export interface RetryOptions {
  /** Ends the call at once, in an attempt or in a wait; its reason comes out. */
  readonly signal?: AbortSignal | undefined;
  /** Names the operation in records and errors. Default: the policy's id. */
  readonly operation?: string | undefined;
  /** Where records of attempts and sessions go. Default: nowhere. */
  readonly events?: EventSink | undefined;
  /** Guards each attempt. Needed where the policy has `enableCircuitBreaker`. */
  readonly breaker?: Breaker | undefined;
  /** Default: the budget of the policy's `dependency`, none where that is anonymous. `false`: none. */
  readonly budget?: Budget | false | undefined;
  /** Bounds how many attempts run at once. Default: none. */
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
  /** The session in whose attempt this call is made: share its attempt account and its deadline. */
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

/** The options of a call that was given none. */
export const NO_OPTIONS: RetryOptions = Object.freeze({});
