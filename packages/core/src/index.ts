export { type DelayRange, drawDelayMs, type Jitter, jitterRange } from './backoff/jitter.ts';
export { type Backoff, nominalDelayMs } from './backoff/nominal-delay.ts';
export type {
  Breaker,
  BreakerPermit,
  BreakerRefusal,
  BreakerStateName,
} from './breaker/breaker.ts';
export { REFUSED } from './breaker/breaker.ts';
export { breakerFromState } from './breaker/breaker-from-state.ts';
export type { CircuitBreakerOptions } from './breaker/breaker-options.ts';
export type { CircuitBreakerState } from './breaker/breaker-state.ts';
export {
  CircuitBreakers,
  type CircuitBreakersOptions,
  circuitBreakers,
} from './breaker/breakers.ts';
export { type CircuitBreaker, circuitBreaker } from './breaker/circuit-breaker.ts';
export type { Budget } from './budget/budget.ts';
export { defaultBudgets, type RetryBudgets, retryBudgets } from './budget/budgets.ts';
export { type RetryBudget, type RetryBudgetOptions, retryBudget } from './budget/retry-budget.ts';
export type { Bulkhead } from './bulkhead/bulkhead.ts';
export { type BulkheadOptions, bulkhead, type Semaphore } from './bulkhead/semaphore.ts';
export type {
  Classification,
  Classifier,
  ClassifierAnswer,
  ClassifyContext,
  Effect,
  ErrorClass,
  ResultAnswer,
} from './classify/classification.ts';
export { type ClassifyRules, classify, isInnerGiveUp } from './classify/classify.ts';
export type { ErrorMatcher } from './classify/matcher.ts';
export { type Clock, MAX_DURATION_MS, MAX_TIMER_MS, type Timer } from './clock/clock.ts';
export { systemClock } from './clock/system-clock.ts';
export {
  type AccountView,
  type AttemptAccount,
  chargedAttempts,
  claimAttempt,
  isRunning,
  nextGeneration,
  openAccount,
  settleAttempt,
  viewOf,
} from './decide/account.ts';
export { DECIDE_VERSION, decide } from './decide/decide.ts';
export type {
  AttemptEntry,
  AttemptOutcome,
  BlockCause,
  Charge,
  Decision,
  DecisionInput,
  DecisionPolicy,
  InnerBlock,
  ReasonCode,
  Rung,
} from './decide/decision.ts';
export { type ErrorCode, isRedriveError, RedriveError } from './errors/redrive-error.ts';
export {
  type AttemptFailure,
  type GiveUp,
  isRetryError,
  RetryError,
} from './errors/retry-error.ts';
export type { FieldProblem } from './fields/check-fields.ts';
export type {
  Ledger,
  LedgerEntry,
  LedgerFailure,
  LedgerMetadata,
  Reservation,
  ReserveRequest,
} from './ledger/ledger.ts';
export { type MemoryLedgerOptions, memoryLedger } from './ledger/memory-ledger.ts';
export type { OnceRequest } from './ledger/once-request.ts';
export { type OnceLedger, withOnce } from './ledger/with-once.ts';
export { definePolicy } from './policy/define-policy.ts';
export type { Policy, ResolvedPolicy } from './policy/policy.ts';
export { newId } from './random/ids.ts';
export { sessionRandom } from './random/session-random.ts';
export { newSortableId } from './random/sortable-id.ts';
export {
  type BatchingSink,
  type EventSinkOptions,
  eventSink,
  type RecordListener,
} from './records/event-sink.ts';
export type {
  AttemptBlocked,
  AttemptEnded,
  AttemptStarted,
  BreakerChanged,
  EventSink,
  IdempotencyUsed,
  RetryRecord,
  SanitisedError,
  SessionEnded,
  SessionFacts,
} from './records/record.ts';
export { syncSink } from './records/sync-sink.ts';
export type {
  AttemptContext,
  FailedOutcome,
  Operation,
  ParentSession,
  RetryCounter,
} from './run/attempt-context.ts';
export type {
  HandedOverAttempt,
  HandedOverWork,
  HandOver,
  HandOverOption,
} from './run/hand-over.ts';
export type { KillSwitch, KillSwitchCall } from './run/kill-switch.ts';
export { type CallOptions, type Pipeline, type PipelineOptions, pipeline } from './run/pipeline.ts';
export { retry } from './run/retry.ts';
export type { RetryEvent, RetryOptions } from './run/retry-options.ts';
export { type LoopAttempt, retrySession } from './run/retry-session.ts';
export { type HeadersLike, sessionFromHeaders, sessionHeaders } from './run/session-headers.ts';
