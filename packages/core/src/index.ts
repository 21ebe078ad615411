export {
  type Backoff,
  type DelayRange,
  drawDelayMs,
  type Jitter,
  jitterRange,
  nominalDelayMs,
} from './backoff/delay.ts';
export {
  type Breaker,
  type BreakerPermit,
  type BreakerRefusal,
  type BreakerStateName,
  type CircuitBreakerState,
  REFUSED,
} from './breaker/breaker.ts';
export { breakerFromState } from './breaker/breaker-from-state.ts';
export type { CircuitBreakerOptions } from './breaker/breaker-options.ts';
export {
  CircuitBreakers,
  type CircuitBreakersOptions,
  circuitBreakers,
} from './breaker/breakers.ts';
export { type CircuitBreaker, circuitBreaker } from './breaker/circuit-breaker.ts';
export { defaultBudgets, type RetryBudgets, retryBudgets } from './budget/budgets.ts';
export {
  type Budget,
  type RetryBudget,
  type RetryBudgetOptions,
  retryBudget,
} from './budget/retry-budget.ts';
export {
  type Bulkhead,
  type BulkheadOptions,
  bulkhead,
  type Semaphore,
} from './bulkhead/bulkhead.ts';
export type {
  Classification,
  Classifier,
  ClassifierAnswer,
  ClassifyContext,
  Effect,
  ErrorClass,
  ResultAnswer,
} from './classify/classification.ts';
export { type ClassifyRules, classify } from './classify/classify.ts';
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
  HandedOverAttempt,
  HandedOverWork,
  HandOver,
  HandOverOption,
} from './hand-over/hand-over.ts';
export type {
  Ledger,
  LedgerEntry,
  LedgerFailure,
  LedgerMetadata,
  OnceLedger,
  OnceRequest,
  Reservation,
  ReserveRequest,
} from './ledger/ledger.ts';
export { type MemoryLedgerOptions, memoryLedger } from './ledger/memory-ledger.ts';
export { withOnce } from './ledger/once.ts';
export { type HeadersLike, sessionFromHeaders, sessionHeaders } from './nested/session-headers.ts';
export {
  type CallOptions,
  type Pipeline,
  type PipelineOptions,
  pipeline,
} from './pipeline/pipeline.ts';
export { definePolicy } from './policy/define-policy.ts';
export type { Policy, ResolvedPolicy } from './policy/policy.ts';
export { newId, sessionRandom } from './random/session-random.ts';
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
export { retry } from './run/retry.ts';
export type { KillSwitch, KillSwitchCall, RetryEvent, RetryOptions } from './run/retry-options.ts';
export { type LoopAttempt, retrySession } from './run/retry-session.ts';
