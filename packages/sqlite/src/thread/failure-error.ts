import { RedriveError } from '@redrive/core';
import type { Failure } from './protocol.ts';

/** The error of a call that failed on the other side. `name` is the store's. */
export function failureError(failure: Failure, name: string): RedriveError {
  const { message, code, details, errcode, isCallersFault } = failure;
  if (code !== undefined) return new RedriveError(code, message, details);
  if (!isCallersFault) return unavailable(name, message, { errcode });
  const text = `The store ${name} cannot keep what it was given: ${message}.`;
  return new RedriveError('invalid_job', text, { store: name, errcode, isCallersFault });
}

/** Whether a call failed because of what its caller brought, and has written nothing. */
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
