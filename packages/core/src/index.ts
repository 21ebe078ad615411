export { jitterRange, nominalDelayMs } from './backoff/delay.ts';
export type {
  Breaker,
  BreakerPermit,
  BreakerRefusal,
  BreakerStateName,
  CircuitBreakerState,
} from './breaker/breaker.ts';
export { breakerFromState } from './breaker/breaker-from-state.ts';
export type { CircuitBreakerOptions } from './breaker/breaker-options.ts';
export { type CircuitBreakers, circuitBreakers } from './breaker/breakers.ts';
export { type CircuitBreaker, circuitBreaker } from './breaker/circuit-breaker.ts';
export { type RetryBudgets, retryBudgets } from './budget/budgets.ts';
export {
  type Budget,
  type RetryBudget,
  type RetryBudgetOptions,
  retryBudget,
} from './budget/retry-budget.ts';
export { type Bulkhead, bulkhead } from './bulkhead/bulkhead.ts';
export type { Classification, Classifier, Effect, ErrorClass } from './classify/classification.ts';
export { type ClassifyRules, classify } from './classify/classify.ts';
export type { Clock, Timer } from './clock/clock.ts';
export { systemClock } from './clock/system-clock.ts';
export { decide } from './decide/decide.ts';
export type { Decision, DecisionInput, ReasonCode } from './decide/decision.ts';
export { type ErrorCode, isRedriveError, RedriveError } from './errors/redrive-error.ts';
export { isRetryError, RetryError } from './errors/retry-error.ts';
export type { HandedOverWork, HandOver } from './hand-over/hand-over.ts';
export type {
  Ledger,
  OnceLedger,
  OnceRequest,
  Reservation,
  ReserveRequest,
} from './ledger/ledger.ts';
export { memoryLedger } from './ledger/memory-ledger.ts';
export { withOnce } from './ledger/once.ts';
export { sessionFromHeaders, sessionHeaders } from './nested/session-headers.ts';
export { type Pipeline, type PipelineOptions, pipeline } from './pipeline/pipeline.ts';
export { definePolicy } from './policy/define-policy.ts';
export type { Policy, ResolvedPolicy } from './policy/policy.ts';
export { newId } from './random/session-random.ts';
export { type BatchingSink, type EventSinkOptions, eventSink } from './records/event-sink.ts';
export type { AttemptEnded, EventSink, RetryRecord } from './records/record.ts';
export { syncSink } from './records/sync-sink.ts';
export type { AttemptContext, Operation, ParentSession } from './run/attempt-context.ts';
export { retry } from './run/retry.ts';
export type { KillSwitch, KillSwitchCall, RetryOptions } from './run/retry-options.ts';
export { retrySession } from './run/retry-session.ts';
