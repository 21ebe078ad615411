import type { AttemptContext } from '@redrive/core';
import { RetryableError } from '../handler/handler-errors.ts';

/**
 * Wraps an `AbortError` that the signal of its attempt did not cause, such as one of a driver's time limit. `retry` takes
 * every `AbortError` for the caller's cancellation, but the event was not cancelled and is not handled yet.
 */
class StrayAbort extends RetryableError {}

/** Runs an attempt. A stray abort fails it like any other error, as for stored events (`strayAborts: 'classified'`). */
export async function withStrayAborts<T>(
  context: AttemptContext,
  run: () => T,
): Promise<Awaited<T>> {
  try {
    return await run();
  } catch (error) {
    const isAbort = error instanceof Error && (error.name === 'AbortError' || isAbortCode(error));
    // Last, because reading the signal creates it.
    throw isAbort && !context.signal.aborted
      ? new StrayAbort(error.message, { cause: error })
      : error;
  }
}

/** The error as it was thrown. */
export function thrownBy(error: unknown): unknown {
  return error instanceof StrayAbort ? error.cause : error;
}

function isAbortCode(error: Error): boolean {
  return 'code' in error && error.code === 'ABORT_ERR';
}
