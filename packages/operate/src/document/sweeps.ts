import { schedules } from '@redrive/durable/control';
import { SWEEP_HANDLER } from '@redrive/durable/documents';
import { numbersIn, sendDocuments } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { moment, nameText } from '../action/scalars.ts';
import { scheduleAnswer } from '../schedule/schedule-answer.ts';
import { SCHEDULE } from '../schedule/schedule-schema.ts';
import { sweepOf } from './known-sweep.ts';
import { COLLECTION, noDocument } from './stuck.ts';

const by = (meaning: string) => z.record(z.string(), z.number()).optional().describe(meaning);
const gauge = (documents: string) =>
  by(`${documents} after the last run, by collection, counted up to 100,000`);
const number = (meaning: string) => z.number().optional().describe(meaning);

/** The numbers of all sweeps, as their metrics are called. */
const NUMBERS = z.object({
  retry_job_documents_requeued_total: by('documents whose event was sent again, by collection'),
  retry_job_documents_skipped_backoff_total: by(
    'documents that were stuck and waited for their back-off, by collection',
  ),
  retry_job_documents_max_retries_exceeded_total: by(
    'documents that were marked as failed, by collection',
  ),
  retry_job_runs_total: by('runs, by success and failure'),
  retry_job_errors_total: by('errors, by type'),
  retry_job_stuck_documents: gauge('stuck documents'),
  retry_job_failed_documents: gauge('failed documents'),
  retry_job_documents_waiting: gauge('documents whose event waits to be sent'),
  retry_job_duration_seconds_sum: number('seconds of all runs together'),
  retry_job_duration_seconds_count: number('runs'),
  retry_job_duration_seconds_bucket: by('runs that took at most this many seconds'),
  retry_job_last_success_timestamp_seconds: number(
    'when the last successful run ended, in Unix time; absent: none did',
  ),
});

export const SWEEPS = {
  status: action({
    at: 'GET /v1/sweeps',
    summary: 'show the numbers of all sweeps so far',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: NUMBERS.extend({
      schedule: SCHEDULE.pick({
        ...{ every_ms: true, cron: true, time_zone: true },
        ...{ state: true, next: true, stopped_as: true },
      })
        .nullable()
        .describe('the schedule of sweeps; null: there was no sweep yet'),
    }),
    run: async ({ store, asOf }) => {
      const { nowMs, schedules: all } = await schedules(store);
      asOf(nowMs);
      const found = all.find(({ name }) => name === SWEEP_HANDLER);
      if (found === undefined) return { schedule: null };
      const { every_ms, cron, time_zone, state, next, stopped_as } = scheduleAnswer(found, nowMs);
      const schedule = { every_ms, cron, time_zone, state, next, stopped_as };
      return { ...NUMBERS.parse(numbersIn(found.totals)), schedule };
    },
  }),

  schedule: act({
    at: 'POST /v1/sweeps/:collection/schedule',
    summary: 'send the event of one document at a given time',
    details:
      'It enqueues a job that claims the document when it runs, whatever its age and its back-off are, and counts an attempt. A document that is done by then is not sent. A failed document is pending again.',
    role: 'operator',
    refusals: { no_match: 'there is no such document', conflict: 'the document is done' },
    input: z.strictObject({
      collection: COLLECTION,
      id: nameText().describe('id of the document'),
      at: moment.optional().describe('a time, or +2h; default: now'),
    }),
    answer: z.object({
      collection: z.string().describe('its name'),
      document: z.string().describe('its id'),
      job: z.string().nullable().describe('the job that sends the event; null: a dry run'),
    }),
    run: async (context, { collection, id, at, dry_run }) => {
      const { store, actor, clock } = context;
      const sweep = await sweepOf(context, collection);
      const wish = { ids: [id], actor, clock, due: at, dryRun: dry_run };
      const { sent, refused } = await sendDocuments(store, sweep, wish);
      for (const { why, exists } of refused) {
        if (!exists) throw noDocument(collection, id);
        throw new Refusal('conflict', `Document ${id} of ${collection} ${why}.`);
      }
      return { collection, document: id, job: dry_run ? null : (sent[0]?.job ?? null) };
    },
  }),
};
