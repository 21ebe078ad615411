import type { ActCommand } from '../store/commands.ts';
import { momentMs } from '../store/moment.ts';
import type { JobEvent } from './transition.ts';

/** The event that an operator's act is to its job. */
export function actEvent({ act, deadline }: ActCommand, nowMs: number): JobEvent {
  switch (act) {
    case 'unpark':
      return { kind: act, byHand: true };
    case 'requeue':
      return { kind: act, deadlineMs: deadline && momentMs(deadline, nowMs) };
    default:
      return { kind: act };
  }
}
