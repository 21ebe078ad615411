export { type CommandOptions, commandHandler } from './command/command-handler.ts';
export type {
  Handler,
  HandlerDefinition,
  HandlerOptions,
  Handlers,
  PayloadOf,
  ResultOf,
} from './handler/handler.ts';
export type { JobContext } from './handler/job-context.ts';
export {
  cancel,
  deadLetter,
  final,
  isVerdict,
  retryAfter,
  type Verdict,
} from './handler/verdict.ts';
export type { Job, JobState, JobSummary } from './job/job.ts';
export type {
  Enqueued,
  EnqueueOptions,
  IdleReport,
  Jobs,
  JobsOptions,
  RetentionOptions,
  StopOptions,
  WaitOptions,
} from './jobs/jobs.ts';
export { type MemoryStoreOptions, memoryStore } from './memory/memory-store.ts';
export type { Store } from './store/store.ts';
export type { Notice } from './worker/notice.ts';
