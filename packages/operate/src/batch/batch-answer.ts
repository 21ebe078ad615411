import type { CountedBatch } from '@redrive/durable';
import { followingJob, iso, thenIdOf } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const BATCH = z.object({
  id: z.string().describe('its id'),
  tenant: z.string().nullable().describe('the tenant of its jobs'),
  state: z
    .enum(['open', 'sealed', 'ended'])
    .describe('open: it takes further jobs; sealed: it takes none; ended: all jobs have finished'),
  total: z.number().describe('its jobs, with those that retention has deleted'),
  waiting: z.number().describe('jobs that are scheduled, ready or parked'),
  running: z.number().describe('jobs that run now'),
  succeeded: z.number().describe('jobs that succeeded'),
  dead: z.number().describe('jobs that were given up'),
  cancelled: z.number().describe('jobs that were cancelled'),
  purged: z.number().describe('jobs that were purged'),
  then: z.string().nullable().describe('the handler of the job that follows; null: none does'),
  then_job: z.string().nullable().describe('id of that job; null: it is not enqueued yet, or none'),
  by: z.string().describe('who opened it'),
  opened_at: time().describe('when it was opened'),
  sealed_at: time().nullable().describe('when it was sealed'),
  ended_at: time().nullable().describe('when it ended'),
});
export type BatchAnswer = z.output<typeof BATCH>;

export function batchAnswer({ counts, ...batch }: CountedBatch): BatchAnswer {
  const { id, tenant, state, then, by, openedAtMs, sealedAtMs, endedAtMs } = batch;
  const follows = then === undefined ? null : followingJob(then).handler;
  return {
    id,
    tenant: tenant === '' ? null : tenant,
    state,
    ...counts,
    then: follows,
    then_job: follows !== null && state === 'ended' ? thenIdOf(id) : null,
    by,
    opened_at: iso(openedAtMs),
    sealed_at: sealedAtMs === undefined ? null : iso(sealedAtMs),
    ended_at: endedAtMs === undefined ? null : iso(endedAtMs),
  };
}
