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
  type CarryOutOptions,
  carryOutOperation,
  type OperationReport,
  runOperation,
} from '../operation/carry-out-operation.ts';
export type { OperationRequest } from '../operation/operation-request.ts';
export {
  listOperations,
  type OperationList,
  type OperationStatus,
  operationStatus,
} from '../operation/operation-status.ts';
export { type ActPlan, planActs } from '../operation/plan-acts.ts';
export { submitOperation } from '../operation/submit-operation.ts';
export {
  type BreakerAct,
  type BreakerChange,
  breakers,
  type ForceBreaker,
  forceBreaker,
  halfOpenBreaker,
  type NamedBreaker,
  resetBreaker,
} from './breakers.ts';
export { type ControlOverview, controlOverview } from './control-overview.ts';
export { gates, type ReleaseGate, releaseGate } from './gates.ts';
export { type KillSwitchOptions, killSwitchOf, type StoreKillSwitch } from './kill-switch-of.ts';
export { type EngagedKill, type EngageKill, engageKill, killSwitches } from './kill-switches.ts';
export type { KillTarget } from './kill-target.ts';
export { endHold, holdPark, type ParkAct, type ReleasePark, releasePark } from './park-acts.ts';
export { type ParkedJobs, parkedCauses } from './parked-causes.ts';
export type { ParkReleased } from './release-jobs.ts';
export { type ReleaseKill, releaseKill } from './release-kill.ts';
