import { type Clock, RedriveError } from '@redrive/core';
import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import {
  type AttemptAccount,
  MAX_DURATION_MS,
  newSortableId,
  openAccount,
} from '@redrive/core/stored';
import type { Payload } from '../job/job.ts';
import type { Actor, EnqueueCommand, EnqueueResult, Moment } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { Enqueued, EnqueueOptions } from './jobs.ts';
import { checkPayloadSize, checkTotalSize, encodePayload } from './payload.ts';
import { redactHeaders } from './redact-headers.ts';
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH, textProblem } from './text-problem.ts';

/** Jobs of one `enqueueMany`: one commit must stay short, because others wait for it. */
const MAX_ENQUEUE_MANY = 10_000;

/** All jobs begin with the same one: accounts are never changed, only replaced. */
const OPEN_ACCOUNT: AttemptAccount = /* @__PURE__ */ openAccount();

interface EnqueuerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: ReadonlyMap<string, unknown>;
  readonly maxPayloadBytes: number;
  readonly actor: Actor;
}

/** Checks the calls of `enqueue`, makes their commands, and sends them to the store. */
export class Enqueuer {
  readonly #parts: EnqueuerParts;

  constructor(parts: EnqueuerParts) {
    this.#parts = parts;
  }

  prepare(handler: string, payload: unknown, options?: EnqueueOptions): EnqueueCommand {
    this.checkHandler(handler);
    const encoded = encodePayload(handler, payload, this.#parts.maxPayloadBytes);
    if (!('kind' in encoded)) {
      resolveEnqueueOptions(options, encoded);
      throw new RedriveError('invalid_job', encoded.message); // Never reached: the line above throws.
    }
    return this.#command(handler, encoded, resolveEnqueueOptions(options, undefined));
  }

  async enqueue<K extends string>(
    handler: K,
    payload: unknown,
    options?: EnqueueOptions,
  ): Promise<Enqueued<K>> {
    const command = this.prepare(handler, payload, options);
    const [result] = await this.#parts.store.apply([command]);
    return enqueued(handler, command, result);
  }

  async enqueueMany<K extends string>(
    handler: K,
    payloads: readonly unknown[],
    options?: EnqueueOptions,
  ): Promise<readonly Enqueued<K>[]> {
    this.checkHandler(handler);
    if (!Array.isArray(payloads) || payloads.length > MAX_ENQUEUE_MANY) {
      const given = Array.isArray(payloads) ? payloads.length : typeof payloads;
      throw new RedriveError(
        'invalid_job',
        `enqueueMany takes a list of at most ${MAX_ENQUEUE_MANY} payloads, not ${given}`,
        { maxJobs: MAX_ENQUEUE_MANY },
      );
    }
    const encoded = payloads.map((payload) =>
      encodePayload(handler, payload, this.#parts.maxPayloadBytes),
    );
    const problem = encoded.find((payload): payload is FieldProblem => !('kind' in payload));
    const resolved = resolveEnqueueOptions(options, problem, payloads.length);
    // None is a problem: the line above would have thrown.
    const ready = encoded as readonly Payload[];
    checkTotalSize(handler, ready);
    const commands = ready.map((payload) => this.#command(handler, payload, resolved));
    if (commands.length === 0) return [];
    const results = await this.#parts.store.apply(commands);
    return results.map((result, index) =>
      // One result per command.
      enqueued(handler, commands[index] as EnqueueCommand, result),
    );
  }

  /** @throws RedriveError `unknown_handler`. */
  checkHandler(handler: string): void {
    const { handlers } = this.#parts;
    if (handlers.has(handler)) return;
    const known = handlers.size === 0 ? 'none is declared' : [...handlers.keys()].join(', ');
    throw new RedriveError(
      'unknown_handler',
      `No handler is called ${String(handler)} (known: ${known}). If another process runs it, declare it with runsElsewhere()`,
      { handler },
    );
  }

  #command(handler: string, payload: Payload, options: ResolvedEnqueueOptions): EnqueueCommand {
    const { clock, actor, maxPayloadBytes } = this.#parts;
    checkPayloadSize(handler, payload, maxPayloadBytes);
    const id = newSortableId(clock);
    const { runAt, delayMs, deadline } = options;
    return {
      kind: 'enqueue',
      job: {
        id,
        handler,
        queue: options.queue,
        tenant: options.tenant,
        priority: options.priority,
        tags: options.tags,
        headers: options.headers,
        payload,
        sessionId: id,
        policyId: options.policy,
        uniqueKey: options.uniqueKey,
        limitKey: options.limitKey,
        correlationId: options.correlationId,
        traceId: options.traceId,
        idempotencyKey: options.idempotencyKey ?? id,
      },
      due: dueOf(runAt, delayMs),
      deadline: deadline && { atMs: deadline.getTime() },
      onConflict: options.onConflict,
      account: OPEN_ACCOUNT,
      errorClass: undefined,
      actor,
    };
  }
}

function dueOf(runAt: Date | undefined, delayMs: number | undefined): Moment | undefined {
  if (runAt !== undefined) return { atMs: runAt.getTime() };
  return delayMs === undefined ? undefined : { inMs: delayMs };
}

function enqueued<K extends string>(
  handler: K,
  { job }: EnqueueCommand,
  result: EnqueueResult,
): Enqueued<K> {
  if (result.ok) return { id: result.id, handler, outcome: result.outcome };
  throw new RedriveError(
    'unique_conflict',
    `The unfinished job ${result.id} has the unique key ${job.uniqueKey}`,
    { id: result.id, uniqueKey: job.uniqueKey },
  );
}

const MAX_TAGS = 32;
const MAX_TAG_LENGTH = 100;
const MAX_HEADERS = 64;
const MAX_HEADERS_LENGTH = 16 * 1024;

type ResolvedEnqueueOptions = Required<EnqueueOptions>;

const OPTIONS: OptionTable<EnqueueOptions> = {
  queue: ['default'],
  tenant: [''],
  priority: [0, { kind: 'integer', min: -1_000, max: 1_000 }],
  runAt: [undefined],
  delayMs: [undefined, { kind: 'number', min: 0, max: MAX_DURATION_MS }],
  deadline: [undefined],
  tags: [[], { kind: 'list', of: ['string'] }],
  headers: [{}],
  uniqueKey: [undefined],
  onConflict: ['existing', { kind: 'choice', values: ['existing', 'refuse', 'replace'] }],
  limitKey: [undefined],
  policy: [undefined],
  idempotencyKey: [undefined],
  correlationId: [undefined],
  traceId: [undefined],
};

const NONE: EnqueueOptions = Object.freeze({});
const DEFAULTS = /* @__PURE__ */ resolveOptions('job', NONE, OPTIONS);

/**
 * Checks the options of an enqueue and fills in the defaults. Several jobs at once cannot share a key that is one job's.
 *
 * @throws RedriveError `invalid_job` with every problem at once, the payload's included.
 */
function resolveEnqueueOptions(
  options: EnqueueOptions | undefined,
  payloadProblem: FieldProblem | undefined,
  jobs = 1,
): ResolvedEnqueueOptions {
  if (options === undefined && payloadProblem === undefined) return DEFAULTS;
  const resolved = resolveOptions('job', options ?? NONE, OPTIONS, 'invalid_job', (given) =>
    [
      payloadProblem,
      textProblem('queue', given.queue, MAX_NAME_LENGTH),
      textProblem('tenant', given.tenant, MAX_NAME_LENGTH, { empty: true }),
      textProblem('uniqueKey', given.uniqueKey, MAX_KEY_LENGTH),
      textProblem('limitKey', given.limitKey, MAX_KEY_LENGTH),
      textProblem('policy', given.policy, MAX_NAME_LENGTH),
      textProblem('idempotencyKey', given.idempotencyKey, MAX_KEY_LENGTH),
      textProblem('correlationId', given.correlationId, MAX_KEY_LENGTH),
      textProblem('traceId', given.traceId, MAX_KEY_LENGTH),
      dateProblem('runAt', given.runAt),
      dateProblem('deadline', given.deadline),
      given.runAt !== undefined && given.delayMs !== undefined
        ? { field: 'delayMs', message: 'delayMs cannot be given together with runAt' }
        : undefined,
      ...tagProblems(given.tags),
      ...headerProblems(given.headers),
      ...(jobs > 1 ? ['uniqueKey', 'idempotencyKey'] : [])
        .filter((field) => given[field] !== undefined)
        .map((field) => ({ field, message: `${field} cannot be shared by ${jobs} jobs` })),
    ].filter((problem) => problem !== undefined),
  );
  // A copy, property by property: the caller may go on with its own, and `__proto__` is a name like any other.
  return { ...resolved, headers: redactHeaders(resolved.headers) };
}

function dateProblem(field: string, value: unknown): FieldProblem | undefined {
  if (value === undefined || (value instanceof Date && Number.isFinite(value.getTime()))) {
    return undefined;
  }
  return { field, message: `${field} must be a valid Date` };
}

function tagProblems(tags: unknown): readonly (FieldProblem | undefined)[] {
  // Its rule has looked at the type already.
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) return [];
  if (tags.length > MAX_TAGS) {
    return [{ field: 'tags', message: `tags may be at most ${MAX_TAGS}, not ${tags.length}` }];
  }
  return tags.map((tag, index) => textProblem(`tags[${index}]`, tag, MAX_TAG_LENGTH));
}

function headerProblems(headers: unknown): readonly (FieldProblem | undefined)[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [{ field: 'headers', message: 'headers must be an object of texts' }];
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) {
    const message = `headers may be at most ${MAX_HEADERS}, not ${entries.length}`;
    return [{ field: 'headers', message }];
  }
  const length = entries.reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    0,
  );
  if (length > MAX_HEADERS_LENGTH) {
    const message = `headers may have ${MAX_HEADERS_LENGTH} characters together, not ${length}`;
    return [{ field: 'headers', message }];
  }
  return entries.flatMap(([name, value]) => [
    textProblem('headers', name, MAX_NAME_LENGTH),
    textProblem(`headers.${name}`, value, MAX_HEADERS_LENGTH, { empty: true }),
  ]);
}
