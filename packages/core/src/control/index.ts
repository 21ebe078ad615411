export { closeGate, GATE_CEILING_MS, type Gate } from './gate.ts';
export {
  afterFailedProbe,
  openProbes,
  PROBE_INTERVALS,
  type ProbeIntervals,
  type ProbeSchedule,
} from './probe-schedule.ts';
export { RAMP, type RampAnswer, type RampPlan, type RampStage, rampAnswer } from './ramp.ts';
export {
  adjustPace,
  openPace,
  paceWaitMs,
  type ReleaseFeedback,
  type ReleasePace,
  takeFromPace,
} from './release-pace.ts';
