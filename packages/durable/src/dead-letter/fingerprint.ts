import { createHash } from 'node:crypto';
import type { ReasonCode } from '@redrive/core';
import type { AttemptLog } from '../job/attempt-log.ts';
import { normaliseMessage } from './normalise-message.ts';

/** The version of the algorithm. A new one gets a new name, so that groups of the old one do not move. */
const FINGERPRINT_VERSION = 'fp1';

/** The common part of errors with one cause. */
export interface ErrorFingerprint {
  /** `fp1:` and 16 hex digits. */
  readonly fingerprint: string;
  /** Type and message with everything replaced that differs from case to case: the name of the group, for people. */
  readonly pattern: string;
}

/**
 * Gives errors of the same cause the same name: it ignores numbers, ids, addresses, times, quoted texts and the case of
 * letters. Takes linear time, and reads the first 1,000 characters only.
 *
 * ```ts
 * fingerprintOf({ type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:5432' }).pattern;
 * // Error: connect ECONNREFUSED <addr>
 * ```
 */
export function fingerprintOf(error: {
  readonly type: string;
  readonly message: string;
}): ErrorFingerprint {
  const type = error.type.slice(0, 100).toWellFormed();
  const message = normaliseMessage(error.message);
  const hash = createHash('sha256').update(JSON.stringify([type, message.toLowerCase()]));
  return {
    fingerprint: `${FINGERPRINT_VERSION}:${hash.digest('hex').slice(0, 16)}`,
    pattern: message === '' ? type : `${type}: ${message}`,
  };
}

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
