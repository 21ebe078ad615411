import type { HandedOverWork } from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';
import { DECIDE_VERSION, sanitiseError } from '@redrive/core/stored';
import { type AttemptLog, addAttempt, type JobAttempt, NO_ATTEMPTS } from '../job/attempt-log.ts';

/**
 * The attempts of the rung before, as they are kept with the job: one history for the whole session. Past the limit of a
 * log the first one and the newest stay.
 *
 * @param by who made them: a call runs in no worker.
 */
export function handedOverAttempts(work: HandedOverWork, by: string): AttemptLog {
  const { attempts, policy, policyId, rung, totalAttempts } = work;
  const shared = {
    generation: 1,
    // In process every attempt counts.
    entry: 'failed',
    worker: by,
    policyId,
    policyHash: hashPolicy(policy),
    maxAttempts: policy.enabled ? policy.maxAttempts : 1,
    // Attempts of an event stay on the rung of its job.
    rung: rung === 'event' ? undefined : rung,
    decideVersion: DECIDE_VERSION,
  } as const;
  const { kept } = attempts.reduce(
    (log, attempt) => addAttempt(log, { ...shared, ...ownPart(attempt, work) }),
    NO_ATTEMPTS,
  );
  return { kept, omitted: Math.max(0, totalAttempts - kept.length) };
}

function ownPart(
  failed: HandedOverWork['attempts'][number],
  { totalAttempts, ...work }: HandedOverWork,
): Omit<JobAttempt, 'generation' | 'entry' | 'worker' | 'policyHash' | 'maxAttempts'> {
  const { attempt, startedAtMs, durationMs, delayBeforeMs, delayMs, errorClass, reason } = failed;
  return {
    attempt,
    startedAtMs,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    delayBeforeMs,
    delayMs,
    errorClass,
    reason,
    action:
      attempt < totalAttempts ? 'retry' : 'dead' in work && work.dead ? 'give-up' : 'hand-over',
    error: sanitiseError(failed.error),
  };
}
