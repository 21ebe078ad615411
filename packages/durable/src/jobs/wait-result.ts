import { RedriveError } from '@redrive/core';
import type { Job } from '../job/job.ts';
import { notFound } from './acts.ts';

/** What whoever waited for a finished job gets. @throws RedriveError where it did not succeed. */
export function waitResult(job: Job): unknown {
  const { id, handler, state, reason, result, resultOmittedBytes } = job;
  if (state === 'purged') throw notFound(id);
  if (state !== 'succeeded') {
    const error = job.attempts.kept.at(-1)?.error;
    const lastError = error && { type: error.type, message: error.message };
    throw new RedriveError(
      'job_failed',
      `Job ${id} of ${handler} is ${state}: ${reason}${error ? ` (${error.message})` : ''}`,
      { id, state, reason, lastError },
    );
  }
  if (resultOmittedBytes !== undefined) {
    throw new RedriveError(
      'payload_too_large',
      `Job ${id} of ${handler} succeeded, but its result of ${resultOmittedBytes} bytes was too large to be kept`,
      { id, bytes: resultOmittedBytes },
    );
  }
  return result === undefined ? undefined : JSON.parse(result);
}
