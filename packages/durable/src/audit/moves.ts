import type { JobState } from '../job/job.ts';
import { LEGAL_FROM } from '../job/transition.ts';
import type { AuditEvent, NoteEvent } from './audit-block.ts';

/** What happens to a job. */
export type MoveEvent = Exclude<AuditEvent, NoteEvent>;

export interface Move {
  readonly from: readonly (JobState | null)[];
  readonly to: readonly JobState[];
  /** By how much it raises the token, the generation and the number of attempts. */
  readonly token: 0 | 1;
  readonly generation: 0 | 1;
  readonly executions: 0 | 1;
}

const STILL = { token: 0, generation: 0, executions: 0 } as const;
const SETTLED: Move = {
  ...STILL,
  from: LEGAL_FROM.settle,
  to: ['succeeded', 'scheduled', 'ready', 'parked', 'dead', 'cancelled'],
  token: 1,
};

/** `transition()` as its records show it. A test compares the two. */
export const MOVES: Readonly<Record<MoveEvent, Move>> = {
  enqueue: { ...STILL, from: [null], to: ['scheduled', 'ready'] },
  replace: { ...STILL, from: LEGAL_FROM.replace, to: ['scheduled', 'ready'] },
  claim: { ...STILL, from: LEGAL_FROM.claim, to: ['leased'], token: 1, executions: 1 },
  settle: SETTLED,
  lease_lost: SETTLED,
  unpark: { ...STILL, from: LEGAL_FROM.unpark, to: ['ready'] },
  run_now: { ...STILL, from: LEGAL_FROM.run_now, to: ['ready'] },
  cancel: { ...STILL, from: LEGAL_FROM.cancel, to: ['cancelled', 'leased'] },
  expire: { ...STILL, from: LEGAL_FROM.expire, to: ['dead'] },
  requeue: { ...STILL, from: LEGAL_FROM.requeue, to: ['ready'], token: 1, generation: 1 },
  reset: { ...STILL, from: LEGAL_FROM.reset, to: LEGAL_FROM.reset, token: 1, generation: 1 },
  purge: { ...STILL, from: LEGAL_FROM.purge, to: ['purged'] },
  restore: { ...STILL, from: LEGAL_FROM.restore, to: LEGAL_FROM.purge },
  prune: { ...STILL, from: ['succeeded', 'dead', 'cancelled', 'purged'], to: ['purged'] },
};

/** Nothing leads to a note, and nothing follows from it. */
const NO_MOVE: Move = { ...STILL, from: [], to: [] };

export function moveOf(event: AuditEvent): Move {
  // A note has no entry.
  return MOVES[event as MoveEvent] ?? NO_MOVE;
}

/** Whether an event may lead from the one state to the other. */
export function isLegalMove(
  event: AuditEvent,
  from: JobState | null,
  to: JobState | null,
): boolean {
  const move = moveOf(event);
  if (to === null || !move.from.includes(from) || !move.to.includes(to)) return false;
  if (event === 'reset') return from === to;
  // Cancelling a leased job is a request; all others are over at once.
  return event !== 'cancel' || (from === 'leased') === (to === 'leased');
}
