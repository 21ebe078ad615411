import type { ReasonCode } from '@redrive/core';
import type { AttemptLog } from '../job/attempt-log.ts';
import type { ErrorFingerprint } from './fingerprint.ts';
import { type CauseRules, causeRules, type FailureFacts } from './rules/cause-rules.ts';

const NO_RULES = causeRules([]);

/**
 * What a job was given up for after these attempts: the newest error of its newest generation, or the reason alone. Errors of
 * earlier generations do not count: an operator has sent the job back since.
 */
export function failureOf(
  handler: string,
  attempts: AttemptLog['kept'],
  reason: ReasonCode,
): FailureFacts {
  const generation = attempts.at(-1)?.generation;
  const error = attempts.findLast(
    (attempt) => attempt.generation === generation && attempt.error !== undefined,
  )?.error;
  const { type, message, code, cause } = error ?? { type: reason, message: '' };
  return { handler, type, message, code, cause };
}

/** The group of a job that was given up after these attempts. */
export function deadGroupOf(
  handler: string,
  attempts: AttemptLog['kept'],
  reason: ReasonCode,
  rules: CauseRules = NO_RULES,
): ErrorFingerprint {
  return rules.causeOf(failureOf(handler, attempts, reason));
}
