import { type Clock, nominalDelayMs, RedriveError } from '@redrive/core';
import { type FieldProblem, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { newSortableId } from '@redrive/core/stored';
import { type Enqueuer, enqueued } from '../jobs/enqueuer.ts';
import type { BatchOptions, BatchThen, EnqueuedBatch } from '../jobs/jobs.ts';
import { checkPayloadSize, checkTotalSize, encodePayload } from '../jobs/payload.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { batchIdProblem, type CountedBatch, type FollowingJob } from './batch.ts';

/** Items of one commit: others wait for it. */
const AT_ONCE = 1_000;

/** Waits between two looks at a batch: 25 ms, doubled up to a second. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 25,
  maxDelayMs: 1_000,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

interface OwnOptions {
  readonly id?: string | undefined;
  readonly then?: BatchThen | undefined;
  readonly seal?: boolean | undefined;
}

const OPTIONS: OptionTable<OwnOptions> = {
  id: [undefined],
  then: [undefined],
  seal: [true, { kind: 'boolean' }],
};

const THEN: OptionTable<BatchThen> = {
  handler: [''],
  data: [undefined],
  queue: ['default'],
  priority: [0, { kind: 'integer', min: -1_000, max: 1_000 }],
};

export interface BatchParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly enqueuer: Enqueuer;
  readonly maxPayloadBytes: number;
  readonly actor: Actor;
}

/** Opens the batch, stores the items, and seals it. Each step may be repeated. */
export async function enqueueBatch(
  { store, clock, enqueuer, maxPayloadBytes, actor }: BatchParts,
  handler: string,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  given: BatchOptions = {},
): Promise<EnqueuedBatch> {
  const { id: callersId, then: following, seal, ...shared } = given;
  const options = resolveOptions(
    'batch',
    { id: callersId, then: following, seal },
    OPTIONS,
    'invalid_job',
    () => idProblems(callersId),
  );
  enqueuer.checkHandler(handler);
  const then = options.then && followingText(options.then, enqueuer, maxPayloadBytes);
  const id = callersId ?? newSortableId(clock);
  const { tenant = '' } = shared;
  const batch = { kind: 'batch', id, tenant, actor } as const;
  const prepare = (some: readonly unknown[], from: number) =>
    enqueuer.prepareItems(handler, some, { ...shared, batch: id }, from, (place) => {
      return { id: itemIdOf(id, place), isRepeatable: callersId !== undefined };
    });

  let count = 0;
  let isOpen = false;
  for await (const some of inParts(items)) {
    const commands = prepare(some, count);
    checkTotalSize(
      `${AT_ONCE} items of enqueueBatch`,
      commands.map(({ job }) => job.payload),
    );
    if (!isOpen) await open();
    isOpen = true;
    await storeAll(commands);
    count += commands.length;
  }
  if (!isOpen) await open();
  if (options.seal) await sealBatch(store, id, tenant, actor);
  return { id, items: count };

  async function open(): Promise<void> {
    const [opened] = await store.apply([{ ...batch, act: 'open', then }]);
    if (opened.ok) return;
    const message = `Another batch has the id ${id}: one of another tenant, or with another job that follows`;
    throw new RedriveError('idempotency_conflict', message, { id });
  }

  async function storeAll(commands: readonly EnqueueCommand[]): Promise<void> {
    const results = await store.apply(commands);
    for (const [at, command] of commands.entries()) {
      const result = results[at];
      if (result !== undefined) enqueued(handler, command, result);
    }
  }
}

/** @throws RedriveError `batch_not_found`. */
export async function sealBatch(
  store: FullStore,
  id: string,
  tenant: string,
  actor: Actor,
): Promise<void> {
  const [sealed] = await store.apply([{ kind: 'batch', act: 'seal', id, tenant, actor }]);
  if (!sealed.ok) throw batchNotFound(id);
}

/** The batch, once it has ended. @throws RedriveError `batch_not_found`, `wait_timeout`. */
export async function untilBatchEnds(
  store: FullStore,
  clock: Clock,
  id: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<CountedBatch> {
  const endMs = clock.monotonic() + timeoutMs;
  for (let looks = 1; ; looks++) {
    const batch = await store.batch(id);
    if (batch === undefined) throw batchNotFound(id);
    if (batch.state === 'ended') return batch;
    signal?.throwIfAborted();
    const leftMs = endMs - clock.monotonic();
    if (leftMs <= 0) {
      const message = `Batch ${id} has not ended within ${timeoutMs} ms`;
      throw new RedriveError('wait_timeout', message, { id });
    }
    await pause(clock, Math.min(leftMs, nominalDelayMs(POLL, looks)), signal);
  }
}

export function batchNotFound(id: string): RedriveError {
  return new RedriveError('batch_not_found', `There is no batch ${id}`, { id });
}

/** The id of the job of an item. Jobs of one millisecond are claimed by their ids: in the order of the items. */
function itemIdOf(batch: string, place: number): string {
  return `batch:${batch}:${String(place).padStart(7, '0')}`;
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimer(delayMs, resolve);
  const onAbort = (): void => {
    timer.cancel();
    resolve();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', onAbort));
}

async function* inParts(
  items: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<readonly unknown[]> {
  let part: unknown[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function idProblems(id: unknown): readonly FieldProblem[] {
  const problem = batchIdProblem('id', id);
  return problem === undefined ? [] : [problem];
}

/** The job that follows, as it is stored. @throws RedriveError `invalid_job`, `unknown_handler`, `payload_too_large`. */
function followingText(then: BatchThen, enqueuer: Enqueuer, maxPayloadBytes: number): string {
  const { handler, data, queue, priority } = resolveOptions(
    'job that follows the batch',
    then,
    THEN,
    'invalid_job',
    (given) => {
      const problem = textProblem('queue', given.queue, MAX_NAME_LENGTH);
      return problem === undefined ? [] : [problem];
    },
  );
  enqueuer.checkHandler(handler);
  const job = { handler, queue, priority, onDead: enqueuer.onDeadOf(handler) };
  if (data === undefined) return textOf(job);
  const encoded = encodePayload(handler, data, maxPayloadBytes);
  if (!('kind' in encoded) || encoded.kind !== 'json') {
    const message = 'kind' in encoded ? 'data must be JSON' : encoded.message;
    throw new RedriveError('invalid_job', `The job that follows the batch: ${message}`);
  }
  checkPayloadSize(handler, encoded, maxPayloadBytes);
  return textOf({ ...job, data: encoded.text });
}

function textOf(job: FollowingJob): string {
  return JSON.stringify(job);
}
