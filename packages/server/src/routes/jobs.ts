import { createHash } from 'node:crypto';
import { jobsSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import { canonicalJson } from '@redrive/core/idempotency';
import { type EnqueueOptions, type FullStore, type Job, jobsOn } from '@redrive/durable';
import {
  actOnJob,
  checkHandlerIsKnown,
  isOwnHandler,
  type JobActOutcome,
  type ShownValues,
} from '@redrive/durable/store';
import { atLeast } from '@redrive/operate/manifest';
import * as z from 'zod';
import type { Who } from '../access/who.ts';
import { document, id, tenantOf } from '../inputs.ts';
import { forbidden, notFound, Problem } from '../problem.ts';
import { type AnyRoute, type Ask, route } from '../route.ts';

const MAX_JOBS = 1_000;
const OUTCOMES = document({
  jobs: z.array(
    z.object({
      id: z.string(),
      done: z.boolean(),
      state: z.string().nullable(),
      note: z.string(),
    }),
  ),
});

const name = z.string().min(1).max(512);
const newJob = z.strictObject({
  handler: name,
  payload: z.unknown(),
  queue: name.optional(),
  tenant: z.string().max(512).optional(),
  priority: z.number().int().min(-1_000).max(1_000).optional(),
  tags: z.array(z.string()).max(32).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  id: name.optional(),
  unique_key: name.optional(),
  unique_for_ms: z.number().int().min(1).optional(),
  on_conflict: z.enum(['existing', 'refuse', 'replace']).optional(),
  policy: name.optional(),
  delay_ms: z.number().int().min(0).optional(),
  correlation_id: name.optional(),
  trace_id: name.optional(),
});

type NewJob = z.infer<typeof newJob>;

interface NewJobs {
  readonly jobs: readonly NewJob[];
  readonly runs_elsewhere: boolean;
}

export const JOB_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'POST /v1/jobs',
    summary: 'enqueue 1 to 1,000 jobs in one commit; with an Idempotency-Key at most once',
    role: 'operator',
    tenants: true,
    details:
      'A handler that neither a live worker nor a job nor the configuration names is refused, unless `runs_elsewhere` is true.',
    input: z.strictObject({
      jobs: z.array(newJob).min(1).max(MAX_JOBS),
      runs_elsewhere: z.boolean().default(false),
    }),
    answer: document({ jobs: z.array(z.looseObject({ id: z.string(), outcome: z.string() })) }),
    handle: (ask) => once(ask, ask.input, () => enqueue(ask)),
  }),
  route({
    at: 'POST /v1/jobs/cancel',
    summary: 'cancel jobs that are not finished',
    role: 'operator',
    tenants: true,
    input: z.strictObject({ ids: z.array(id).min(1).max(MAX_JOBS) }),
    answer: OUTCOMES,
    handle: (ask) => actOnAll(ask, 'cancel'),
  }),
  route({
    at: 'POST /v1/jobs/retry',
    summary:
      'run jobs now: dead and cancelled ones in a new generation, waiting ones before their time',
    role: 'operator',
    tenants: true,
    input: z.strictObject({ ids: z.array(id).min(1).max(MAX_JOBS) }),
    answer: OUTCOMES,
    handle: (ask) => actOnAll(ask, 'retry'),
  }),
];

/** The job, unless it is another tenant's: then it does not exist. @throws Problem 404 */
export async function ownJob(store: FullStore, jobId: string, who: Who): Promise<Job> {
  const job = await store.job(jobId);
  if (job === undefined || (who.tenant !== undefined && job.tenant !== who.tenant)) {
    throw notFound(`job with the id ${jobId}`);
  }
  return job;
}

/** @throws Problem 403 for a payload in full, which is for admins. */
export function valuesFor(who: Who, wanted: ShownValues): ShownValues {
  if (wanted === 'full' && !atLeast(who, 'admin')) {
    throw forbidden('Payloads in full are for the role admin.');
  }
  return wanted;
}

/**
 * Each item, not only the list. The answer is the same for another tenant's job and for one that does not exist: no
 * tenant learns which ids others have.
 *
 * @throws Problem 404. Nothing was changed then.
 */
export async function checkTenant(
  store: FullStore,
  ids: readonly string[],
  { tenant }: Who,
): Promise<void> {
  if (tenant === undefined) return;
  for (const each of ids) {
    const job = await store.job(each);
    if (job?.tenant !== tenant) {
      throw new Problem(404, 'not_found', 'A job of the list does not exist. Nothing was changed.');
    }
  }
}

async function actOnAll(
  { store, input, who, actor, givenUp }: Ask<{ readonly ids: readonly string[] }>,
  act: 'cancel' | 'retry',
): Promise<{ readonly jobs: readonly JobActOutcome[] }> {
  await checkTenant(store, input.ids, who);
  const jobs: JobActOutcome[] = [];
  for (const each of input.ids) {
    givenUp.throwIfAborted();
    jobs.push(await actOnJob(store, { act, id: each, actor }));
  }
  return { jobs };
}

async function enqueue(ask: Ask<NewJobs>) {
  const { store, input, who, actor } = ask;
  for (const { tenant } of input.jobs) tenantOf(tenant, who);
  const makers = new Map<string, ReturnType<typeof makerFor>>();
  for (const handler of new Set(input.jobs.map((job) => job.handler))) {
    if (isOwnHandler(handler)) throw forbidden(`Only Redrive itself enqueues jobs of ${handler}.`);
    makers.set(handler, await knownMaker(ask, handler));
  }
  const commands = input.jobs.map((job) => {
    const maker = makers.get(job.handler) ?? makerOf(store, job.handler);
    return { ...maker.prepare(job.handler, job.payload, optionsOf(job, who)), actor };
  });
  const results = await store.apply(commands);
  const [first] = results;
  // A refusal among others is an outcome: the others are stored, so the answer must be kept for a repetition.
  if (first !== undefined && !first.ok && results.every((each) => !each.ok)) {
    throw new Problem(409, first.refusal, `The job ${first.id} is in the way.`);
  }
  return {
    jobs: results.map((each, at) => ({
      id: each.id,
      handler: input.jobs[at]?.handler,
      outcome: each.ok ? each.outcome : each.refusal,
    })),
  };
}

/** The library's name of each option. */
const OPTIONS: Readonly<Record<string, string>> = {
  queue: 'queue',
  tenant: 'tenant',
  priority: 'priority',
  tags: 'tags',
  headers: 'headers',
  id: 'id',
  on_conflict: 'onConflict',
  policy: 'policy',
  delay_ms: 'delayMs',
  correlation_id: 'correlationId',
  trace_id: 'traceId',
} satisfies Record<
  Exclude<keyof NewJob, 'handler' | 'payload' | 'unique_key' | 'unique_for_ms'>,
  keyof EnqueueOptions
>;

/**
 * `undefined` without options: the library need not check any then.
 *
 * @throws Problem 400 for a time without a key, 403 for another tenant.
 */
function optionsOf(job: NewJob, who: Who): EnqueueOptions | undefined {
  const { unique_key, unique_for_ms, ...rest } = job;
  const given: Readonly<Record<string, unknown>> = rest;
  let options: Record<string, unknown> | undefined;
  for (const name in given) {
    const own = OPTIONS[name];
    if (own === undefined || given[name] === undefined) continue;
    options ??= {};
    options[own] = given[name];
  }
  const { tenant } = who;
  const key =
    unique_key === undefined || tenant === undefined ? unique_key : uniqueKeyOf(unique_key, tenant);
  if (unique_for_ms !== undefined) {
    if (key === undefined)
      throw new Problem(400, 'invalid_input', 'unique_for_ms needs a unique_key.');
    options = { ...options, unique: { key, forMs: unique_for_ms } };
  } else if (key !== undefined) options = { ...options, uniqueKey: key };
  if (tenant === undefined) return options; // The library checks every value.
  return { ...options, tenant: tenantOf(job.tenant, who) ?? tenant };
}

/** @throws Problem 404 for a handler that nothing names. */
async function knownMaker({ store, input, config }: Ask<NewJobs>, handler: string) {
  if (!input.runs_elsewhere && !knownMakers.get(store)?.has(handler)) {
    const declared = [...jobsSettings(config).handlers.keys()];
    await checkHandlerIsKnown(store, declared, handler).catch((error: unknown) => {
      if (!isRedriveError(error, 'unknown_handler')) throw error;
      const advice = 'If another program runs it, send "runs_elsewhere": true.';
      throw new Problem(404, error.code, `${error.message} ${advice}`);
    });
  }
  return makerOf(store, handler);
}

/** Handlers whose maker is kept. */
const MAX_MAKERS = 1_000;
const knownMakers = new WeakMap<FullStore, Map<string, ReturnType<typeof makerFor>>>();

/** Kept, because making one resolves options and policies. */
function makerOf(store: FullStore, handler: string): ReturnType<typeof makerFor> {
  const known = knownMakers.get(store) ?? new Map<string, ReturnType<typeof makerFor>>();
  knownMakers.set(store, known);
  const maker = known.get(handler) ?? makerFor(store, handler);
  if (known.size >= MAX_MAKERS) known.clear();
  known.set(handler, maker);
  return maker;
}

/** The handler only has to be known by name: nothing runs here. */
function makerFor(store: FullStore, handler: string) {
  return jobsOn(store, { [handler]: (_payload: unknown) => undefined });
}

/**
 * Unique keys are those of the whole store: without the tenant before it, a key finds, shows and replaces another tenant's
 * job. The slash of a tenant's name is encoded, so that no two tenants have a key in common.
 */
function uniqueKeyOf(key: string, tenant: string): string {
  return `${encodeURIComponent(tenant)}/${key}`;
}

const MAX_KEY = 200;

/**
 * Runs a change once per `Idempotency-Key`, through the store's ledger: a repetition gets the stored answer. The key
 * belongs to the one who sends it.
 *
 * @throws RedriveError `idempotency_in_progress` (409), `idempotency_conflict` (422): the key came with other parameters.
 */
export async function once<T>(
  ask: Ask<unknown>,
  input: unknown,
  run: () => Promise<T>,
): Promise<T> {
  const { key, store, who, clock } = ask;
  if (key === undefined) return run();
  if (key === '' || key.length > MAX_KEY) {
    throw new Problem(
      400,
      'invalid_input',
      `Idempotency-Key must have 1 to ${MAX_KEY} characters.`,
    );
  }
  const fingerprint = createHash('sha256').update(canonicalJson(input)).digest('hex');
  // A token may have the name of a user.
  const scope = who.by === 'proxy' ? 'api/proxy' : 'api';
  return store
    .ledger()
    .once({ key: `${scope}:${who.name}:${key}`, fingerprint, onInProgress: 'fail', clock }, run);
}
