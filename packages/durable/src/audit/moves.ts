import type { JobState } from '../job/job.ts';
import { type TransitionName, type TransitionRow, transitionRow } from '../job/transition-table.ts';
import type { AuditEvent } from './audit-block.ts';

/** The transitions of a job by the event of their record: the rows of the transition table that write it. */
export const MOVES = {
  enqueue: ['enqueue', 'enqueue_dead'],
  replace: ['replace'],
  claim: ['claim'],
  settle: ['settle'],
  lease_lost: ['settle'],
  unpark: ['unpark'],
  run_now: ['run_now'],
  cancel: ['cancel', 'request_cancel'],
  expire: ['expire'],
  requeue: ['requeue'],
  reset: ['reset'],
  purge: ['purge'],
  restore: ['restore'],
  regroup: ['regroup'],
  prune: ['prune'],
} satisfies Readonly<Record<string, readonly TransitionName[]>>;

export type MoveEvent = keyof typeof MOVES;

/** By how much an event raises the token, the generation and the number of attempts. */
export interface Raised {
  readonly token: 0 | 1;
  readonly generation: 0 | 1;
  readonly executions: 0 | 1;
}

function rowsOf(event: AuditEvent): readonly TransitionRow[] {
  // A note has no entry: it is not a transition.
  return (MOVES[event as MoveEvent] ?? []).map(transitionRow);
}

/** Rows with the same record raise the same numbers. */
export function raisedBy(event: AuditEvent): Raised {
  const [row] = rowsOf(event);
  return {
    token: row?.set.token?.rule === 'increment' ? 1 : 0,
    generation: row?.account === 'fresh' ? 1 : 0,
    executions: row?.account === 'claimed' ? 1 : 0,
  };
}

/** Whether an event may lead from the one state to the other. */
export function isLegalMove(
  event: AuditEvent,
  from: JobState | null,
  to: JobState | null,
): boolean {
  return rowsOf(event).some((row) => {
    const comes = from === null ? row.from === undefined : row.from?.includes(from) === true;
    return comes && to !== null && (row.to === 'same' ? to === from : row.to.includes(to));
  });
}
