import { type Clock, newId, systemClock } from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { FullStore } from '../store/full-store.ts';
import { notFound } from './act-on-operation.ts';
import type { ActWish } from './act-wish.ts';
import { forgetOperations } from './end-operation.ts';
import { checkRequest, type OperationRequest } from './operation-request.ts';
import { endLease, operationRound, type RoundAnswer } from './operation-round.ts';
import { type OperationStatus, operationStatus } from './operation-status.ts';
import { type ActRefusal, MAX_NAMED } from './plan-acts.ts';
import { beginOperation } from './submit-operation.ts';

export interface CarryOutOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** The name of this process, as `OperationStatus.runner`. Default: a new name. */
  readonly worker?: string;
  /** Jobs per transaction, 1 to 1,000. Default: the store's proposal; at least 200 while no worker is alive. */
  readonly batch?: number;
  /** Stops between two steps. Workers continue it. */
  readonly signal?: AbortSignal;
  /** About five times a second. If it throws, this process stops carrying it out. */
  readonly onProgress?: (status: OperationStatus) => void;
}

/** The result of a bulk operation that this process submitted and carried out. */
export interface OperationReport {
  readonly status: OperationStatus;
  /** The first refusals that this process saw, at most 100. */
  readonly refusals: readonly ActRefusal[];
  /** It was finished before: this call changed nothing. */
  readonly alreadyFinished: boolean;
}

/** The time between two looks at the progress of another process. */
const WATCH_MS = 200;
/** Jobs per transaction, at least, while no worker waits for the store. */
const BATCH_ALONE = 200;

const OPTIONS: OptionTable<CarryOutOptions> = {
  clock: [systemClock, aClock],
  worker: [undefined, { kind: 'string' }],
  batch: [undefined, { kind: 'integer', min: 1, max: 1_000 }],
  signal: [undefined],
  onProgress: [undefined, { kind: 'function' }],
};

/**
 * Carries out a submitted bulk operation in this process, until it is finished, stopped, paused or aborted, or until the
 * signal. While another process carries it out, this one only watches, and continues if that process ends.
 *
 * @throws RedriveError `operation_not_found`; `invalid_option`; `store_unavailable`: call it again, or leave it to a
 *   worker.
 */
export async function carryOutOperation(
  store: FullStore,
  id: string,
  options: CarryOutOptions = {},
): Promise<OperationStatus> {
  return (await carryOut(store, id, resolved(options))).status;
}

/**
 * Submits a bulk operation and carries it out in this process: no worker is needed. Each job is acted on once, however
 * often it is submitted, also after a crash: with the same id it continues, and does nothing if it is finished.
 *
 * ```ts
 * const { status } = await runOperation(store, {
 *   id: 'purge-duplicates',
 *   act: 'purge',
 *   target: { filter: { handler: 'mail' }, limit: 1_000 },
 *   actor: { name: 'eve', why: 'sent twice' },
 * });
 * console.log(status.acted, status.refused);
 * ```
 *
 * A requeue has a ramp unless `ramp` is `false`: then a worker must run its jobs, and this call waits for their results.
 *
 * @throws RedriveError `invalid_option`; `payload_too_large`; `operation_conflict` if the id belongs to another request;
 *   `control_conflict`; `store_unavailable`: submit it again, and it continues.
 */
export async function runOperation(
  store: FullStore,
  request: OperationRequest,
  options: CarryOutOptions = {},
): Promise<OperationReport> {
  const given = resolved(options);
  checkRequest(request, true);
  const submitted = await beginOperation(store, request, given.worker);
  const alreadyFinished = submitted.state === 'finished';
  const report = await carryOut(store, request.id, given, request);
  // Without workers nobody else does it.
  await forgetOperations(store).catch(() => {
    // The next bulk operation does it: this one is carried out.
  });
  return { ...report, alreadyFinished };
}

function resolved(options: CarryOutOptions) {
  const { clock, ...rest } = resolveOptions('operation', options, OPTIONS);
  return { ...rest, clock, worker: rest.worker ?? newId('act', clock) };
}

async function carryOut(
  store: FullStore,
  id: string,
  { clock, worker, signal, onProgress, batch }: ReturnType<typeof resolved>,
  wish?: ActWish,
): Promise<Pick<OperationReport, 'status' | 'refusals'>> {
  const shared = { store, worker, batch: batch ?? store.actsPerStep, wish };
  const alone = { ...shared, batch: batch ?? Math.max(BATCH_ALONE, store.actsPerStep) };
  let runner = shared;
  const refusals: ActRefusal[] = [];
  // This process ends its lease.
  const other = ({ runner: by }: OperationStatus) => (by === worker ? undefined : by);
  let reportedAtMs = -Infinity;
  try {
    for (;;) {
      const startMs = clock.monotonic();
      // A signal before the first step: nothing is sent.
      const answer = signal?.aborted ? REST : await operationRound(runner, id);
      if (answer.kind === 'again')
        refusals.push(...answer.refusals.slice(0, MAX_NAMED - refusals.length));
      const nowMs = clock.monotonic();
      if (answer.kind === 'rest' || signal?.aborted || nowMs - reportedAtMs >= WATCH_MS) {
        reportedAtMs = nowMs;
        const status = await operationStatus(store, id);
        if (status === undefined) throw notFound(id);
        runner = status.hasWorker === false ? alone : shared;
        onProgress?.(status);
        const isOver = answer.kind === 'rest' || status.state !== 'running';
        if (isOver || signal?.aborted)
          return { status: { ...status, runner: other(status) }, refusals };
      }
      // Without workers, hardly any other process writes.
      const tookMs = runner === alone ? 0 : nowMs - startMs;
      await wait(clock, pauseMs(answer, tookMs), signal);
    }
  } finally {
    await endLease(runner, id).catch(() => {
      // It runs out by itself.
    });
  }
}

const REST: RoundAnswer = { kind: 'rest' };

/** After a step, others have the store for as long as it took. */
export function pauseMs(answer: RoundAnswer, tookMs: number): number {
  if (answer.kind === 'rest') return 0;
  if (answer.kind === 'others') return Math.min(answer.waitMs, WATCH_MS);
  return answer.sent ? Math.min(tookMs, WATCH_MS) : answer.waitMs;
}

function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted || delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.setTimer(delayMs, end);
    function end(): void {
      signal?.removeEventListener('abort', end);
      timer.cancel();
      resolve();
    }
    signal?.addEventListener('abort', end, { once: true });
  });
}
