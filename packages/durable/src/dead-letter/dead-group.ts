import type { ReasonCode } from '@redrive/core';
import type { AttemptLog } from '../job/attempt-log.ts';
import { type ErrorFingerprint, fingerprintOf } from './fingerprint.ts';

/** The group of everything whose deadline passed before an attempt could start: time alone did it, not an error. */
export const EXPIRED_GROUP: ErrorFingerprint = Object.freeze(
  fingerprintOf({ type: 'ttl_exceeded', message: 'the deadline passed before an attempt started' }),
);

/** The group of something that was given up after these attempts: that of its newest error, or of the reason alone. */
export function deadGroupOf(attempts: AttemptLog['kept'], reason: ReasonCode): ErrorFingerprint {
  const error = attempts.findLast((attempt) => attempt.error !== undefined)?.error;
  return fingerprintOf(error ?? { type: reason, message: '' });
}
