import { type Clock, newId, systemClock } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { FullStore } from '../store/full-store.ts';
import { notFound } from './act-on-operation.ts';
import { courseRound, letGo } from './course-round.ts';
import { type OperationStatus, operationStatus } from './operation-status.ts';

export interface CarryOutOptions {
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Names who does it. Default: a name that nobody else has. */
  readonly worker?: string;
  /** Jobs per transaction, 1 to 1,000. Default: what the store proposes. */
  readonly batch?: number;
  /** Stops between two steps: workers go on with it. */
  readonly signal?: AbortSignal;
  /** About five times a second. What it throws ends it. */
  readonly onProgress?: (status: OperationStatus) => void;
}

/** How often is looked how others get on with it. */
const WATCH_MS = 200;

const OPTIONS: OptionTable<CarryOutOptions> = {
  clock: [systemClock],
  worker: [undefined, { kind: 'string' }],
  batch: [undefined, { kind: 'integer', min: 1, max: 1_000 }],
  signal: [undefined],
  onProgress: [undefined, { kind: 'function' }],
};

/**
 * Carries out an operation that was submitted, here and now, until it is finished, stopped, paused or aborted, or until
 * the signal. Where a worker is at it already, it only watches, and takes over when that one ends.
 *
 * @throws RedriveError `operation_not_found`; `invalid_option`; `store_unavailable`: call it again, or leave it to a
 *   worker.
 */
export async function carryOutOperation(
  store: FullStore,
  id: string,
  options: CarryOutOptions = {},
): Promise<OperationStatus> {
  const resolved = resolveOptions('operation', options, OPTIONS);
  const { clock, batch = store.actsPerStep, signal, onProgress } = resolved;
  const worker = resolved.worker ?? newId('act', clock);
  const runner = { store, worker, batch };
  let toldAtMs = -Infinity;
  try {
    for (;;) {
      const startMs = clock.monotonic();
      const answer = await courseRound(runner, id);
      const nowMs = clock.monotonic();
      if (answer.kind === 'rest' || signal?.aborted || nowMs - toldAtMs >= WATCH_MS) {
        toldAtMs = nowMs;
        const status = await operationStatus(store, id);
        if (status === undefined) throw notFound(id);
        onProgress?.(status);
        const isOver = answer.kind === 'rest' || status.state !== 'running';
        if (isOver || signal?.aborted) return status;
      }
      await wait(clock, pauseMs(answer, nowMs - startMs), signal);
    }
  } finally {
    await letGo(runner, id).catch(() => {
      // Its lease runs out by itself.
    });
  }
}

/** After a step, others have the store for as long as it took. */
export function pauseMs(
  answer: Exclude<Awaited<ReturnType<typeof courseRound>>, { kind: 'rest' }> | { kind: 'rest' },
  tookMs: number,
): number {
  if (answer.kind === 'rest') return 0;
  if (answer.kind === 'others') return Math.min(answer.waitMs, WATCH_MS);
  return answer.sent ? Math.min(tookMs, WATCH_MS) : answer.waitMs;
}

function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
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
