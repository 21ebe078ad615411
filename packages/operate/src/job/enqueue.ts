import { type Config, jobsSettings, lookUp } from '@redrive/config';
import { isRedriveError, RedriveError } from '@redrive/core';
import { commandText, nearest } from '@redrive/core/fields';
import { type EnqueueOptions, type FullStore, jobsOn, runsElsewhere } from '@redrive/durable';
import {
  checkHandlerIsKnown,
  type EnqueueCommand,
  type EnqueueResult,
  isOwnHandler,
  type Moment,
  parsePayload,
} from '@redrive/durable/store';
import * as z from 'zod';
import type { Context } from '../action/context.ts';
import { ownTenant } from '../action/own-tenant.ts';
import { invalidInput } from '../action/parse-input.ts';
import { type InputProblem, isRefusal, Refusal } from '../action/refusal.ts';
import { count, duration, flag, moment, nameText, text } from '../action/scalars.ts';
import type { Who } from '../action/who.ts';
import { MAX_JOBS } from './job-acts.ts';

const NEW_JOB = z.strictObject({
  handler: nameText().describe('the handler that runs the job'),
  payload: z.unknown().optional().describe('any JSON, for the handler'),
  payload_text: z
    .string()
    .optional()
    .describe('the payload as a JSON text, instead: numbers that would lose digits are refused'),
  queue: text().optional().describe('default: default'),
  tenant: text().optional().describe('tenants take turns'),
  priority: count(-1_000, 1_000).optional().describe('-1,000 to 1,000, higher first; default 0'),
  tags: z.array(z.string()).max(32).optional().describe('texts'),
  headers: z.record(z.string(), z.string()).optional().describe('texts for the handler'),
  id: text()
    .optional()
    .describe('an id of yours: as long as the job is kept, it is never run again'),
  unique_key: text().optional().describe('at most one unfinished job has this key'),
  unique_for_ms: duration
    .optional()
    .describe('the unique key also counts for this time after the job was submitted'),
  on_conflict: z
    .enum(['existing', 'refuse', 'replace'])
    .optional()
    .describe('if another job has the unique key; default: that job is the answer'),
  policy: text().optional().describe('instead of the policy of the handler'),
  max_attempts: count(1, 1_000_000_000)
    .optional()
    .describe('attempts that count, the first one included, instead of those of its policy'),
  batch: text().optional().describe('id of an open batch, which then counts the job'),
  limit_key: text().optional().describe('jobs of the handler with the same key share a limit'),
  idempotency_key: text()
    .optional()
    .describe('lets the handler recognise a repeated job; default: the id of the job'),
  delay_ms: duration.optional().describe('the earliest start, from now on'),
  run_at: moment.optional().describe('the earliest start: a time, or +10m from now'),
  deadline: moment.optional().describe('no attempt starts after this time; or +2h from now'),
  correlation_id: text().optional().describe('default: the id of the session'),
  trace_id: text().optional().describe('the trace that the job belongs to'),
});
type NewJob = z.output<typeof NEW_JOB>;

export const ENQUEUE_INPUT = z.strictObject({
  jobs: z.array(NEW_JOB).min(1).max(MAX_JOBS).describe('at most 1,000'),
  runs_elsewhere: flag
    .default(false)
    .describe('allow a handler and a policy that only another program knows'),
  skip_invalid: flag
    .default(false)
    .describe('leave out jobs whose payload or options are wrong; default: nothing is stored then'),
});
type Wish = z.output<typeof ENQUEUE_INPUT> & { readonly dry_run: boolean };

const ENQUEUED = z.object({
  id: z
    .string()
    .nullable()
    .describe('id of the job, or of the one in the way; null: there is none'),
  handler: z.string().describe('the handler of the job'),
  queue: z.string().nullable().describe('its queue; null: it was left out'),
  outcome: z
    .string()
    .describe(
      'created, existing, replaced, would_be_created; or, of a job that was left out: unique_conflict, idempotency_conflict, batch_closed or invalid',
    ),
  problem: z.string().nullable().describe('why it was left out'),
});
type Enqueued = z.output<typeof ENQUEUED>;

export const ENQUEUE_ANSWER = z.object({
  jobs: z.array(ENQUEUED).describe('one entry per job, in their order'),
});

/** Stores the jobs in one commit. The library checks every value, as it would for an application. */
export async function enqueue(context: Context, { dry_run: dryRun, ...input }: Wish) {
  const { store } = context;
  const config = await context.config();
  const makers = await makersOf(context, config, input);
  const made = input.jobs.map((job, at) => {
    const maker = makers.get(job.handler) ?? makerOf(store, config, job.handler);
    try {
      return commandOf(context, job, at, { maker, config, ...input });
    } catch (error) {
      if (!input.skip_invalid || !isWrongJob(error)) throw error;
      return { handler: job.handler, problem: problemText(error) };
    }
  });
  const commands = made.filter((each) => 'kind' in each);
  const isDone = !dryRun && commands.length > 0;
  const results = isDone ? await store.apply(commands) : [];
  if (!input.skip_invalid) refuseIfNoneIsStored(results, commands);
  const left = results.values();
  const jobs = made.map((each) => {
    if (!('kind' in each)) return { ...NONE, ...each, outcome: 'invalid' };
    const { handler, queue } = each.job;
    const result = left.next().value;
    if (result === undefined) return { ...NONE, handler, queue, outcome: 'would_be_created' };
    return stored(store, each, result);
  });
  return { jobs: await Promise.all(jobs) };
}

const NONE = { id: null, queue: null, problem: null };

/** If another job has its id or its unique key, this is about that job, which may be in another queue. */
async function stored(
  store: FullStore,
  { job }: EnqueueCommand,
  result: EnqueueResult,
): Promise<Enqueued> {
  const { id } = result;
  if (!result.ok) {
    const problem = `${result.refusal}: ${id}`;
    return { id, handler: job.handler, queue: null, outcome: result.refusal, problem };
  }
  const other = result.outcome === 'created' ? undefined : await store.job(id);
  const { handler, queue } = other ?? job;
  return { id, handler, queue, outcome: result.outcome, problem: null };
}

/** A refusal among others is an outcome: the others are stored, so the answer must be kept for a repetition. */
function refuseIfNoneIsStored(
  results: readonly EnqueueResult[],
  commands: readonly EnqueueCommand[],
): void {
  const [first] = results;
  if (first === undefined || first.ok || results.some(({ ok }) => ok)) return;
  const { id, refusal } = first;
  const { uniqueKey = '' } = commands[0]?.job ?? {};
  if (refusal === 'batch_closed') throw batchClosed(commands[0]?.job.batch);
  const which = commands[0]?.uniqueForMs === undefined ? 'unfinished job' : 'job';
  const message =
    refusal === 'unique_conflict'
      ? `The ${which} ${id} already has the unique key ${uniqueKey}.`
      : `The job ${id} was enqueued with another handler or payload.`;
  const hint = `Look at it with: ${commandText`redrive jobs show ${id}`}`;
  const code = refusal === 'unique_conflict' ? refusal : 'idempotency_conflict';
  throw new RedriveError(code, message, { id, hint });
}

function batchClosed(batch = ''): RedriveError {
  const message = `The batch ${batch} takes no job: it is sealed, or this tenant has no batch with this id.`;
  const hint = `Look at it with: ${commandText`redrive batches show ${batch}`}`;
  return new RedriveError('batch_closed', message, { batch, hint });
}

interface Parts {
  readonly maker: Maker;
  readonly config: Config;
  readonly runs_elsewhere: boolean;
}

function commandOf(
  { who, actor, clock }: Context,
  job: NewJob,
  at: number,
  { maker, config, runs_elsewhere }: Parts,
): EnqueueCommand {
  const wrong = (field: string, message: string, hint?: string) =>
    invalidInput([{ field: `jobs.${at}.${field}`, message, hint } satisfies InputProblem]);
  const { run_at: due, deadline, unique_key, unique_for_ms } = job;
  if (unique_for_ms !== undefined && unique_key === undefined) {
    throw wrong('unique_for_ms', 'needs a key.', 'Add the unique key that counts for this time.');
  }
  if (deadline !== undefined && isPast(deadline, clock.now())) {
    const hint =
      'No attempt would start. Give a time in the future, such as 2027-01-31T08:00:00Z or +10m.';
    throw wrong('deadline', 'has passed', hint);
  }
  if (job.policy !== undefined && !runs_elsewhere) checkPolicy(config, job.policy);
  return {
    ...maker.prepare(job.handler, payloadOf(job, wrong), optionsOf(job, who)),
    ...(due && { due }),
    ...(deadline && { deadline }),
    actor,
  };
}

function payloadOf(
  { payload, payload_text: json }: NewJob,
  wrong: (field: string, message: string) => Refusal,
): unknown {
  if (json === undefined) return payload;
  try {
    return parsePayload(json);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw wrong('payload_text', `is not valid JSON: ${error.message}`);
  }
}

function isPast(time: Moment, nowMs: number): boolean {
  return 'inMs' in time ? time.inMs <= 0 : time.atMs <= nowMs;
}

/** A job that is wrong by its payload or by a value that the library checks. */
function isWrongJob(error: unknown): error is Error {
  const isPayload = isRefusal(error) && error.problems[0]?.field.endsWith('.payload_text');
  return (
    isPayload || isRedriveError(error, 'invalid_job') || isRedriveError(error, 'payload_too_large')
  );
}

function problemText(error: Error): string {
  const [problem] = isRefusal(error) ? error.problems : [];
  // Each job is one line for the parser.
  return (problem?.message ?? error.message)
    .replace(/^is not valid JSON: /, '')
    .replace(/ \(line 1 column \d+\)$/, '');
}

/** The library's name of each option. */
const OPTIONS = {
  queue: 'queue',
  tenant: 'tenant',
  priority: 'priority',
  tags: 'tags',
  headers: 'headers',
  id: 'id',
  on_conflict: 'onConflict',
  policy: 'policy',
  max_attempts: 'maxAttempts',
  batch: 'batch',
  limit_key: 'limitKey',
  idempotency_key: 'idempotencyKey',
  delay_ms: 'delayMs',
  correlation_id: 'correlationId',
  trace_id: 'traceId',
} as const satisfies Partial<Record<keyof NewJob, keyof EnqueueOptions>>;
const NAMES = Object.entries(OPTIONS) as [keyof typeof OPTIONS, keyof EnqueueOptions][]; // Of its own type.

/** `undefined` without options: the library need not check any then. @throws Refusal for another tenant. */
function optionsOf(job: NewJob, who: Who): EnqueueOptions | undefined {
  let options: Record<string, unknown> | undefined;
  for (const [name, own] of NAMES) {
    if (job[name] === undefined) continue;
    options ??= {};
    options[own] = job[name];
  }
  const { unique_key: given, unique_for_ms: forMs } = job;
  const { tenant } = who;
  const key = given === undefined || tenant === undefined ? given : uniqueKeyOf(given, tenant);
  if (forMs !== undefined) options = { ...options, unique: { key, forMs } };
  else if (key !== undefined) options = { ...options, uniqueKey: key };
  if (tenant === undefined) return options; // The library checks every value.
  return { ...options, tenant: ownTenant(job.tenant, who) ?? tenant };
}

/**
 * Unique keys are those of the whole store: without the tenant before it, a key finds, shows and replaces another tenant's
 * job. The slash of a tenant's name is encoded, so that no two tenants have a key in common.
 */
function uniqueKeyOf(key: string, tenant: string): string {
  return `${encodeURIComponent(tenant)}/${key}`;
}

/** A worker ignores a policy that it does not know, which is too late to notice. @throws Refusal `not_found` */
function checkPolicy(config: Config, name: string): void {
  if (config.policies.has(name)) return;
  const found = lookUp(config, name);
  if (found.policy !== undefined && EXACT.includes(found.matchedBy)) return;
  const close = nearest(name, [...config.policies.keys(), ...config.mappings.keys()]);
  const hint =
    close === undefined
      ? '"redrive policies list" lists all policies.'
      : `Did you mean "${close}"?`;
  throw new Refusal('not_found', `There is no policy "${name}".`, hint);
}

const EXACT: readonly string[] = ['policy', 'category', 'path'];

type Maker = ReturnType<typeof newMaker>;

/** A maker for each handler. @throws Refusal `not_allowed`, RedriveError `unknown_handler` */
async function makersOf(
  { store, who }: Context,
  config: Config,
  { jobs, runs_elsewhere }: Pick<Wish, 'jobs' | 'runs_elsewhere'>,
): Promise<ReadonlyMap<string, Maker>> {
  for (const { tenant } of jobs) ownTenant(tenant, who);
  const makers = new Map<string, Maker>();
  for (const handler of new Set(jobs.map((job) => job.handler))) {
    if (isOwnHandler(handler)) {
      throw new Refusal('not_allowed', `Only Redrive itself enqueues jobs of ${handler}.`);
    }
    if (!runs_elsewhere && !knownMakers.get(store)?.has(makerKey(config, handler))) {
      await checkHandler(store, config, handler);
    }
    makers.set(handler, makerOf(store, config, handler));
  }
  return makers;
}

/** @throws RedriveError `unknown_handler`, with the nearest name in the hint. */
async function checkHandler(store: FullStore, config: Config, name: string): Promise<void> {
  const declared = [...jobsSettings(config).handlers.keys()];
  await checkHandlerIsKnown(store, declared, name).catch((error: unknown) => {
    if (!isRedriveError(error, 'unknown_handler')) throw error;
    const { nearest: close } = error.details;
    const allow = 'add --runs-elsewhere ("runs_elsewhere": true)';
    const hint =
      close === undefined
        ? `Declare it under jobs.handlers of redrive.yaml; if another program runs it, ${allow}.`
        : `Did you mean "${close}"? If another program runs "${name}", ${allow}.`;
    throw new RedriveError('unknown_handler', error.message, { ...error.details, hint });
  });
}

/** Handlers whose maker is kept. */
const MAX_MAKERS = 1_000;
const knownMakers = new WeakMap<FullStore, Map<string, Maker>>();

/** Kept, because making one resolves options and policies. */
function makerOf(store: FullStore, config: Config, handler: string): Maker {
  const known = knownMakers.get(store) ?? new Map<string, Maker>();
  knownMakers.set(store, known);
  const key = makerKey(config, handler);
  const maker = known.get(key) ?? newMaker(store, handler, hookIn(config, handler));
  if (known.size >= MAX_MAKERS) known.clear();
  known.set(key, maker);
  return maker;
}

/** The file may name another hook later. */
function makerKey(config: Config, handler: string): string {
  return JSON.stringify([handler, hookIn(config, handler)]);
}

function hookIn(config: Config, handler: string): string | undefined {
  return jobsSettings(config).handlers.get(handler)?.deadHandler;
}

/** The handlers only have to be known by name: nothing runs here. */
function newMaker(store: FullStore, handler: string, onDead: string | undefined) {
  const hook = onDead === undefined ? {} : { [onDead]: runsElsewhere<unknown>() };
  return jobsOn(store, { ...hook, [handler]: runsElsewhere<unknown>({ onDead }) });
}
