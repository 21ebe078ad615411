export { type FailuresNow, failuresNow } from '../failing/failures-now.ts';
export {
  abortOperation,
  type OperationAct,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from '../operation/act-on-operation.ts';
export type { ActTarget, ActWish } from '../operation/act-wish.ts';
export {
  carryOutOperation,
  type OperationReport,
  runOperation,
} from '../operation/carry-out-operation.ts';
export type { OperationRequest } from '../operation/operation-request.ts';
export {
  jobsInFlight,
  listOperations,
  type OperationList,
  type OperationStatus,
  operationStatus,
} from '../operation/operation-status.ts';
export { type ActPlan, planActs } from '../operation/plan-acts.ts';
export { submitOperation } from '../operation/submit-operation.ts';
export {
  type BreakerChange,
  breakers,
  forceBreaker,
  halfOpenBreaker,
  type NamedBreaker,
  resetBreaker,
} from './breakers.ts';
export { type ControlOverview, controlOverview } from './control-overview.ts';
export { gates, releaseGate } from './gates.ts';
export { killSwitchOf, type StoreKillSwitch } from './kill-switch-of.ts';
export {
  type EngagedKill,
  engageKill,
  killSwitches,
  type Pause,
  pauses,
  pauseWork,
  resumeWork,
} from './kill-switches.ts';
export type { KillTarget } from './kill-target.ts';
export { endHold, holdPark, releasePark } from './park-acts.ts';
export { type ParkedJobs, parkedCauses } from './parked-causes.ts';
export { type RateLimit, rateLimits, type SetRate, setRate } from './rate-limits.ts';
export { releaseKill } from './release-kill.ts';
export {
  removeSchedule,
  runSchedule,
  type ScheduleStatus,
  schedules,
} from './schedules.ts';
export type { StoppedJobs } from './stopped-jobs.ts';
