export { breakerDocument } from './breaker-document.ts';
export { actOnBulk, type BulkAct, type BulkActor } from './bulk-acts.ts';
export { type BulkAnswer, type BulkMoment, bulkAnswer } from './bulk-answer.ts';
export {
  type BulkItem,
  type BulkProgress,
  type CountedResults,
  countResults,
  enterStage,
  type ItemNow,
  isFollowed,
  isOver,
  noteSent,
} from './bulk-progress.ts';
export {
  type ClosedGate,
  causes,
  closeGate,
  GATE_CEILING_MS,
  type Gate,
  gateKey,
  type KillSwitch,
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
export {
  NO_RESULTS,
  RAMP,
  type RampAnswer,
  type RampPlan,
  type RampStage,
  rampAnswer,
} from './ramp.ts';
export {
  adjustPace,
  openPace,
  paceWaitMs,
  type ReleaseFeedback,
  type ReleasePace,
  takeFromPace,
} from './release-pace.ts';
export {
  type BreakerError,
  type BreakerReport,
  breakerStateAt,
  closedBreaker,
  countReport,
  endProbe,
  type ForcedState,
  forceBreaker,
  forcedAt,
  halfOpenNow,
  keepProbe,
  MAX_BREAKER_ERROR,
  nextProbeAtMs,
  nextProbeInMs,
  PROBE_TIMEOUT_MS,
  resetBreaker,
  type SharedBreaker,
  takeProbe,
} from './shared-breaker.ts';
