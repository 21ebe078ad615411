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
export type { AuditStore } from '../audit/audit-store.ts';
export { sessionDetail, settleDetail } from '../audit/decision-detail.ts';
export { blockHash, bodyOf, encodeRecord, recordTail } from '../audit/encode-block.ts';
export {
  type AttemptLog,
  addAttempt,
  type JobAttempt,
  MAX_KEPT_ATTEMPTS,
  NO_ATTEMPTS,
} from '../job/attempt-log.ts';
export {
  type FinalState,
  isFinal,
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
  type JobEvent,
  LEGAL_FROM,
  type Refusal,
  type Transition,
  transition,
} from '../job/transition.ts';
export { compareText } from '../memory/compare-text.ts';
export { checkLimit } from './check-limit.ts';
export { commandSize } from './command-size.ts';
export type * from './commands.ts';
export { type GroupCommit, type GroupCommitOptions, groupCommit } from './group-commit.ts';
export { momentMs } from './moment.ts';
export type * from './store.ts';
export { TimeLimit } from './time-limit.ts';
