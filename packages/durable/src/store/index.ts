export {
  type Anchor,
  type AuditHead,
  anchorHash,
  blockLeaf,
  LEAF_WRITER,
  MAX_SEGMENT_BLOCKS,
  type PlacedBlock,
  positionOf,
  sealBlocks,
} from '../audit/anchor.ts';
export type { AuditBlock, AuditEvent, AuditRecord, NoteEvent } from '../audit/audit-block.ts';
export { actDetail, actorDetail, claimDetail, enqueueDetail } from '../audit/audit-detail.ts';
export type { AuditReader, JobLookup } from '../audit/audit-reader.ts';
export type { AuditStore, Compressed, CompressOptions } from '../audit/audit-store.ts';
export { BlockPage } from '../audit/block-page.ts';
export { sessionDetail, settleDetail } from '../audit/decision-detail.ts';
export { blockHash, bodyOf, encodeRecord, recordTail } from '../audit/encode-block.ts';
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
export { isRecord as isAuditRecord } from '../audit/read-body.ts';
export type { AuditedRow } from '../audit/row-facts.ts';
export { checkControl } from '../control/check-control.ts';
export * from '../control/control-store.ts';
export { ActForecast, type ActSubject } from '../dead-letter/act-forecast.ts';
export { deadGroupOf, EXPIRED_GROUP } from '../dead-letter/dead-group.ts';
export {
  type BoundedCount,
  type DeadFilter,
  type DeadGroup,
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
export type { ErrorFingerprint } from '../dead-letter/fingerprint.ts';
export { accountCode } from '../job/account-code.ts';
export {
  type AttemptLog,
  addAttempt,
  attemptsBefore,
  type JobAttempt,
  MAX_KEPT_ATTEMPTS,
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
  type FinalState,
  isFinal,
  isFirstClaim,
  JOB_STATES,
  type Job,
  type JobLife,
  type JobSpec,
  type JobState,
  type JobSummary,
  type Lease,
  type LeasedJob,
  type Payload,
} from '../job/job.ts';
export { summaryOf } from '../job/job-summary.ts';
export { newLife } from '../job/new-life.ts';
export type { Added, SettledState, Settlement } from '../job/settlement.ts';
export {
  companyLimit,
  lossesOf,
  MAX_SUSPECTS,
  SUSPECT_LOSSES,
  type Suspect,
} from '../job/suspects.ts';
export {
  type JobEvent,
  LEGAL_FROM,
  type Refusal,
  type Transition,
  transition,
} from '../job/transition.ts';
export {
  accountRule,
  changesSql,
  type JobColumn,
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
export type { LedgerOptions, LedgerStore } from '../ledger/ledger-store.ts';
export { type StoredKey, type StoredReservation, storeLedger } from '../ledger/store-ledger.ts';
export {
  decodeWorker,
  type EncodedReport,
  encodeReport,
  GONE_AFTER_MS,
  MAX_DELETED_WORKERS,
  REPORT_EVERY_MS,
  WORKER_KEPT_MS,
  type WorkerColumns,
  workerBounds,
  workerPage,
} from '../live-workers/worker-report.ts';
export type * from '../live-workers/worker-store.ts';
export { compareText } from '../memory/compare-text.ts';
export type * from '../operation/operation.ts';
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
export { checkFailingScan, checkLimit } from './check-limit.ts';
export { commandSize } from './command-size.ts';
export type * from './commands.ts';
export type { FullStore } from './full-store.ts';
export { type GroupCommit, type GroupCommitOptions, groupCommit } from './group-commit.ts';
export { keptWhy } from './kept-why.ts';
export { momentMs } from './moment.ts';
export { type PagePlace, placeText, readPlace } from './page-place.ts';
export {
  problemText,
  type SetAsideJob,
  type UnreadableJob,
  type UnreadablePage,
  type UnreadableRows,
} from './set-aside.ts';
export * from './store.ts';
export { TimeLimit } from './time-limit.ts';
export { wholeMs } from './whole-ms.ts';
