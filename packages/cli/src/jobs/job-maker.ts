import { type Config, lookUp } from '@redrive/config';
import { nearest } from '@redrive/core/fields';
import { type EnqueueOptions, type FullStore, jobsOn, type Store } from '@redrive/durable';
import { type EnqueueCommand, type EnqueueResult, parsePayload } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import {
  durationOption,
  integerOption,
  listOption,
  momentOption,
  textOption,
} from '../command/option-values.ts';
import { actorOf } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';

/** Makes the command that enqueues one job of this handler with this payload. */
export type JobMaker = (payload: string) => EnqueueCommand;

/** Everything is checked by the library, as it would be for an application. */
export function jobMaker(
  store: FullStore,
  handler: string,
  { options, due, deadline }: JobWishes,
  given: Options,
): JobMaker {
  // It only has to be known by name: nothing runs here.
  const jobs = jobsOn(store, { [handler]: (_payload: unknown) => undefined });
  const actor = actorOf(given);
  return (payload) => ({
    ...jobs.prepare(handler, parsePayload(payload), options),
    ...(due === undefined ? {} : { due }),
    ...(deadline === undefined ? {} : { deadline }),
    actor,
  });
}

export type Accepted = Extract<EnqueueResult, { ok: true }>;

/** The output of `--json` for a job that would be accepted. */
export function wouldBeJson({ job }: EnqueueCommand) {
  const { handler, queue } = job;
  return { id: null, handler, queue, outcome: 'would_be_created', dry_run: true };
}

/**
 * The output of `--json` for a job that was accepted. If a job has its id or its unique key, this is about that job, which
 * may be in another queue.
 */
export async function enqueuedJson(
  store: Store,
  { job }: EnqueueCommand,
  { id, outcome }: Accepted,
) {
  const stored = outcome === 'created' ? undefined : await store.job(id);
  const { handler, queue } = stored ?? job;
  return { id, handler, queue, outcome, dry_run: false };
}

/** The jobs' options: those that the library checks, and the times, which go by the store's clock. */
interface JobWishes {
  readonly options: EnqueueOptions;
  readonly due: EnqueueCommand['due'];
  readonly deadline: EnqueueCommand['deadline'];
}

/** @throws CliError with the exit code 2 or 3. */
export function jobWishes(options: Options, config: Config, nowMs: number): JobWishes {
  const given: Partial<Record<keyof EnqueueOptions, unknown>> = {
    queue: textOption(options, 'queue'),
    tenant: textOption(options, 'tenant'),
    priority: integerOption(options, 'priority', { min: -1_000, max: 1_000 }),
    id: textOption(options, 'id'),
    ...uniqueOptions(options),
    onConflict: textOption(options, 'onConflict'),
    limitKey: textOption(options, 'limitKey'),
    policy: policyOption(options, config),
    idempotencyKey: textOption(options, 'idempotencyKey'),
    correlationId: textOption(options, 'correlationId'),
    traceId: textOption(options, 'traceId'),
    tags: listOrNone(options, 'tag'),
    headers: headersOf(listOrNone(options, 'header')),
  };
  return {
    // Each was read as what its option takes, and what was not given is left out.
    options: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as EnqueueOptions,
    due: momentOption(options, 'runAt'),
    deadline: deadlineOption(options, nowMs),
  };
}

/** @throws CliError with the exit code 2. */
function uniqueOptions(options: Options): Pick<EnqueueOptions, 'uniqueKey' | 'unique'> {
  const key = textOption(options, 'uniqueKey');
  const forMs = durationOption(options, 'uniqueFor');
  if (forMs === undefined) return key === undefined ? {} : { uniqueKey: key };
  if (key !== undefined) return { unique: { key, forMs } };
  throw new CliError(
    'usage',
    '--unique-for needs a key.',
    'Add --unique-key: the key that counts for this time.',
  );
}

/** A deadline that has passed would only make a job that is given up: nobody means that. */
function deadlineOption(options: Options, nowMs: number) {
  const deadline = momentOption(options, 'deadline');
  if (deadline === undefined || ('inMs' in deadline ? deadline.inMs > 0 : deadline.atMs > nowMs)) {
    return deadline;
  }
  throw new CliError(
    'usage',
    `--deadline has passed: ${textOption(options, 'deadline')}`,
    'No attempt would start. Give a time in the future, such as 2027-01-31T08:00:00Z or +10m.',
  );
}

function listOrNone(options: Options, name: string): readonly string[] | undefined {
  const list = listOption(options, name);
  return list.length === 0 ? undefined : list;
}

function headersOf(
  pairs: readonly string[] | undefined,
): Readonly<Record<string, string>> | undefined {
  if (pairs === undefined) return undefined;
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
    throw new CliError('usage', `--header is not name=value: ${pair}`);
  });
  return Object.fromEntries(entries);
}

/** A policy that nobody knows would be passed over when the job runs, which is too late to notice. */
function policyOption(options: Options, config: Config): string | undefined {
  const name = textOption(options, 'policy');
  if (name === undefined || config.policies.has(name)) return name;
  const found = lookUp(config, name);
  if (found.policy !== undefined && EXACT.includes(found.matchedBy)) return name;
  const close = nearest(name, [...config.policies.keys(), ...config.mappings.keys()]);
  const hint =
    close === undefined
      ? '"redrive policies list" lists all policies.'
      : `Did you mean "${close}"?`;
  throw new CliError('no_match', `There is no policy "${name}".`, hint);
}

const EXACT: readonly string[] = ['policy', 'category', 'path'];
