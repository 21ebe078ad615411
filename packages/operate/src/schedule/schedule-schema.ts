import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const SCHEDULE = z.object({
  name: z.string().describe('its name'),
  every_ms: z.number().nullable().describe('its interval; null: it has a cron expression'),
  cron: z.string().nullable().describe('its cron expression; null: it has an interval'),
  time_zone: z.string().nullable().describe('the time zone of the cron expression'),
  handler: z.string().describe('the handler of its jobs'),
  queue: z.string().describe('the queue of its jobs'),
  tenant: z.string().nullable().describe('the tenant of its jobs'),
  priority: z.number().describe('the priority of its jobs'),
  overlap: z
    .enum(['skip', 'queue'])
    .describe('for a tick while the job of an earlier tick is unfinished'),
  missed: z
    .enum(['none', 'last'])
    .describe('for ticks that passed while no worker ran, or while it was stopped'),
  state: z
    .enum(['active', 'stopped', 'no_worker'])
    .describe(
      'stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it',
    ),
  next: time().nullable().describe('its next tick; null: it is stopped'),
  last_tick: time().nullable().describe('the last tick that was due'),
  last_result: z
    .enum(['enqueued', 'skipped', 'missed'])
    .nullable()
    .describe('the result of that tick'),
  last_job: z.string().nullable().describe('the job that was enqueued, or that was unfinished'),
  holder: z.string().describe('the worker that enqueues its ticks'),
  totals: z
    .record(z.string(), z.number())
    .describe('ticks that were enqueued, skipped and missed, and counts that its handler adds'),
  stopped_as: z
    .enum(['pause', 'kill_switch'])
    .nullable()
    .describe('what stops it; null: it is not stopped'),
  stopped_by: z.string().nullable().describe('who stopped it'),
  stopped_why: z.string().nullable().describe('the reason that was given'),
});
