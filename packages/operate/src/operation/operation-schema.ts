import * as z from 'zod';
import { time } from '../action/scalars.ts';

const STATE = z.enum(['running', 'paused', 'stopped', 'aborted', 'finished']);

/** A bulk operation. */
export const OPERATION = z.object({
  id: z.string().describe('its id'),
  act: z
    .string()
    .describe(
      'requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)',
    ),
  state: STATE.describe('stopped: by its ramp, because too many jobs failed again'),
  by: z.string().describe('the operator who started it'),
  why: z.string().nullable().describe('the reason that was given then'),
  changes: z
    .array(
      z.object({
        to: STATE.describe('the state'),
        at: time().nullable().describe('since when; null: not known'),
        by: z
          .string()
          .describe('who changed it: an operator, or the worker where its ramp stopped it'),
        why: z.string().nullable().describe('the reason that was given'),
      }),
    )
    .describe(
      'its start, then the newest changes of its state until it finished, the oldest first',
    ),
  started_at: time().nullable().describe('when it was started; null: not known'),
  updated_at: time().nullable().describe('time of its newest step; null: not known'),
  done: z.number().describe('jobs that were changed'),
  refused: z.number().describe('jobs whose state did not allow it'),
  total: z.number().nullable().describe('jobs in all; null: not known'),
  total_bounded: z.boolean().describe('true: there are more than `total`'),
  followed: z
    .boolean()
    .describe(
      'true: the results of its jobs are observed, as with a ramp; the next three count them',
    ),
  in_flight: z.number().describe('jobs that were requeued and have made no attempt yet'),
  succeeded: z.number().describe('requeued jobs whose first attempt succeeded'),
  came_back: z.number().describe('requeued jobs whose first attempt failed'),
  rate: z.number().nullable().describe('jobs per second at most; null: no limit'),
  max_in_flight: z.number().nullable().describe('null: no limit'),
  ramp: z
    .object({
      stages: z.array(z.number()).describe('the sizes of its stages'),
      stop_share: z.number().describe('it stops if a larger share of a stage fails again'),
      stage: z.number().describe('the current stage, from 1'),
      sent: z.number().describe('jobs of this stage that were sent'),
      succeeded: z.number().describe('of these, those that succeeded'),
      came_back: z.number().describe('of these, those that failed again'),
    })
    .nullable()
    .describe('its stages; null: it has none'),
  in_background: z
    .boolean()
    .describe(
      'true: workers carry it out, or did; false: only the process that started it does, or it finished long ago',
    ),
  runner: z
    .string()
    .nullable()
    .describe('the process that carries it out; null: none at the moment'),
  has_worker: z
    .boolean()
    .nullable()
    .describe('whether a live worker could carry it out; null: not known'),
  time_left: z
    .number()
    .nullable()
    .describe('estimated seconds, at the speed of the last minute; null: not known'),
});

/** The stored request: its target has any shape, as another program may have written it. */
export const REQUEST = z
  .record(z.string(), z.unknown())
  .meta({ 'x-notation': 'object' })
  .describe('the stored request: the act and its target');
