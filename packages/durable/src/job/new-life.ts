import { chargedAttempts } from '@redrive/core/stored';
import type { EnqueueCommand } from '../store/commands.ts';
import { momentMs } from '../store/moment.ts';
import { NO_ATTEMPTS } from './attempt-log.ts';
import type { JobLife } from './job.ts';
import { dueState, lifeAfter } from './transition.ts';
import { TRANSITIONS } from './transition-table.ts';

/** How the life of an accepted job begins. One that is due already is ready at once. */
export function newLife(command: EnqueueCommand, nowMs: number): JobLife {
  const { due, deadline, account, errorClass, attempts = NO_ATTEMPTS } = command;
  const dueAtMs = due && momentMs(due, nowMs);
  const given = {
    account,
    errorClass,
    attempts,
    dueAtMs,
    deadlineMs: deadline && momentMs(deadline, nowMs),
    // Handed over within one rung: each attempt that counted was followed by a retry, the last one by this job.
    retryCount: chargedAttempts(account),
  };
  return lifeAfter(TRANSITIONS.enqueue, UNBORN, { state: dueState(dueAtMs, nowMs), given, nowMs });
}

/** Before the first revision. The rules of `enqueue` set all other fields. */
const UNBORN = { revision: 0 } as JobLife;
