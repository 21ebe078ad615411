import type { FullStore } from '@redrive/durable';
import type { ActPlan } from '@redrive/durable/control';
import { isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import type { Verdict } from '../action/action.ts';
import { time } from '../action/scalars.ts';
import { OPERATION, REQUEST } from './operation-schema.ts';
import { STOPPED_BY, stoppedBy } from './stopped-by.ts';

const REFUSALS = z.array(
  z.object({
    id: z.string().describe('its id'),
    refusal: z
      .string()
      .describe(
        'why: not_found, illegal (its state does not allow it), unique_conflict or changed',
      ),
    note: z.string().describe('the same in words'),
  }),
);
const MORE = z.boolean().describe('true: more letters match the filter than the plan contains');
const CUT_OFF = time()
  .nullable()
  .describe('letters that died at this time or later are left out; null: there was no plan');

export const BULK_REFUSALS = {
  no_match: 'no dead letter has these ids or matches the filter',
  refused: 'the filter matches letters, and the confirmation (--confirm or --yes) is missing',
  conflict:
    'the state of the letters does not allow it, or the id of --operation belongs to another bulk operation',
};

/** What a bulk operation would do. */
export const PLAN = z.object({
  done: z.number().describe('letters that would be changed'),
  refused: z.number().describe('letters that would be refused'),
  refusals: REFUSALS.describe('the first 100 of them'),
  sample_ids: z.array(z.string()).describe('the first ten that would be changed'),
  more: MORE,
  cut_off: CUT_OFF,
  stopped_by: STOPPED_BY.describe('requeue only: what will keep some of the jobs from starting'),
});
export type PlanAnswer = z.output<typeof PLAN>;

/** The result of a bulk operation so far. */
export const BULK = z.object({
  act: z.string().describe('requeue, reset, purge, restore or cancel'),
  operation: z.string().nullable().describe('id of the bulk operation; null: nothing was begun'),
  done: z.number().describe('letters that were changed, or would be'),
  refused: z.number().describe('letters that were refused, or would be'),
  refusals: REFUSALS.describe(
    'the first 100 refused letters, each with `id`, `refusal` and a `note` in words',
  ),
  finished: z.boolean().describe('false: it still runs, was stopped, or is a dry run'),
  state: OPERATION.shape.state
    .nullable()
    .meta({ 'x-notation': 'text or null' })
    .describe(
      'running, paused, stopped (by its ramp), aborted or finished; null: nothing was begun',
    ),
  in_flight: z
    .number()
    .nullable()
    .describe(
      'jobs that were requeued and have made no attempt yet; null: results are not observed',
    ),
  succeeded: z
    .number()
    .nullable()
    .describe('jobs whose first attempt succeeded; null: results are not observed'),
  came_back: z
    .number()
    .nullable()
    .describe('jobs whose first attempt failed; null: results are not observed'),
  already_done: z
    .boolean()
    .describe('true: an earlier submission did it, and nothing was changed now'),
  more: MORE,
  cut_off: CUT_OFF,
  restorable_until: time()
    .nullable()
    .describe('purge only: the letters can be restored until then'),
  plan: PLAN.nullable().describe('of a filter, or of a dry run; null: none was made'),
  stopped_by: STOPPED_BY.describe('requeue only: what keeps some of the jobs from starting'),
  without_stages: z
    .boolean()
    .describe('true: without a worker no stage gets its results, so the stages were left out'),
  status: OPERATION.extend({ request: REQUEST })
    .nullable()
    .describe('the stored bulk operation; null: nothing was begun'),
});
export type BulkAnswer = z.output<typeof BULK>;

export async function planAnswer(
  store: FullStore,
  act: string,
  plan: ActPlan,
): Promise<PlanAnswer> {
  return {
    done: plan.eligible,
    refused: plan.ineligible,
    refusals: await refusalNotes(store, plan.refusals),
    sample_ids: plan.sampleIds.slice(0, 10),
    more: plan.more,
    cut_off: isoTime(plan.cutOffMs),
    stopped_by: act === 'requeue' ? await stoppedBy(store, plan.sampleIds) : [],
  };
}

/** Why each one refused. There are at most 100 of them. */
export async function refusalNotes(
  store: FullStore,
  refusals: ActPlan['refusals'],
): Promise<PlanAnswer['refusals']> {
  const notes: PlanAnswer['refusals'] = [];
  for (const { id, refusal } of refusals) {
    notes.push({ id, refusal, note: await noteOf(store, id, refusal) });
  }
  return notes;
}

async function noteOf(store: FullStore, id: string, refusal: string): Promise<string> {
  if (refusal === 'not_found') return 'there is no such job';
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  if (refusal === 'changed') return 'it was changed in the meantime';
  const job = await store.job(id);
  return job === undefined ? 'it is gone' : `it is ${job.state}`;
}

export function bulkVerdict(answer: BulkAnswer): Verdict {
  const { done, refused, refusals, state } = answer;
  if (state !== null && state !== 'finished') return state === 'running' ? 'ok' : 'partial';
  if (refused === 0) return done > 0 || state !== null ? 'ok' : 'no_match';
  if (done > 0) return 'partial';
  return refusals.every(({ refusal }) => refusal === 'not_found') ? 'no_match' : 'conflict';
}
