// The rules of control, for simulations: pure functions without a clock, I/O or a store.

export { breakerDocument } from './breaker-document.ts';
export { type ClosedGate, causes, closeGate, type Gate, gateKey } from './documents.ts';
export { type CauseFacts, planRelease, type ReleasePlan } from './plan-release.ts';
export { RAMP, type RampAnswer, type RampPlan, rampAnswer } from './ramp.ts';
export {
  type BreakerReport,
  breakerStateAt,
  closedBreaker,
  countReport,
  endProbe,
  nextProbeAtMs,
  type SharedBreaker,
  takeProbe,
} from './shared-breaker.ts';
