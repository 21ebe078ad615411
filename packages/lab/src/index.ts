// Try a retry policy before an outage does. Pure: no clock, no timers, no I/O and no randomness of its own, so that it
// runs in Node and in a Web Worker, with the same result.

export {
  type BacktestFigure,
  type BacktestFigures,
  type BacktestResult,
  backtest,
  type Measured,
} from './backtest/backtest.ts';
export { type FailIf, failIfProblem, parseFailIf } from './backtest/fail-if.ts';
export { backtestLimits, MIN_BACKTEST_SESSIONS, tooFewOutages } from './backtest/limits.ts';
export type { AttemptTimeout } from './recommend/attempt-timeout.ts';
export {
  type Candidate,
  MIN_RECOVERIES,
  type Recommendation,
  type RecommendOptions,
  recommend,
} from './recommend/recommend.ts';
export type { Score } from './recommend/score.ts';
export { Attempts } from './recording/attempts.ts';
export {
  headLine,
  type LoggedAttempt,
  type Recorded,
  recordedDocument,
  recordedLine,
  recordedOf,
} from './recording/recorded.ts';
export { type MalformedLine, RecordingReader } from './recording/recording-reader.ts';
export {
  type Divergence,
  type ReplayedCourse,
  type ReplayOptions,
  type ReplayTotals,
  replaySessions,
  type SessionsReplayed,
} from './replay/replay-sessions.ts';
export { FINDING_CODES, FINDING_RULES, type FindingCode } from './review/finding-rules.ts';
export {
  type Finding,
  type Review,
  type ReviewRow,
  review,
  type Undecided,
} from './review/review.ts';
export {
  type PolicyByName,
  type ReadScene,
  readScene,
  type SceneProblem,
} from './scene/read-scene.ts';
export type { Scene } from './scene/scene.ts';
export { SHIPPED_SCENES, type ShippedScene } from './scenes/shipped-scenes.ts';
export type { RunResult, Series } from './simulate/result.ts';
export {
  type RunLimits,
  type Simulation,
  simulate,
  startSimulation,
} from './simulate/simulation.ts';
export {
  type Figure,
  type Quartiles,
  type SceneSummary,
  SummaryOfRuns,
} from './simulate/summary.ts';
