import { chargedAttempts } from '@redrive/core/stored';
import { buriedGroupOf } from '../dead-letter/dead-group.ts';
import { type EnqueueCommand, momentMs } from '../store/commands.ts';
import { NO_ATTEMPTS } from './attempt-log.ts';
import type { JobLife } from './job.ts';
import { dueState, lifeAfter } from './transition.ts';
import { TRANSITIONS } from './transition-table.ts';

/** How the life of an accepted job begins. A job that is due already is ready at once. */
export function newLife(command: EnqueueCommand, nowMs: number): JobLife {
  const { due, deadline, account, errorClass, attempts = NO_ATTEMPTS, dead } = command;
  const dueAtMs = due && momentMs(due, nowMs);
  const given = {
    account,
    errorClass,
    attempts,
    dueAtMs,
    deadlineMs: deadline && momentMs(deadline, nowMs),
    retryCount: firstRetryCount(command),
  };
  if (dead !== undefined) {
    const { fingerprint } = buriedGroupOf(command);
    const buried = { ...given, reason: dead.reason, fingerprint };
    return lifeAfter(TRANSITIONS.enqueue_dead, UNBORN, { state: 'dead', given: buried, nowMs });
  }
  return lifeAfter(TRANSITIONS.enqueue, UNBORN, { state: dueState(dueAtMs, nowMs), given, nowMs });
}

/** Handed over within one rung: each attempt that counted was followed by a retry, the last one by this job. */
export function firstRetryCount({ account, dead }: EnqueueCommand): number {
  const charged = chargedAttempts(account);
  return dead === undefined ? charged : Math.max(0, charged - 1);
}

/** Before the first revision. The rules of `enqueue` set all other fields. */
const UNBORN = { revision: 0 } as JobLife;
