import { type Clock, RedriveError } from '@redrive/core';
import { type AttemptAccount, newSortableId, openAccount } from '@redrive/core/stored';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import { jobDigest, jobIdOf } from '../job/caller-id.ts';
import type { JobSpec, Payload } from '../job/job.ts';
import { jobPolicyOf } from '../job/job-policy.ts';
import type { Actor, EnqueueCommand, EnqueueResult, Moment } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { Enqueued, EnqueueManyOptions, EnqueueOptions } from './jobs.ts';
import type { JobsTelemetry } from './jobs-telemetry.ts';
import { checkJobCount, checkPayloadSize, checkTotalSize, encodePayload } from './payload.ts';
import {
  type ResolvedEnqueueOptions,
  resolveEnqueueOptions,
  resolveOptionsOfMany,
} from './resolve-enqueue-options.ts';

/** All jobs begin with the same one: accounts are never changed, only replaced. */
const OPEN_ACCOUNT: AttemptAccount = /* @__PURE__ */ openAccount();

interface EnqueuerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: ReadonlyMap<string, Pick<ResolvedHandler, 'onDead'>>;
  readonly maxPayloadBytes: number;
  readonly actor: Actor;
  readonly telemetry?: JobsTelemetry | undefined;
}

/** The id that a batch gives to an item. */
interface OwnId {
  readonly id: string;
  /** The same id with the same handler and payload is the same job. */
  readonly isRepeatable: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** Checks the calls of `enqueue`, makes their commands, and sends them to the store. */
export class Enqueuer {
  readonly #parts: EnqueuerParts;

  constructor(parts: EnqueuerParts) {
    this.#parts = parts;
  }

  prepare(
    handler: string,
    payload: unknown,
    options?: EnqueueOptions,
    headers: Headers | undefined = this.#parts.telemetry?.headers(),
  ): EnqueueCommand {
    this.checkHandler(handler);
    const encoded = encodePayload(handler, payload, this.#parts.maxPayloadBytes);
    if (!('kind' in encoded)) {
      resolveEnqueueOptions(options, encoded);
      throw new RedriveError('invalid_job', encoded.message); // Never reached: the line above throws.
    }
    return this.#command(handler, encoded, resolveEnqueueOptions(options, undefined), headers);
  }

  async enqueue<K extends string>(
    handler: K,
    payload: unknown,
    options?: EnqueueOptions,
  ): Promise<Enqueued<K>> {
    return this.#observed(handler, 1, async (headers) => {
      const command = this.prepare(handler, payload, options, headers);
      const [result] = await this.#parts.store.apply([command]);
      return enqueued(handler, command, result);
    });
  }

  async enqueueMany<K extends string>(
    handler: K,
    payloads: readonly unknown[],
    options?: EnqueueManyOptions<unknown>,
  ): Promise<readonly Enqueued<K>[]> {
    const prepare = this.#checkMany(handler, payloads, options);
    if (payloads.length === 0) return [];
    return this.#observed(handler, payloads.length, async (headers) => {
      const commands = prepare(headers);
      const results = await this.#parts.store.apply(commands);
      const refused = results.filter(({ ok }) => !ok).length;
      return results.map((result, index) =>
        // One result per command.
        enqueued(handler, commands[index] as EnqueueCommand, result, results.length - refused),
      );
    });
  }

  /** The checked commands of an `enqueueMany`, without carrying them out. */
  prepareMany(
    handler: string,
    payloads: readonly unknown[],
    options?: EnqueueManyOptions<unknown>,
  ): readonly EnqueueCommand[] {
    return this.#checkMany(handler, payloads, options)(this.#parts.telemetry?.headers());
  }

  #checkMany(
    handler: string,
    payloads: readonly unknown[],
    options: EnqueueManyOptions<unknown> | undefined,
  ): (headers: Headers | undefined) => readonly EnqueueCommand[] {
    this.checkHandler(handler);
    checkJobCount('enqueueMany', payloads, 'payloads');
    const encoded = payloads.map((payload) =>
      encodePayload(handler, payload, this.#parts.maxPayloadBytes),
    );
    const resolved = resolveOptionsOfMany(payloads, encoded, options);
    // None is a problem: the line above would have thrown.
    const ready = encoded as readonly Payload[];
    checkTotalSize('enqueueMany', ready);
    return (headers) =>
      ready.map((payload, index) =>
        // One of each per payload.
        this.#command(handler, payload, resolved[index] as ResolvedEnqueueOptions, headers),
      );
  }

  /** The commands of some items of a batch. `from`: the place of the first one. */
  prepareItems(
    handler: string,
    payloads: readonly unknown[],
    options: EnqueueManyOptions<unknown>,
    from: number,
    ownOf: (place: number) => OwnId,
  ): readonly EnqueueCommand[] {
    const { maxPayloadBytes, telemetry } = this.#parts;
    const encoded = payloads.map((payload) => encodePayload(handler, payload, maxPayloadBytes));
    const resolved = resolveOptionsOfMany(payloads, encoded, options, from);
    // None is a problem: the line above would have thrown.
    const ready = encoded as readonly Payload[];
    const headers = telemetry?.headers();
    return ready.map((payload, at) => {
      // One of each per payload.
      const own = resolved[at] as ResolvedEnqueueOptions;
      return this.#command(handler, payload, own, headers, ownOf(from + at));
    });
  }

  #observed<T>(handler: string, count: number, run: (headers?: Headers) => T): T {
    const { telemetry } = this.#parts;
    return telemetry === undefined ? run() : telemetry.enqueue({ handler, count }, run);
  }

  /** The hook of the handler's jobs. */
  onDeadOf(handler: string): string | undefined {
    return this.#parts.handlers.get(handler)?.onDead;
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

  #command(
    handler: string,
    payload: Payload,
    options: ResolvedEnqueueOptions,
    headers: Headers | undefined,
    own?: OwnId,
  ): EnqueueCommand {
    const { clock, actor, maxPayloadBytes } = this.#parts;
    checkPayloadSize(handler, payload, maxPayloadBytes);
    const { runAt, delayMs, deadline, unique } = options;
    const callersId = options.id === undefined ? undefined : jobIdOf(options.id, options.tenant);
    const id = own?.id ?? callersId ?? newSortableId(clock);
    const isRepeatable = own?.isRepeatable ?? callersId !== undefined;
    return {
      kind: 'enqueue',
      job: {
        id,
        digest: isRepeatable ? jobDigest(handler, payload) : undefined,
        handler,
        queue: options.queue,
        tenant: options.tenant,
        priority: options.priority,
        tags: options.tags,
        headers: headers === undefined ? options.headers : { ...headers, ...options.headers },
        payload,
        sessionId: id,
        ...policyOf(options),
        batch: options.batch,
        onDead: this.onDeadOf(handler),
        uniqueKey: unique?.key ?? options.uniqueKey,
        limitKey: options.limitKey,
        rateKey: options.rateKey,
        correlationId: options.correlationId,
        traceId: options.traceId,
        idempotencyKey: options.idempotencyKey ?? id,
      },
      due: dueOf(runAt, delayMs),
      deadline: deadline && { atMs: deadline.getTime() },
      onConflict: options.onConflict,
      uniqueForMs: unique?.forMs,
      account: OPEN_ACCOUNT,
      errorClass: undefined,
      actor,
    };
  }
}

/** The policy that the job names or has for itself. A policy of its own has its number of attempts inside. */
function policyOf({
  policy,
  maxAttempts,
}: ResolvedEnqueueOptions): Pick<JobSpec, 'policyId' | 'ownPolicy' | 'maxAttempts'> {
  if (typeof policy !== 'object') return { policyId: policy, maxAttempts };
  return { ownPolicy: jobPolicyOf(maxAttempts ? { ...policy, maxAttempts } : policy) };
}

function dueOf(runAt: Date | undefined, delayMs: number | undefined): Moment | undefined {
  if (runAt !== undefined) return { atMs: runAt.getTime() };
  return delayMs === undefined ? undefined : { inMs: delayMs };
}

/** What an enqueue answers. @throws RedriveError if it was refused. */
export function enqueued<K extends string>(
  handler: K,
  { job, uniqueForMs }: EnqueueCommand,
  result: EnqueueResult,
  others = 0,
): Enqueued<K> {
  if (result.ok) return { id: result.id, handler, outcome: result.outcome };
  const rest = others === 0 ? '' : `. ${others} other jobs of the call are stored`;
  throw refusalError({ job, uniqueForMs }, result, rest);
}

/** The error of a job that the store refused. */
export function refusalError(
  { job, uniqueForMs }: Pick<EnqueueCommand, 'job' | 'uniqueForMs'>,
  { id, refusal }: Extract<EnqueueResult, { readonly ok: false }>,
  rest = '',
): RedriveError {
  if (refusal === 'batch_closed') {
    return new RedriveError(
      'batch_closed',
      `The batch ${job.batch} takes no job: it is sealed, or this tenant has no batch with this id${rest}`,
      { batch: job.batch },
    );
  }
  if (refusal !== 'unique_conflict') {
    return new RedriveError(
      'idempotency_conflict',
      `The job ${id} was enqueued with another handler or payload: one id is for one piece of work${rest}`,
      { id },
    );
  }
  const which = uniqueForMs === undefined ? `unfinished job ${id}` : `job ${id}`;
  return new RedriveError(
    'unique_conflict',
    `The ${which} has the unique key ${job.uniqueKey}${rest}`,
    { id, uniqueKey: job.uniqueKey },
  );
}
