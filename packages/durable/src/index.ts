export type { Anchor, AuditHead } from './audit/anchor.ts';
export type { AuditPlace, AuditProblem, AuditProblemKind } from './audit/audit-problem.ts';
export type { AuditReader, JobLookup } from './audit/audit-reader.ts';
export { auditSink } from './audit/audit-sink.ts';
export type { AuditStore, Compressed, CompressOptions } from './audit/audit-store.ts';
export {
  checkProof,
  type ProofCheck,
  type ProofContent,
  type ProofProblem,
} from './audit/check-proof.ts';
export {
  type ImportedKind,
  type ImportedRecord,
  importedDigests,
  importedKind,
  importRecord,
} from './audit/import-record.ts';
export type { AuditPack } from './audit/pack.ts';
export {
  type AuditProof,
  type ChainLink,
  MAX_PROOF_LINKS,
  type PathStep,
  PROOF_FORMAT,
  type RecordPlace,
} from './audit/proof.ts';
export {
  type NoProof,
  type ProveAnswer,
  type ProveOptions,
  proveRecord,
} from './audit/prove-record.ts';
export type { ReadProgress } from './audit/read-log.ts';
export type { RecordedAnswer, RecordedDecision } from './audit/rederive.ts';
export {
  type Replay,
  type ReplayedDecision,
  type ReplayedWait,
  type ReplayOptions,
  type ReplayStep,
  replaySession,
} from './audit/replay.ts';
export { type Verification, type VerifyOptions, verifyAudit } from './audit/verify.ts';
export { type CommandOptions, commandHandler } from './command/command-handler.ts';
export {
  type BreakerAct,
  type BreakerChange,
  breakers,
  type ForceBreaker,
  forceBreaker,
  halfOpenBreaker,
  type NamedBreaker,
  resetBreaker,
  untoldBreaker,
} from './control/breakers.ts';
export { type ControlOverview, controlOverview } from './control/control-overview.ts';
export { gateName } from './control/gate-name.ts';
export { gates, type ReleaseGate, releaseGate } from './control/gates.ts';
export {
  type KillSwitchOptions,
  killSwitchOf,
  type StoreKillSwitch,
} from './control/kill-switch-of.ts';
export {
  type EngagedKill,
  type EngageKill,
  engageKill,
  killSwitches,
} from './control/kill-switches.ts';
export { KILL_SCOPES, type KillScope, type KillTarget } from './control/kill-target.ts';
export type { PaceWish } from './control/pace-wish.ts';
export {
  endHold,
  holdPark,
  type ParkAct,
  type ReleasePark,
  releasePark,
} from './control/park-acts.ts';
export { type ParkedJobs, parkedCauses } from './control/parked-causes.ts';
export type { ParkReleased } from './control/release-jobs.ts';
export { type ReleaseKill, releaseKill } from './control/release-kill.ts';
export type { WaitsFor } from './control/waits-for.ts';
export {
  type AbandonedReason,
  abandonedReason,
  DEAD_LETTER_LABELS,
  type DeadLetterLabel,
} from './dead-letter/abandoned-reason.ts';
export {
  type DeadAttempt,
  type DeadItem,
  type DeadLetterOrigin,
  deadItemOf,
} from './dead-letter/dead-item.ts';
export type {
  BoundedCount,
  DeadFilter,
  DeadGroup,
  DeadGroupPage,
  DeadPage,
  EarlierPayload,
} from './dead-letter/dead-letter-store.ts';
export {
  type DeadLetterAddition,
  type DeadLetterAttempt,
  type DeadLetterEnvelope,
  deadLetterOf,
  type EnvelopeOptions,
  envelopeOf,
  type SendBack,
} from './dead-letter/envelope.ts';
export { type ExportFormat, exportDeadLetters, exportFileName } from './dead-letter/export.ts';
export {
  type ErrorFingerprint,
  FINGERPRINT_VERSION,
  fingerprintOf,
} from './dead-letter/fingerprint.ts';
export { redact } from './dead-letter/redact.ts';
export type { AttemptDocument } from './documents/attempt-documents.ts';
export {
  type JobDocument,
  type JobDocumentOptions,
  type JobSummaryDocument,
  jobDocument,
  jobSummaryDocument,
} from './documents/job-document.ts';
export {
  type HistoryEntry,
  type JobHistory,
  type JobHistoryOptions,
  jobHistory,
} from './documents/job-history.ts';
export { type RecordsOptions, recordsOf } from './documents/records-of.ts';
export { sessionDocument } from './documents/session-document.ts';
export type { ShownValues } from './documents/shown-values.ts';
export { subsystemOf } from './documents/subsystem-of.ts';
export { type FailuresNow, failuresNow } from './failing/failures-now.ts';
export type { Failure } from './failing/group-failures.ts';
export type {
  Handler,
  HandlerDefinition,
  HandlerOptions,
  Handlers,
  PayloadOf,
  ResultOf,
} from './handler/handler.ts';
export type { JobContext } from './handler/job-context.ts';
export { RUNS_DEFAULT } from './handler/runs-default.ts';
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
export { jobsOn } from './jobs/jobs-on.ts';
export {
  type HandlerWithoutWorker,
  handlersWithoutWorker,
  hasWorkerForParked,
} from './live-workers/handlers-without-worker.ts';
export {
  type ListWorkers,
  listWorkers,
  type WorkerList,
  type WorkerState,
  type WorkerStatus,
} from './live-workers/list-workers.ts';
export { type LiveWorkers, liveWorkers } from './live-workers/live-workers.ts';
export type { StoredWorker } from './live-workers/worker-store.ts';
export type { LogLevel } from './log/embedded-log.ts';
export { logNotice } from './log/log-notice.ts';
export { logRecords } from './log/log-records.ts';
export type { LogFields, WorkerLogger } from './log/worker-logger.ts';
export { type MemoryStoreOptions, memoryStore } from './memory/memory-store.ts';
export {
  abortOperation,
  type OperationAct,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from './operation/act-on-operation.ts';
export {
  type ActTarget,
  type ActTargetId,
  type ActWish,
  MAX_ACT_IDS,
} from './operation/act-wish.ts';
export {
  type CarryOutOptions,
  carryOutOperation,
  type OperationReport,
  runOperation,
} from './operation/carry-out-operation.ts';
export type { Operation } from './operation/operation.ts';
export type { OperationRequest } from './operation/operation-request.ts';
export {
  handlersAwaited,
  listOperations,
  type OperationList,
  type OperationStatus,
  operationStatus,
} from './operation/operation-status.ts';
export { type ActPlan, type ActRefusal, MAX_PLANNED, planActs } from './operation/plan-acts.ts';
export { submitOperation } from './operation/submit-operation.ts';
export type { FullStore } from './store/full-store.ts';
export type { Store } from './store/store.ts';
export type { Notice } from './worker/notice.ts';
