import { isRedriveError } from '@redrive/core';
import { errcodeOf } from '../database/errcode.ts';
import type { Failure } from './protocol.ts';

/** Primary result codes of SQLite that tell of bad data and nothing else: TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const BAD_DATA: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** The description of an error for the other side. */
export function describeError(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (isRedriveError(error)) {
    const { code, details } = error;
    return { message, code, details, isCallersFault: false };
  }
  const errcode = errcodeOf(error);
  const isBadData = errcode !== undefined && BAD_DATA.has(errcode & 0xff);
  // Node refuses values that SQLite has no type for before SQLite sees them.
  const isBadType = error instanceof TypeError || error instanceof RangeError;
  return { message, errcode, isCallersFault: isBadData || isBadType };
}
