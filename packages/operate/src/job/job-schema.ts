import type { ShownValues } from '@redrive/durable/store';
import * as z from 'zod';
import { nameText, time } from '../action/scalars.ts';
import { CONDITION, PARK } from '../park/park-answer.ts';
import { JOB_SUMMARY } from './job-summary.ts';
import { PROGRESS } from './progress.ts';

export const ID = nameText().describe('id of the job');
export const NO_JOB = { no_match: 'there is no job with that id' };

/** How payload, result and headers are shown. */
export const SHOWN = {
  payload: z
    .enum(['none', 'redacted', 'full'] as const satisfies ShownValues[])
    .default('redacted')
    .describe('payload, result and headers: none, redacted (secrets masked, cut) or full'),
};

/** A line of a list of jobs that shows what each job waits for. */
export const JOB_LINE = JOB_SUMMARY.extend({
  parked: z
    .object({
      ...CONDITION.shape,
      until: PARK.shape.until,
      next_probe_at: PARK.shape.next_probe_at,
      probe: PARK.shape.probe,
      held_by: PARK.shape.held_by,
      held_why: PARK.shape.held_why,
      has_worker: PARK.shape.has_worker,
    })
    .nullable()
    .describe('what a parked job waits for; null: it is not parked'),
});
export type JobLine = z.output<typeof JOB_LINE>;

export const ATTEMPT = z.object({
  attempt_number: z.number().describe('in its generation, from 1, over all rungs'),
  generation: z.number().describe('its generation'),
  rung: z.string().describe('where it ran: job, or call before it was handed over'),
  timestamp: time().describe('when it started'),
  delay: z.number().describe('the wait before it, in seconds'),
  duration: z.number().describe('in seconds'),
  success: z.boolean().describe('true: it succeeded'),
  error: JOB_SUMMARY.shape.last_error
    .unwrap()
    .extend({ stack_trace: z.string().nullable().describe('null: it is not known') })
    .nullable()
    .describe('sanitised'),
  error_class: z.string().nullable().describe('what kind of error'),
  action: z.string().describe('what was decided: succeed, retry, hand-over, park or give-up'),
  reason: z.string().describe('why: a reason code'),
  entry: z.string().describe('whether the attempt counts: its entry in the attempt account'),
  next_delay: z.number().nullable().describe('the wait that followed, in seconds'),
  worker: z.string().describe('the worker that ran it'),
  probe: z.boolean().describe('true: the probe of an open breaker, not charged if it fails'),
  policy_id: z.string().nullable().describe('name of the policy'),
  policy_hash: z.string().describe('the version of the policy'),
  max_attempts: z.number().describe('of that version'),
});

/** All that a job itself says. */
export const JOB_FACTS = JOB_SUMMARY.extend({
  own_policy: z
    .string()
    .nullable()
    .describe('the policy that the job itself names, or the version of one that it has for itself'),
  own_max_attempts: z
    .number()
    .nullable()
    .describe('the number of attempts that it was enqueued with; null: that of its policy'),
  account: z
    .record(z.string(), z.number())
    .describe('attempts of this generation by outcome: succeeded, failed, rate_limited, …'),
  executions: z.number().describe('attempts of all generations and rungs'),
  charged: z
    .number()
    .describe('attempts of this generation that count, the one that succeeded included'),
  losses: z.number().describe('leases that it lost in a row'),
  attempts: z.array(ATTEMPT).describe('the first attempt and the newest ones, the oldest first'),
  omitted_attempts: z
    .number()
    .describe('attempts that are not in the list; the audit log has them'),
  lease: z
    .object({
      worker: z.string().describe('the worker that runs it'),
      since: time().describe('when it was claimed'),
      until: time().describe('when another worker may take it'),
      alone: z.boolean().describe('true: the worker runs no other job at the same time'),
      progress: PROGRESS.nullable().describe('of the attempt; null: it has reported none'),
    })
    .nullable()
    .describe('null: it does not run'),
  origin: z
    .object({
      rung: z.string().describe('event or document'),
      bus: z.string().nullable().describe('the bus'),
      source: z.string().describe('the source'),
    })
    .nullable()
    .describe('the source that it came from; null: it was enqueued'),
  trace_id: z.string().nullable().describe('as given'),
  parent_id: z
    .string()
    .nullable()
    .describe('the job whose attempt or death enqueued this one; null: none did'),
  leads_to: z
    .object({
      count: z.number().describe('their number'),
      ids: z.array(z.string()).describe('the first ones, at most 20'),
    })
    .describe('jobs that its attempts have enqueued, and the hooks of its deaths'),
  on_dead: z
    .string()
    .nullable()
    .describe('the handler that gets a job when this one dies; null: none'),
  idempotency_key: z.string().describe('the key that the handler passes on'),
  limit_key: z.string().nullable().describe('jobs with the same key share a limit'),
  policy_hash: z.string().nullable().describe('of the running or newest attempt'),
  max_attempts: z.number().nullable().describe("of the newest attempt's policy"),
  revision: z.number().describe('number of state changes'),
  token: z.number().describe('of its newest lease'),
  headers: z.unknown().describe('JSON, shown as the payload is'),
  payload: z.unknown().describe('JSON: masked and cut, or in full, or null'),
  result: z.unknown().describe('JSON, shown as the payload is'),
  result_omitted_bytes: z
    .number()
    .nullable()
    .describe('the size of a result that was too large to be kept'),
});
export type JobFacts = z.output<typeof JOB_FACTS>;

const STOP = z
  .object({
    scope: z.string().describe('all, queue, tenant or handler'),
    name: z.string().describe('of the queue, tenant or handler'),
    since: time().describe('since when'),
    by: z.string().describe('the operator'),
    why: z.string().nullable().describe('the reason that was given'),
  })
  .nullable();

/** A job, and what stops it now. */
export const JOB = JOB_FACTS.extend({
  parked: JOB_LINE.shape.parked,
  kill_switch: STOP.describe('the kill switch that keeps a ready job from starting'),
  pause: STOP.describe('the pause that keeps a ready job from starting'),
  set_aside: z
    .object({
      problem: z.string().nullable().describe('why it cannot be read; null: it can be again'),
    })
    .nullable()
    .describe('its row was set aside, so no worker and no command moves it; null: it was not'),
});
export type JobAnswer = z.output<typeof JOB>;
