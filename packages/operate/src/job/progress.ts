import type { Clock } from '@redrive/core';
import type { Job } from '@redrive/durable';
import { isFinal, progressDocument } from '@redrive/durable/store';
import * as z from 'zod';
import { pause } from '../action/pause.ts';
import { time } from '../action/scalars.ts';
import { JOB_SUMMARY } from './job-summary.ts';

const EVERY_MS = 1_000;
/** A stream ends then, and its reader asks again: a revoked token has no stream for ever. */
const MAX_WATCH_MS = 900_000;

export const PROGRESS = z.object({
  fraction: z.number().describe('from 0 to 1'),
  note: z.string().nullable().describe('in words; null: none was given'),
  since: time().describe('since when it has been the same'),
});

/** A job as it is at one moment. */
export const WATCHED = z.object({
  id: z.string().describe('the job'),
  handler: z.string().describe('its handler'),
  state: JOB_SUMMARY.shape.state,
  attempts_made: JOB_SUMMARY.shape.attempts_made,
  worker: JOB_SUMMARY.shape.worker,
  progress: PROGRESS.nullable().describe('of the running attempt; null: it has reported none'),
  reason: JOB_SUMMARY.shape.reason,
  last_error: JOB_SUMMARY.shape.last_error,
  finished: z.boolean().describe('true: it is succeeded, dead, cancelled or purged'),
});
export type Watched = z.input<typeof WATCHED>;

function watched(job: Job): Watched {
  const error = job.attempts.kept.at(-1)?.error;
  return {
    id: job.id,
    handler: job.handler,
    state: job.state,
    attempts_made: job.account.claims,
    worker: job.lease?.worker ?? null,
    progress: job.lease?.progress ? progressDocument(job.lease.progress) : null,
    reason: job.reason ?? null,
    last_error: error ? { type: error.type, message: error.message } : null,
    finished: isFinal(job.state),
  };
}

/** The job now, and whenever it has changed: until it has finished, or is deleted. */
export async function* watchJob(
  first: Job,
  read: () => Promise<Job | undefined>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Watched> {
  const endMs = clock.monotonic() + MAX_WATCH_MS;
  let said = '';
  for (let job: Job | undefined = first; job !== undefined; job = await read()) {
    const now = watched(job);
    const text = JSON.stringify(now);
    if (text !== said) yield now;
    said = text;
    if (now.finished || clock.monotonic() >= endMs) return;
    await pause(clock, EVERY_MS, signal);
    if (signal.aborted) return;
  }
}
