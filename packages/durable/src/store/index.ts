// Unstable: a minor version may change any of it. For authors of stores, and for the `redrive` command; an application
// needs none of it. The port is `FullStore`, which the main entry exports.

export {
  type Anchor,
  LEAF_WRITER,
  MAX_SEGMENT_BLOCKS,
  type PlacedBlock,
  positionOf,
  sealBlocks,
} from '../audit/anchor.ts';
export type { AuditBlock, AuditEvent, AuditRecord } from '../audit/audit-block.ts';
export { actDetail, actorDetail, claimDetail, enqueueDetail } from '../audit/audit-detail.ts';
export type { AuditProblemKind } from '../audit/audit-problem.ts';
export type { JobLookup } from '../audit/audit-reader.ts';
export type { AuditStore, Compressed, CompressOptions } from '../audit/audit-store.ts';
export { BlockPage } from '../audit/block-page.ts';
export type { ProofContent } from '../audit/check-proof.ts';
export { sessionDetail, settleDetail } from '../audit/decision-detail.ts';
export {
  type AuditEntry,
  BlockRecords,
  blockHash,
  NO_TRANSITION,
} from '../audit/encode-block.ts';
export { importedDigests, importedKind } from '../audit/import-record.ts';
export { NO_RECORD, type NotCovered, notCoveredTable } from '../audit/not-covered.ts';
export {
  type AuditPack,
  compressedInto,
  fillsPack,
  MAX_PACK_BLOCKS,
  packBlocks,
  packBlocksAside,
} from '../audit/pack.ts';
export { PackCache } from '../audit/pack-cache.ts';
export type { NoProof } from '../audit/prove-record.ts';
export { recordsIn } from '../audit/read-body.ts';
export type { RecordedAnswer } from '../audit/rederive.ts';
export type { ReplayedDecision, ReplayedWait, ReplayStep } from '../audit/replay.ts';
export { untoldBreaker } from '../control/breakers.ts';
export { checkControl } from '../control/check-control.ts';
export {
  CONTROL_KINDS,
  type Control,
  type ControlCommand,
  type ControlKind,
  type ControlResult,
  type ControlStore,
  type Controls,
  MAX_CONTROL_BYTES,
  MAX_CONTROLS,
  MAX_PARK_COUNT,
  type Park,
  type ReleaseCommand,
  type ReleaseResult,
} from '../control/control-store.ts';
export { gateName } from '../control/gate-name.ts';
export type { KillScope } from '../control/kill-target.ts';
export type { PaceWish } from '../control/pace-wish.ts';
export { PARKED_AT_MOST_MS } from '../control/rules/documents.ts';
export { ownWaitMs } from '../control/rules/own-wait.ts';
export type { BreakerError, ForcedState } from '../control/rules/shared-breaker.ts';
export { reportSource, type SourceReport, sourceReports } from '../control/source-reports.ts';
export type { WaitsFor } from '../control/waits-for.ts';
export { ActForecast, type ActSubject } from '../dead-letter/act-forecast.ts';
export { deadGroupOf, EXPIRED_GROUP } from '../dead-letter/dead-group.ts';
export {
  type BoundedCount,
  type DeadGroupPage,
  type DeadGroupPageRequest,
  type DeadLetterStore,
  type DeadPage,
  type DeadPageRequest,
  type EarlierPayload,
  MAX_DEAD_COUNT,
  MAX_DEAD_SCAN,
  MAX_EARLIER_PAYLOADS,
} from '../dead-letter/dead-letter-store.ts';
export {
  checkAtMost,
  checkDeadFilter,
  checkDeadPage,
  checkGroupPage,
  foldAscii,
  MAX_TEXT_GROUPS,
} from '../dead-letter/dead-query.ts';
export { exportFileName } from '../dead-letter/export.ts';
export { redact } from '../dead-letter/redact.ts';
export type { ShownValues } from '../documents/shown-values.ts';
export { subsystemOf } from '../documents/subsystem-of.ts';
export type { Failure } from '../failing/group-failures.ts';
export { accountCode } from '../job/account-code.ts';
export {
  type AttemptLog,
  addAttempt,
  attemptsBefore,
  type JobAttempt,
  NO_ATTEMPTS,
  numberedThrough,
} from '../job/attempt-log.ts';
export {
  attemptsProblem,
  decodeAttempts,
  encodeAttempts,
  settledAttempts,
} from '../job/attempts-code.ts';
export { type FailingJob, failingJobOf } from '../job/failing-job.ts';
export {
  isFinal,
  isFirstClaim,
  JOB_STATES,
  type JobOrigin,
  type JobSpec,
  type Lease,
  type LeasedJob,
  type Payload,
} from '../job/job.ts';
export { summaryOf } from '../job/job-summary.ts';
export { firstRetryCount, newLife } from '../job/new-life.ts';
export type { SettledState, Settlement } from '../job/settlement.ts';
export {
  isSafeAhead,
  lossesOf,
  MAX_SUSPECTS,
  SUSPECT_LOSSES,
  type Suspect,
} from '../job/suspects.ts';
export { type JobEvent, LEGAL_FROM, type Refusal, transition } from '../job/transition.ts';
export {
  accountRule,
  changesSql,
  type JobLayout,
  leaseRule,
  lifeRule,
  stateAfter,
  type TransitionSql,
} from '../job/transition-sql.ts';
export {
  type LifeField,
  type Rule,
  type TransitionName,
  type TransitionRow,
  transitionRow,
} from '../job/transition-table.ts';
export {
  checkReservation,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
} from '../ledger/ledger-rules.ts';
export type { LedgerOptions } from '../ledger/ledger-store.ts';
export { type StoredKey, type StoredReservation, storeLedger } from '../ledger/store-ledger.ts';
export { hasWorkerForParked } from '../live-workers/handlers-without-worker.ts';
export {
  decodeWorker,
  encodeReport,
  GONE_AFTER_MS,
  MAX_DELETED_WORKERS,
  WORKER_KEPT_MS,
  workerBounds,
  workerPage,
} from '../live-workers/worker-report.ts';
export type {
  StoredWorker,
  WorkerPage,
  WorkerPageRequest,
  WorkerReport,
  WorkerStore,
} from '../live-workers/worker-store.ts';
export { compareText } from '../memory/compare-text.ts';
export { MAX_ACT_IDS } from '../operation/act-wish.ts';
export type {
  BeginOperation,
  JobStanding,
  Operation,
  OperationPage,
  OperationStep,
  OperationStepResult,
  OperationStore,
} from '../operation/operation.ts';
export {
  afterStep,
  beginDetail,
  endDetail,
  newOperation,
  OPERATION_KEPT_MS,
  operationPage,
  operationSubject,
  sameOperation,
  stepRefusal,
} from '../operation/operation-step.ts';
export { type ActRefusal, MAX_PLANNED } from '../operation/plan-acts.ts';
export { checkFailingScan, checkLimit } from './check-limit.ts';
export { commandSize } from './command-size.ts';
export type {
  ActCommand,
  Actor,
  ActResult,
  ClaimCommand,
  ClaimLane,
  ClaimResult,
  Command,
  EnqueueCommand,
  EnqueueResult,
  Moment,
  NoteCommand,
  NoteOnce,
  PruneCommand,
  PruneResult,
  Result,
  ResultsOf,
  SettleCommand,
  SettleResult,
  TickCommand,
  TickResult,
} from './commands.ts';
export { type GroupCommit, groupCommit } from './group-commit.ts';
export { type PagePlace, placeText, readPlace } from './page-place.ts';
export {
  problemText,
  type SetAsideJob,
  type UnreadableJob,
  type UnreadablePage,
} from './set-aside.ts';
export {
  type Change,
  type Counts,
  type ExpiredFilter,
  type FailingJobs,
  type FailingRequest,
  type HeartbeatAnswer,
  type JobFilter,
  type JobPage,
  type LeaseRef,
  MAX_FAILING_SCAN,
  MAX_JOB_SCAN,
  type PageRequest,
  type Pulse,
  type StoredPolicy,
} from './store.ts';
export { TimeLimit } from './time-limit.ts';
export { wholeMs } from './whole-ms.ts';
