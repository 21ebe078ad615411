import { newId } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type ActPlan,
  type ActTarget,
  type ActWish,
  operationStatus,
  planActs,
  submitOperation,
} from '@redrive/durable/control';
import { actDocument, refusalNotes, summaryOf } from '@redrive/durable/store';
import { letterSummary, operationAnswer } from '@redrive/operate';
import { atLeast } from '@redrive/operate/manifest';
import * as z from 'zod';
import type { Who } from '../access/who.ts';
import {
  deadFilter,
  deadFilterOf,
  document,
  id,
  jobFilter,
  jobFilterOf,
  ms,
  time,
} from '../inputs.ts';
import { forbidden } from '../problem.ts';
import { type AnyRoute, type Ask, route } from '../route.ts';
import { checkTenant } from './jobs.ts';

const target = z.union([
  z.strictObject({ ids: z.array(id).min(1).max(1_000) }),
  z.strictObject({
    filter: deadFilter,
    cut_off: time.optional(),
    limit: z.number().int().min(1).max(100_000_000).default(1_000),
  }),
  z.strictObject({
    jobs: jobFilter,
    cut_off: time.optional(),
    limit: z.number().int().min(1).max(100_000_000).default(1_000),
  }),
]);
const wish = z.strictObject({
  act: z.enum(['requeue', 'reset', 'purge', 'restore', 'cancel']),
  target,
});
const request = wish.extend({
  id: id.optional(),
  rate: z.number().min(1).max(100_000).optional(),
  ramp: z.union([z.array(z.number().int()).max(10), z.literal(false)]).optional(),
  stop_share: z.number().min(0).max(1).optional(),
  max_in_flight: z.number().int().min(1).max(2_000).optional(),
});
const OPERATION = document({ id: z.string(), act: z.string(), state: z.string() });

export const OPERATION_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'POST /v1/operations/plan',
    summary:
      'predict a bulk operation: eligible jobs, refusals with reasons, samples; changes nothing',
    role: 'operator',
    reads: 'sessions',
    tenants: true,
    input: wish,
    wishes: ({ act, target: { ...given } }) => ({
      ...{ act, ...given },
      // A record is small: the first ids, and how many there are.
      ...('ids' in given && { ids: given.ids.slice(0, 20), of: given.ids.length }),
    }),
    answer: document({ done: z.number(), refused: z.number() }),
    handle: async (ask) => {
      const { store, input } = ask;
      const plan = await planActs(store, await wishOf(ask, input));
      const refusals = await refusalNotes(store, plan.refusals);
      const outcome = { operation: undefined, plan, report: undefined, refusals };
      const act = input.act === 'cancel' ? 'purge' : input.act;
      const made = actDocument({ ...outcome, act, restorableUntilMs: undefined });
      const ids = samplesOf(plan);
      const jobs = await Promise.all(ids.map((one) => store.job(one)));
      const samples = jobs.flatMap((job) => (job ? [letterSummary(summaryOf(job))] : []));
      return { ...made, act: input.act, sample_ids: ids, samples };
    },
  }),
  route({
    at: 'POST /v1/operations',
    summary:
      'submit a bulk operation, which workers carry out; the same id again submits nothing new',
    role: 'operator',
    tenants: true,
    reason: true,
    input: request,
    answer: OPERATION,
    handle: async (ask) => {
      const { store, input, clock } = ask;
      const submitted = await submitOperation(store, {
        ...(await wishOf(ask, input)),
        id: input.id ?? newId('op', clock),
        ratePerSecond: input.rate,
        ramp: input.ramp,
        stopShare: input.stop_share,
        maxInFlight: input.max_in_flight,
      });
      return operationAnswer((await operationStatus(store, submitted.id)) ?? submitted);
    },
  }),
];

async function wishOf(
  { store, who, actor }: Ask<unknown>,
  { act, target: given }: z.infer<typeof wish>,
): Promise<ActWish> {
  if (act === 'purge' && !atLeast(who, 'admin')) throw forbidden('A purge needs the role admin.');
  return { act, target: await targetOf(store, given, who), actor, tenant: who.tenant };
}

async function targetOf(
  store: FullStore,
  given: z.infer<typeof target>,
  who: Who,
): Promise<ActTarget> {
  if ('ids' in given) {
    await checkTenant(store, given.ids, who);
    return given;
  }
  const { limit } = given;
  const cutOffMs = ms(given.cut_off);
  return 'jobs' in given
    ? { jobs: jobFilterOf(given.jobs, who), cutOffMs, limit }
    : { filter: deadFilterOf(given.filter, who), cutOffMs, limit };
}

/** Five of those that would be acted on, from the first to the last. */
function samplesOf({ sampleIds, lastId }: ActPlan): readonly string[] {
  const spread = [0, 0.25, 0.5, 0.75].map((at) => sampleIds[Math.floor(at * sampleIds.length)]);
  return [...new Set([...spread, lastId].filter((one) => one !== undefined))];
}
