import type { ReasonCode } from '@redrive/core';
import type { AttemptLog } from '../job/attempt-log.ts';
import { type ErrorFingerprint, fingerprintOf } from './fingerprint.ts';

/** The group of everything whose deadline passed before an attempt could start: time alone did it, not an error. */
export const EXPIRED_GROUP: ErrorFingerprint = Object.freeze(
  fingerprintOf({ type: 'ttl_exceeded', message: 'the deadline passed before an attempt started' }),
);

/**
 * The group of something that was given up after these attempts: that of the newest error of its newest generation, or
 * of the reason alone. Errors of earlier generations do not count: an operator has sent the job back since.
 */
export function deadGroupOf(attempts: AttemptLog['kept'], reason: ReasonCode): ErrorFingerprint {
  const generation = attempts.at(-1)?.generation;
  const error = attempts.findLast(
    (attempt) => attempt.generation === generation && attempt.error !== undefined,
  )?.error;
  return fingerprintOf(error ?? { type: reason, message: '' });
}
