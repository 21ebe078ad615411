import { newId } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type ActPlan,
  type ActTarget,
  type ActWish,
  abortOperation,
  listOperations,
  type OperationStatus,
  operationStatus,
  pauseOperation,
  planActs,
  resumeOperation,
  setOperationRate,
  submitOperation,
} from '@redrive/durable/control';
import {
  actDocument,
  letterSummary,
  operationJson,
  refusalNotes,
  summaryOf,
} from '@redrive/durable/store';
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
  listOf,
  ms,
  page,
  time,
} from '../inputs.ts';
import { forbidden, notFound } from '../problem.ts';
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
      return operationJson((await operationStatus(store, submitted.id)) ?? submitted);
    },
  }),
  route({
    at: 'GET /v1/operations',
    summary: 'list bulk operations, the newest first',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: page,
    answer: listOf('operations', { id: z.string(), state: z.string() }),
    handle: async ({ store, input }) => {
      const { operations, next } = await listOperations(store, input);
      return { operations: operations.map(operationJson), next: next ?? null };
    },
  }),
  route({
    at: 'GET /v1/operations/:id',
    summary: 'show a bulk operation and its progress',
    role: 'viewer',
    reads: 'metrics',
    tenants: true,
    input: z.strictObject({ id }),
    answer: OPERATION,
    handle: async ({ store, input, who }) => {
      const status = await ownOperation(store, input.id, who);
      return { ...operationJson(status), request: status.request };
    },
  }),
  ...(
    [
      ['pause', 'pause a bulk operation', pauseOperation],
      ['resume', 'continue a paused or stopped bulk operation', resumeOperation],
      ['abort', 'end a bulk operation; what was done stays done', abortOperation],
    ] as const
  ).map(([act, summary, carryOut]) =>
    route({
      at: `POST /v1/operations/:id/${act}`,
      summary,
      role: 'operator',
      tenants: true,
      input: z.strictObject({ id }),
      answer: OPERATION,
      handle: async ({ store, input, who, actor }) => {
        await ownOperation(store, input.id, who);
        return operationJson(await carryOut(store, { id: input.id, actor }));
      },
    }),
  ),
  route({
    at: 'POST /v1/operations/:id/rate',
    summary: 'set the rate of a bulk operation; null: no limit',
    role: 'operator',
    tenants: true,
    input: z.strictObject({ id, rate: z.number().min(1).max(100_000).nullable() }),
    answer: OPERATION,
    handle: async ({ store, input, who, actor }) => {
      await ownOperation(store, input.id, who);
      const ratePerSecond = input.rate ?? undefined;
      return operationJson(await setOperationRate(store, { id: input.id, actor, ratePerSecond }));
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

/** A tenant's token sees the operations of its tenant's tokens, and those over its tenant's filter. @throws Problem 404 */
async function ownOperation(store: FullStore, opId: string, who: Who): Promise<OperationStatus> {
  const status = await operationStatus(store, opId);
  const { filter, jobs, tenant } = Object(status?.request) as {
    readonly tenant?: unknown;
    readonly filter?: { readonly tenant?: unknown };
    readonly jobs?: { readonly tenant?: unknown };
  };
  const isOwn = who.tenant === undefined || (tenant ?? (filter ?? jobs)?.tenant) === who.tenant;
  if (status === undefined || !isOwn) throw notFound(`bulk operation with the id ${opId}`);
  return status;
}

/** Five of those that would be acted on, from the first to the last. */
function samplesOf({ sampleIds, lastId }: ActPlan): readonly string[] {
  const spread = [0, 0.25, 0.5, 0.75].map((at) => sampleIds[Math.floor(at * sampleIds.length)]);
  return [...new Set([...spread, lastId].filter((one) => one !== undefined))];
}
