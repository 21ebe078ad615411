import { chargedAttempts } from '@redrive/core';
import type { EnqueueCommand } from '../store/commands.ts';
import { momentMs } from '../store/moment.ts';
import { NO_ATTEMPTS } from './attempt-log.ts';
import type { JobLife } from './job.ts';

/** How the life of an accepted job begins. One that is due already is ready at once. */
export function newLife(command: EnqueueCommand, nowMs: number): JobLife {
  const { due, deadline, account, errorClass, attempts = NO_ATTEMPTS } = command;
  const dueAtMs = due === undefined ? nowMs : momentMs(due, nowMs);
  const waits = dueAtMs > nowMs;
  return {
    state: waits ? 'scheduled' : 'ready',
    revision: 1,
    token: 0,
    account,
    generationAtMs: nowMs,
    deadlineMs: deadline === undefined ? undefined : momentMs(deadline, nowMs),
    dueAtMs: waits ? dueAtMs : undefined,
    cancelRequested: false,
    // Handed over within one rung: each attempt that counted was followed by a retry, the last one by this job.
    retryCount: chargedAttempts(account),
    errorClass,
    attempts,
  };
}
