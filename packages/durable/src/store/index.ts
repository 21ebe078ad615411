export type { AuditBlock, AuditEvent, AuditRecord } from '../audit/audit-block.ts';
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
  type Job,
  type JobLife,
  type JobSpec,
  type JobState,
  type JobSummary,
  type Lease,
  type LeasedJob,
  type Payload,
} from '../job/job.ts';
export type { SettledState, Settlement } from '../job/settlement.ts';
export {
  type JobEvent,
  LEGAL_FROM,
  type Refusal,
  type Transition,
  transition,
} from '../job/transition.ts';
export type * from './commands.ts';
export { type GroupCommit, type GroupCommitOptions, groupCommit } from './group-commit.ts';
export type * from './store.ts';
