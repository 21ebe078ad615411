import type { AttemptContext } from '@redrive/core';
import { RetryableError } from '../handler/handler-errors.ts';

/**
 * An `AbortError` that the signal of its attempt did not cause, such as the own time limit of a driver. `retry` takes any
 * for the caller's cancellation; but nobody cancelled the event, and it is not handled yet.
 */
class StrayAbort extends RetryableError {}

/** Runs an attempt whose stray aborts are failures like any other, as they are for stored events. */
export async function withStrayAborts<T>(
  context: AttemptContext,
  run: () => T,
): Promise<Awaited<T>> {
  try {
    return await run();
  } catch (error) {
    const isAbort = error instanceof Error && (error.name === 'AbortError' || isAbortCode(error));
    // The signal is made when it is read.
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
