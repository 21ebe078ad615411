import { type AttemptAccount, viewOf } from '@redrive/core/stored';
import type { JobState } from '../job/job.ts';
import type { AuditRecord } from './audit-block.ts';
import type { AuditPlace, AuditProblems } from './audit-problem.ts';
import { checkDraw, type ReadDecision } from './decision-check.ts';
import { isLegalMove, raisedBy } from './moves.ts';
import type { RecordedAnswer } from './rederive.ts';
import { accountAfter, factsAfter, type RowFacts } from './row-facts.ts';

/** A record with the block that it is in, and its decision if it has one that can be derived again. */
export interface TrailRecord {
  readonly record: AuditRecord;
  /** Sequence number. */
  readonly block: number;
  readonly decision?: ReadDecision | undefined;
}

/** The state of a job after the records so far. */
export interface JobTrail {
  /** 0: no record yet. */
  revision: number;
  state: JobState | null;
  token: number;
  generation: number;
  executions: number;
  /** Sequence number of the block with its newest record. */
  block: number;
  /** Deleted for good. Its id may be used again, by a job that begins at revision 1. */
  ended: boolean;
  cancelRequested: boolean;
  /** Where it differs from the job's id. */
  session: string | undefined;
  /** As the decisions must have seen it, and as its row must have it. `undefined`: not known. */
  account: AttemptAccount | undefined;
  /** Its state before it was purged. */
  purgedFrom: JobState | null;
  /** The facts that its row must have. `undefined`: not known, because records are missing. */
  facts: RowFacts | undefined;
  /** Its row could not be read, and was taken out of the order of claims. */
  isSetAside: boolean;
}

export function newTrail(): JobTrail {
  return {
    revision: 0,
    state: null,
    token: 0,
    generation: 1,
    executions: 0,
    block: 0,
    ended: false,
    cancelRequested: false,
    session: undefined,
    account: undefined,
    purgedFrom: null,
    facts: undefined,
    isSetAside: false,
  };
}

/** Revision that the next record must have. */
export function nextRevision(trail: JobTrail): number {
  return trail.ended ? 1 : trail.revision + 1;
}

/** Takes the next record of a job: checks that it follows from the ones before, and moves the trail on. */
export function follow(trail: JobTrail, entry: TrailRecord, problems: AuditProblems): void {
  const { record, block } = entry;
  const { id, revision, event, from, to, token, generation, executions, previousBlock } = record;
  const where = { block, id, revision };
  if (trail.ended) Object.assign(trail, newTrail());
  if (event === 'enqueue') begin(trail, record);
  checkMove(trail, record, where, problems);
  checkCounts(trail, record, where, problems);
  problems.compare('pointer', where, trail.block, previousBlock);
  if (entry.decision !== undefined) checkInput(trail, record, entry.decision, where, problems);
  trail.facts = factsAfter(trail, record);
  trail.account = accountAfter(trail.account, record);
  if (event === 'purge') trail.purgedFrom = from;
  if (event === 'restore') trail.purgedFrom = null;
  if (event === 'cancel' && to === 'leased') trail.cancelRequested = true;
  if (event === 'requeue') trail.cancelRequested = false;
  trail.revision = revision;
  trail.state = to;
  trail.token = token;
  trail.generation = generation;
  trail.executions = executions;
  trail.block = block;
  trail.ended = event === 'prune';
}

/** Goes on from a record although the ones before it are missing, so that one gap is one problem. */
export function resume(trail: JobTrail, record: AuditRecord): void {
  const { revision, event, from, token, generation, executions, previousBlock } = record;
  const raised = raisedBy(event);
  Object.assign(trail, newTrail(), {
    revision: revision - 1,
    state: from,
    token: token - raised.token,
    generation: generation - raised.generation,
    executions: executions - raised.executions,
    block: previousBlock,
    session: trail.session,
  });
}

function begin(trail: JobTrail, record: AuditRecord): void {
  const {
    id,
    detail: { session },
  } = record;
  trail.session = typeof session === 'string' && session !== id ? session : undefined;
  trail.account = accountAfter(undefined, record);
  trail.generation = trail.account?.generation ?? 1;
  trail.executions = trail.account?.executions ?? 0;
}

function checkMove(
  trail: JobTrail,
  { event, from, to }: AuditRecord,
  where: AuditPlace,
  problems: AuditProblems,
): void {
  const found = `${event} from ${from} to ${to}`;
  // The promotion of a due job leaves no record.
  const promoted = trail.state === 'scheduled' && from === 'ready';
  if (from !== trail.state && !promoted) {
    problems.add('transition', where, `an event from ${trail.state}`, found);
  } else if (!isLegalMove(event, from, to)) {
    problems.add('transition', where, 'what transition() allows', found);
  } else if (event === 'restore' && trail.purgedFrom !== null && to !== trail.purgedFrom) {
    problems.add('transition', where, `back to ${trail.purgedFrom}`, found);
  }
}

function checkCounts(
  trail: JobTrail,
  { event, token, generation, executions }: AuditRecord,
  where: AuditPlace,
  problems: AuditProblems,
): void {
  const raised = raisedBy(event);
  const expected = {
    token: trail.token + raised.token,
    generation: trail.generation + raised.generation,
    executions: trail.executions + raised.executions,
  };
  if (
    token !== expected.token ||
    generation !== expected.generation ||
    executions !== expected.executions
  ) {
    problems.add('count', where, expected, { token, generation, executions });
  }
}

/** Checks that the input of `decide` follows from the records before, and that the job went where `decide` answered. */
function checkInput(
  trail: JobTrail,
  { id, to, executions }: AuditRecord,
  decision: ReadDecision,
  where: AuditPlace,
  problems: AuditProblems,
): void {
  if (trail.account !== undefined) {
    const view = viewOf(trail.account);
    const given = decision.input.account;
    const same = VIEW_FIELDS.every((field) => view[field] === given?.[field]);
    if (!same) problems.add('input', where, view, given);
  }
  checkDraw(decision, trail.session ?? id, executions, where, problems);
  const expected = stateAfter(decision.answer, trail.cancelRequested);
  problems.compare('transition', where, `to ${expected}`, `to ${to}`);
}

const VIEW_FIELDS = ['charged', 'freeWaits', 'freeWaitMs', 'lastDelayMs'] as const;

/** Where an answer of `decide` leads a stored job. */
export function stateAfter(
  { action, reason, delayMs = 0 }: RecordedAnswer,
  cancelRequested: boolean,
): JobState {
  if (action === 'succeed') return 'succeeded';
  if (action === 'give-up') return reason === 'cancelled' ? 'cancelled' : 'dead';
  if (cancelRequested) return 'cancelled';
  if (action === 'park') return 'parked';
  return delayMs > 0 ? 'scheduled' : 'ready';
}
