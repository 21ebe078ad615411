export type {
  Batch,
  BatchCounts,
  BatchEnd,
  BatchFilter,
  BatchPage,
  CountedBatch,
} from './batch/batch.ts';
export { commandHandler } from './command/command-handler.ts';
export { manyCommandHandler } from './command/many-command-handler.ts';
export type { QueueRates } from './control/claim-rates.ts';
export type { Rate, RateBy } from './control/rules/rate.ts';
export type { Rates } from './control/rules/rate-options.ts';
export { jobDocument, jobSummaryDocument } from './documents/job-document.ts';
export { type JobHistory, jobHistory } from './documents/job-history.ts';
export { recordsOf, sessionDocument } from './documents/records-of.ts';
export {
  type CheckedHandlers,
  type Handler,
  type HandlerDefinition,
  type HandlerOptions,
  type Handlers,
  type ManyHandlerDefinition,
  runsElsewhere,
} from './handler/handler.ts';
export type { JobContext } from './handler/job-context.ts';
export type { ManyContext, OneOfMany, RunMany } from './handler/take-many.ts';
export {
  cancel,
  deadLetter,
  final,
  retryAfter,
  type Verdict,
  type VerdictOptions,
} from './handler/verdict.ts';
export { httpHandler } from './http/http-handler.ts';
export type { AllowedTargets } from './http/safe-request.ts';
export { jobIdOf } from './job/caller-id.ts';
export type { Job, JobState, JobSummary } from './job/job.ts';
export type {
  BatchOptions,
  BatchThen,
  Enqueued,
  EnqueuedBatch,
  EnqueueManyOptions,
  EnqueueOptions,
  Jobs,
  JobsOptions,
} from './jobs/jobs.ts';
export { jobsOn } from './jobs/jobs-on.ts';
export type { EnqueuedWork, JobsTelemetry } from './jobs/jobs-telemetry.ts';
export {
  type ProgramParts,
  type SignalSource,
  type StopOnOptions,
  type StopOnSignal,
  type Stoppable,
  stopOn,
} from './jobs/stop-on.ts';
export {
  type HandlerWithoutWorker,
  handlersWithoutWorker,
} from './live-workers/handlers-without-worker.ts';
export {
  listWorkers,
  type WorkerList,
  type WorkerState,
  type WorkerStatus,
} from './live-workers/list-workers.ts';
export { type LiveWorkers, liveWorkers } from './live-workers/live-workers.ts';
export { logNotice } from './log/log-notice.ts';
export { logRecords } from './log/log-records.ts';
export type { WorkerLogger } from './log/worker-log.ts';
export { memoryStore } from './memory/memory-store.ts';
export type { FullStore } from './store/full-store.ts';
export type { Store } from './store/store.ts';
export type { JobsHealth } from './worker/health.ts';
export type { Notice } from './worker/notice.ts';
