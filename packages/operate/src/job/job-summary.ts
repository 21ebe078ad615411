import type { JobState } from '@redrive/durable';
import { JOB_STATES } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

/** A line of a list of jobs. */
export const JOB_SUMMARY = z.object({
  id: z.string().describe('sorts by time of creation'),
  handler: z.string().describe('the handler of the job'),
  subsystem: z.string().describe("the first part of the handler's name"),
  state: z
    .enum(JOB_STATES as readonly [JobState, ...JobState[]]) // The list is not empty.
    .meta({ 'x-notation': 'text' })
    .describe('scheduled, ready, parked, leased, succeeded, dead, cancelled or purged'),
  queue: z.string().describe('the queue'),
  tenant: z.string().nullable().describe('the tenant of the job; tenants take turns'),
  priority: z.number().describe('higher first'),
  tags: z.array(z.string()).readonly().describe('texts'),
  retry_count: z.number().describe('retries after charged attempts; 0 again after success'),
  next_retry_at: time().nullable().describe('when a scheduled or parked job is due'),
  error_class: z
    .string()
    .nullable()
    .describe('class of the newest failure: final, retryable or rate_limited; null after success'),
  reason: z.string().nullable().describe('reason code of the current state'),
  cause: z.string().nullable().describe('what a parked job waits for'),
  submitted_at: time().describe('when it was enqueued'),
  submitted_date: time().describe('the same time'),
  deadline: time().nullable().describe('no attempt starts after it'),
  finished_at: time().nullable().describe('when it finished'),
  generation: z.number().describe('from 1; each requeue increments it'),
  attempts_made: z.number().describe('attempts in this generation, the running one included'),
  worker: z.string().nullable().describe('the worker that runs it now'),
  cancel_requested: z.boolean().describe('true: the job runs, and a cancellation was requested'),
  session_id: z.string().describe('the id of the job, or of the call that handed it over'),
  correlation_id: z.string().describe('as given, else the session id'),
  policy: z
    .string()
    .nullable()
    .describe("the job's own, where it names one; of one job: else that of its newest attempt"),
  batch: z.string().nullable().describe('id of the batch that counts it'),
  unique_key: z.string().nullable().describe('the unique key: at most one unfinished job has it'),
  last_error: z
    .object({
      type: z.string().describe('its type'),
      message: z.string().describe('its message'),
    })
    .nullable()
    .describe("the newest attempt's error"),
});
