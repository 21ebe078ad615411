export { breakerDocument } from './breaker-document.ts';
export { actOnCourse, type CourseAct, type CourseActor, stopCourse } from './course-acts.ts';
export { type CourseAnswer, type CourseMoment, courseAnswer } from './course-answer.ts';
export {
  type CourseNews,
  countKnown,
  enterStage,
  hearOfItems,
  type ItemStanding,
  sendItems,
} from './course-news.ts';
export {
  type ClosedGate,
  causes,
  gateKey,
  type KillSwitch,
  PARKED_AT_MOST_MS,
  type ParkedCause,
} from './documents.ts';
export { closeGate, GATE_CEILING_MS, type Gate } from './gate.ts';
export {
  type CourseItem,
  isFollowed,
  isOver,
  isUndecided,
  KNOWN_TO_ALL_MS,
  type OperationCourse,
} from './operation-course.ts';
export { ownWaitMs } from './own-wait.ts';
export {
  type CauseFacts,
  PROBE_BEGINS_WITHIN_MS,
  planRelease,
  type ReleasePlan,
} from './plan-release.ts';
export { RAMP, type RampAnswer, type RampPlan, type RampStage, rampAnswer } from './ramp.ts';
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
