// The rules of control, for simulations: pure functions without a clock, I/O or a store.

export {
  type ClosedGate,
  causes,
  closeGate,
  type Gate,
  gateKey,
  PARKED_AT_MOST_MS,
  type ParkedCause,
} from './documents.ts';
export { ownWaitMs } from './own-wait.ts';
export {
  type CauseFacts,
  PROBE_BEGINS_WITHIN_MS,
  planRelease,
  type ReleasePlan,
} from './plan-release.ts';
export { RAMP, type RampAnswer, type RampPlan, rampAnswer } from './ramp.ts';
export {
  type BreakerReport,
  breakerDocument,
  breakerStateAt,
  closedBreaker,
  countReport,
  endProbe,
  nextProbeAtMs,
  type SharedBreaker,
  takeProbe,
} from './shared-breaker.ts';
