import { createHash } from 'node:crypto';
import { compared, hasAddress, shown } from './cause/marks.ts';
import { normaliseMessage } from './cause/normalise-message.ts';

/** The version of the normaliser. After a change of it, workers move the stored letters to their new causes. */
export const FINGERPRINT_VERSION = 'fp1';

/** The longest pattern that is shown. */
const MAX_PATTERN = 200;

/** Types that say nothing about the error. */
const GENERIC =
  /^(?:Error|AggregateError|Exception|RuntimeError|CommandError|HttpError|HTTPError|DOMException|object|string)$/;

/** Codes of the operating system, and URLs: they name a cause on any handler. */
const SPECIFIC = new RegExp(
  [
    // Codes of the operating system.
    String.raw`(?<![\p{L}\p{N}_])E[A-Z]{3,}(?![a-z])`,
    String.raw`:\/\/`,
    // Statuses: every other number is masked by now, except exit codes and the like.
    String.raw`(?<![\p{L}\p{N}_.:/-])[45]\d\d(?![\p{L}\p{N}_.])`,
    // `ORA-00060`, `E_CONN_42`, `TS2304`.
    String.raw`(?:^|: |\[)[A-Z]{1,10}(?:_(?:[A-Z]{1,15}[_-])*\d{2,6}|-?\d{4,6})(?![\p{L}\p{N}_])`,
    // A body's code: `{code card_expired, message …}`.
    String.raw`(?:\{|, )\w{0,12}code \S`,
  ].join('|'),
  'u',
);

/** The common part of errors with one cause. */
export interface ErrorFingerprint {
  /** `fp1:` and 16 hex digits. */
  readonly fingerprint: string;
  /** Type and message with everything replaced that differs from case to case: the name of the group, for people. */
  readonly pattern: string;
}

interface FailedWith {
  readonly type: string;
  readonly message: string;
}

/**
 * Gives errors of the same cause the same name. It ignores numbers, ids, times, names of people, quoted values and the case
 * of letters; it keeps codes, names of columns and other parts of a schema, hosts and ports. An error whose type and text
 * could come from anywhere (`Error: record 7 not found`) has a cause per handler.
 *
 * ```ts
 * fingerprintOf({ type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:5432' }).pattern;
 * // Error: connect ECONNREFUSED <addr>:5432
 * ```
 */
export function fingerprintOf(error: FailedWith, handler = ''): ErrorFingerprint {
  const type = error.type.slice(0, 100).toWellFormed();
  const message = normaliseMessage(error.message);
  const isAnywhere =
    GENERIC.test(type) && message !== '' && !SPECIFIC.test(message) && !hasAddress(message);
  const key = [type, compared(message), ...(isAnywhere && handler !== '' ? [handler] : [])];
  const hash = createHash('sha256').update(JSON.stringify(key));
  const pattern = shown(message).slice(0, MAX_PATTERN).toWellFormed();
  return {
    fingerprint: `${FINGERPRINT_VERSION}:${hash.digest('hex').slice(0, 16)}`,
    pattern: pattern === '' ? type : `${type}: ${pattern}`,
  };
}

/**
 * The group of everything whose deadline passed before an attempt could start: time alone did it, not an error. Written
 * out, as `fingerprintOf` names it: the first call of it takes some milliseconds, in every process and thread that starts.
 */
export const EXPIRED_GROUP: ErrorFingerprint = Object.freeze({
  fingerprint: 'fp1:a4ce84ab05cedfa6',
  pattern: 'ttl_exceeded: the deadline passed before an attempt started',
});
