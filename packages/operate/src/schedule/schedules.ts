import { schedulesSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import { removeSchedule, runSchedule, schedules } from '@redrive/durable/control';
import { payloadText } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { nameText } from '../action/scalars.ts';
import { atLeast } from '../action/who.ts';
import { knownSchedule } from './known-schedule.ts';
import { scheduleAnswer } from './schedule-answer.ts';
import { SCHEDULE } from './schedule-schema.ts';

const NAMED = z.strictObject({ name: nameText().describe('the name of the schedule') });
const NO_SCHEDULE = 'there is no such schedule';

export const SCHEDULES = {
  list: action({
    at: 'GET /v1/schedules',
    summary: 'list the schedules, their next and last ticks',
    details:
      'A schedule is listed as soon as a worker that declares it has started: in redrive.yaml under schedules, or with jobs.schedule() in an application. It stays in the list with its totals when it is declared no more, until "redrive schedules remove".',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({ schedules: z.array(SCHEDULE).describe('by name') }),
    run: async ({ store, asOf }) => {
      const { nowMs, schedules: all } = await schedules(store);
      asOf(nowMs);
      return { schedules: all.map((each) => scheduleAnswer(each, nowMs)) };
    },
  }),

  show: action({
    at: 'GET /v1/schedules/:name',
    summary: 'show a schedule with its next ticks',
    role: 'viewer',
    reads: 'payloads',
    refusals: { no_match: NO_SCHEDULE },
    input: NAMED,
    answer: SCHEDULE.extend({
      payload: z
        .string()
        .nullable()
        .describe(
          'the payload of its jobs, as JSON text; without secrets for other roles than admin',
        ),
    }),
    run: async (context, { name }) => {
      const { nowMs, schedule } = await knownSchedule(context, name);
      const { payload: text } = schedule.job;
      const payload = atLeast(context.who, 'admin')
        ? text
        : payloadText({ kind: 'json', text }, 'redacted');
      return { ...scheduleAnswer(schedule, nowMs), payload: text === '' ? null : payload };
    },
  }),

  run: act({
    at: 'POST /v1/schedules/:name/run',
    summary: 'enqueue the job of a schedule now',
    details:
      'The ticks of the schedule stay as they are. It also works while the schedule is paused.',
    role: 'operator',
    refusals: {
      no_match: NO_SCHEDULE,
      conflict: 'its overlap is skip, and a job of it is unfinished',
    },
    input: NAMED,
    answer: z.object({
      name: z.string().describe('its name'),
      job: z.string().nullable().describe('the id of the new job; null: a dry run'),
    }),
    run: async (context, { name, dry_run }) => {
      await knownSchedule(context, name);
      const { store, actor, clock } = context;
      if (dry_run) return { name, job: null };
      return { name, job: await runSchedule(store, { name, actor, clock }).catch(isUnfinished) };
    },
  }),

  remove: act({
    at: 'POST /v1/schedules/:name/remove',
    summary: 'remove a schedule that no process declares any more, with its totals and its pause',
    details:
      'Its jobs stay. It is refused while the configuration has the schedule, and while the worker runs that enqueues its ticks. A process that still declares it creates it again.',
    role: 'admin',
    refusals: {
      no_match: NO_SCHEDULE,
      conflict: 'the configuration has it, or a worker that declares it runs',
    },
    input: NAMED,
    answer: z.object({
      name: z.string().describe('its name'),
      removed: z.boolean().describe('false: a dry run'),
    }),
    run: async (context, { name, dry_run }) => {
      const config = await context.config();
      if (schedulesSettings(config).has(name)) {
        // The next worker that starts would create it again.
        const text = `The schedule ${name} is in ${config.file ?? 'the configuration'}.`;
        throw new Refusal('conflict', text, 'Remove it there, and restart the workers.');
      }
      await knownSchedule(context, name);
      const { store, actor } = context;
      if (!dry_run) await removeSchedule(store, { name, actor }).catch(isHeld);
      return { name, removed: !dry_run };
    },
  }),
};

function isUnfinished(error: unknown): never {
  if (!isRedriveError(error, 'unique_conflict')) throw error;
  const hint = 'Wait for it ("redrive jobs wait <id>"), or cancel it.';
  throw new Refusal('conflict', `${error.message}.`, hint);
}

function isHeld(error: unknown): never {
  if (!isRedriveError(error, 'control_conflict')) throw error;
  const hint = 'A worker that crashed counts as running for a minute.';
  throw new Refusal('conflict', `${error.message}.`, hint);
}
