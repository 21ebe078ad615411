// Unstable: a minor version may change any of it. For authors of stores and of brokers' adapters, and for the `redrive`
// command; an application needs none of it. The port is `FullStore`, which the main entry exports.

export {
  type Anchor,
  LEAF_WRITER,
  MAX_SEGMENT_BLOCKS,
  type PlacedBlock,
  positionOf,
  sealBlocks,
} from '../audit/anchor.ts';
export type { AuditBlock, AuditEvent, AuditRecord } from '../audit/audit-block.ts';
export {
  actDetail,
  actorDetail,
  claimDetail,
  enqueueDetail,
  KEPT_ON_REPLACE,
  replaceDetail,
} from '../audit/audit-detail.ts';
export type { AuditProblemKind } from '../audit/audit-problem.ts';
export type { JobLookup } from '../audit/audit-reader.ts';
export type { AuditStore, Compressed, CompressOptions, Sealed } from '../audit/audit-store.ts';
export { BlockFollower } from '../audit/block-follower.ts';
export { BlockPage } from '../audit/block-page.ts';
export { firstSeqWhere, newestSeq, seqAt } from '../audit/blocks-back.ts';
export type { ProofContent } from '../audit/check-proof.ts';
export { sessionDetail, settleDetail } from '../audit/decision-detail.ts';
export { type AuditEntry, BlockRecords, blockHash, NO_TRANSITION } from '../audit/encode-block.ts';
export { findRecord } from '../audit/find-record.ts';
export { importedBefore } from '../audit/import-record.ts';
export { MetricsWindows } from '../audit/imported-metrics.ts';
export { type Figures, MinuteFigures } from '../audit/minute-figures.ts';
export { newestRecords } from '../audit/newest-records.ts';
export { NO_RECORD, type NotCovered, notCoveredTable } from '../audit/not-covered.ts';
export { type Look, noteRead, type ReadKind } from '../audit/note-read.ts';
export {
  type AuditPack,
  compressedInto,
  fillsPack,
  MAX_PACK_BLOCKS,
  PackCache,
  packBlocks,
  packBlocksAside,
} from '../audit/pack.ts';
export { recordPlace } from '../audit/proof.ts';
export type { NoProof } from '../audit/prove-record.ts';
export { eventCountsIn, placedRecordsIn, recordsIn } from '../audit/read-body.ts';
export {
  actorIn,
  type FoundRecord,
  RecordFilter,
  type RecordWishes,
} from '../audit/record-filter.ts';
export { formatProblem, RECORD_FORMATS } from '../audit/record-format.ts';
export { saltedSessions } from '../audit/recorded-attempts.ts';
export {
  answerText,
  type RecordedAnswer,
  type RecordedDecision,
  rederive,
} from '../audit/rederive.ts';
export { LEFT_DEAD, removedLetters } from '../audit/removed-letters.ts';
export { LogRenderer } from '../audit/render-log.ts';
export type { RenderedEvent } from '../audit/rendered-events.ts';
export {
  type ReplayedDecision,
  replayJob,
} from '../audit/replay.ts';
export {
  BATCH_IN_SPEC,
  BATCH_KEPT_MS,
  type Batch,
  type BatchCommand,
  type BatchCounts,
  type BatchFilter,
  type BatchPage,
  type BatchResult,
  type BatchStore,
  batchAnswer,
  batchCounts,
  batchDetail,
  batchPage,
  batchSubject,
  type CountedBatch,
  type EndBatchesCommand,
  type EndBatchesResult,
  followingJob,
  newBatch,
  thenCommand,
  thenIdOf,
} from '../batch/batch.ts';
export { batchNotFound } from '../batch/enqueue-batch.ts';
export { BusCalls, settledSoon, textOf } from '../bus/bus-calls.ts';
export { type BusRule, busProblems, refuseErrors } from '../bus/bus-rules.ts';
export { unreportedBreaker } from '../control/breakers.ts';
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
  type WaitingRate,
} from '../control/control-store.ts';
export type { KillScope } from '../control/kill-target.ts';
export { causeName } from '../control/parked-cause.ts';
export { PARKED_AT_MOST_MS } from '../control/rules/documents.ts';
export { ownWaitMs } from '../control/rules/own-wait.ts';
export {
  type ClaimRate,
  claimRate,
  countedValue,
  countsLanes,
  type NamedRate,
  type Rate,
  type RatedJob,
  rateOfName,
  rateRoom,
  type UsedRate,
} from '../control/rules/rate.ts';
export { type RateChange, RateRooms } from '../control/rules/rate-rooms.ts';
export { reportSource, type SourceReport, sourceReports } from '../control/source-reports.ts';
export { ActForecast, type ActSubject } from '../dead-letter/act-forecast.ts';
export { buriedByRules, buriedGroupOf, deadGroupOf, failureOf } from '../dead-letter/dead-group.ts';
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
  checkGroupPage,
  deadPage,
  foldAscii,
  MAX_TEXT_GROUPS,
} from '../dead-letter/dead-query.ts';
export { exportFileName } from '../dead-letter/export.ts';
export { EXPIRED_GROUP } from '../dead-letter/fingerprint.ts';
export { HOOK_DIGEST, hookId, hookOf } from '../dead-letter/hook.ts';
export { payloadText, redact, type ShownValues } from '../dead-letter/redact.ts';
export {
  type CauseRules,
  namedCause,
} from '../dead-letter/rules/cause-rules.ts';
export { regroupingNow } from '../dead-letter/rules/regroup-letters.ts';
export { checkRule } from '../dead-letter/rules/set-rules.ts';
export {
  actOnDocuments,
  countFailed,
  type DocumentAct,
  sendDocuments,
} from '../document/act-on-documents.ts';
export { DOCUMENT_QUEUE } from '../document/document-command.ts';
export { failedLetters } from '../document/failed-letters.ts';
export {
  failedDocuments,
  type ListedDocument,
  type PlannedDocument,
  plannedDocuments,
  stuckDocuments,
} from '../document/listed-documents.ts';
export { CLAIM_LEASE_MS } from '../document/next-step.ts';
export { handlerOf } from '../document/sweep.ts';
export { numbersIn, type RunCollection, sweepSchedule } from '../document/sweep-numbers.ts';
export type { RunParts } from '../document/sweep-run.ts';
export {
  changesBy,
  type DocumentWrite,
  type MarkChange,
  type MarkPart,
  newParts,
  newValues,
  pageBytes,
  type WriteTarget,
} from '../document-source/document-write.ts';
export {
  type Climb,
  type ClimbAttempt,
  type ClimbStep,
  climbOf,
} from '../documents/climb.ts';
export { errorWords } from '../documents/error-words.ts';
export { isCovered, targetText, wordOf } from '../documents/is-covered.ts';
export {
  type CountsByState,
  counted,
  countStates,
  countText,
  handlersOf,
  isBounded,
} from '../documents/job-counts.ts';
export { progressDocument } from '../documents/job-document.ts';
export { readLetters } from '../documents/read-letters.ts';
export {
  type AttendedOverview,
  isStopped,
  missingWorkers,
  readOverview,
  readStatus,
  type Status,
} from '../documents/status.ts';
export {
  ageText,
  formatAge,
  formatDue,
  formatDuration,
  formatTime,
  isDate,
  iso,
  isoTime,
  spanText,
} from '../documents/times.ts';
export type {
  EventDocumentStore,
  EventDocuments,
  NewestEvent,
} from '../event/event-documents.ts';
export type { Failure } from '../failing/group-failures.ts';
export { checkHandlerIsKnown } from '../handler/known-handlers.ts';
export { isOwnHandler, UPKEEP_HANDLERS } from '../handler/own-handlers.ts';
export { listOf as addressList } from '../http/forbidden-address.ts';
export { hostNames, hostOf } from '../http/host-names.ts';
export {
  addAttempt,
  attemptsBefore,
  type JobAttempt,
  NO_ATTEMPTS,
} from '../job/attempt-log.ts';
export {
  attemptsProblem,
  decodeAttempts,
  encodeAttempts,
  settledAttempts,
} from '../job/attempts-code.ts';
export { HOOK_PREFIX } from '../job/caller-id.ts';
export {
  isFinal,
  isFirstClaim,
  JOB_STATES,
  type JobOrigin,
  type Lease,
  type LeasedJob,
  type Payload,
} from '../job/job.ts';
export { accountCode, decodeSpec, encodeSpec } from '../job/job-code.ts';
export { type FailingJob, failingJobOf, summaryOf } from '../job/job-summary.ts';
export { firstRetryCount, newLife } from '../job/new-life.ts';
export {
  decodeProgress,
  encodeProgress,
  type Progress,
  progressText,
} from '../job/progress.ts';
export type { SettledState, Settlement } from '../job/settlement.ts';
export {
  isSafeAhead,
  LEASES_UNTIL_TAKEN,
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
export { againBy } from '../jobs/acts.ts';
export { accountOf } from '../jobs/hand-over.ts';
export { parsePayload } from '../jobs/parse-payload.ts';
export { checkManyCommands } from '../jobs/payload.ts';
export { ENQUEUE_RULES } from '../jobs/resolve-enqueue-options.ts';
export {
  checkReservation,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
  windowKey,
} from '../ledger/ledger-rules.ts';
export type { LedgerOptions } from '../ledger/ledger-store.ts';
export { type StoredKey, type StoredReservation, storeLedger } from '../ledger/store-ledger.ts';
export { hasWorkerForParked } from '../live-workers/handlers-without-worker.ts';
export { isAnyoneWorking } from '../live-workers/live-workers.ts';
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
export { unservedHandlers } from '../operation/operation-status.ts';
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
export { MAX_PLANNED } from '../operation/plan-acts.ts';
export type {
  ActCommand,
  ActGroup,
  Actor,
  ActResult,
  ClaimCommand,
  ClaimLane,
  ClaimResult,
  Command,
  EnqueueCommand,
  EnqueueResult,
  ExpiredJobs,
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
export { expiredJobs, wholeMs } from './commands.ts';
export {
  type FollowRefused,
  type FollowUp,
  followRefusal,
  type Holder,
  type KnownBefore,
} from './follow-ups.ts';
export { commandSize, type GroupCommit, groupCommit } from './group-commit.ts';
export {
  checkFailingScan,
  checkJobFilter,
  checkLimit,
  jobPage,
  type PagePlace,
  placeText,
  readPlace,
} from './page.ts';
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
  FAILING_STATES,
  type FailingJobs,
  type FailingRequest,
  type FailingState,
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
