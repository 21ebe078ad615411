import { RedriveError } from '@redrive/core';
import type { Failure } from './protocol.ts';

/** The error of a call that failed on the other side. `name` is the store's. */
export function failureError(failure: Failure, name: string): RedriveError {
  const { message, code, details, errcode, isCallersFault } = failure;
  if (code !== undefined) return new RedriveError(code, message, details);
  if (!isCallersFault) {
    return isReadOnly(errcode) ? forbidden(name, message) : unavailable(name, message, { errcode });
  }
  const text = `The store ${name} cannot store this job: ${message}.`;
  return new RedriveError('invalid_job', text, { store: name, errcode, isCallersFault });
}

/** SQLITE_PERM and SQLITE_READONLY: the rights of an open file were taken away, or it lies on a read-only mount. */
function isReadOnly(errcode: number | undefined): boolean {
  const primary = (errcode ?? 0) & 0xff;
  return primary === 3 || primary === 8;
}

function forbidden(name: string, message: string): RedriveError {
  const text = `This user may not write the store ${name}: ${message}. Let the user of this process write the file and its directory.`;
  return new RedriveError('store_forbidden', text, { store: name });
}

/** Whether a call failed because of its own data, and has written nothing. */
export function isCallersFault(error: unknown): boolean {
  return error instanceof RedriveError && error.details.isCallersFault === true;
}

/** The store itself is the problem. */
export function unavailable(
  name: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: Error,
): RedriveError {
  const text = `The store ${name} cannot be used: ${message}.`;
  return new RedriveError(
    'store_unavailable',
    text,
    { store: name, ...details },
    cause && { cause },
  );
}
