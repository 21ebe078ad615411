import type { Clock, Timer } from '@redrive/core';
import { updateControl } from '../control/update-control.ts';
import { firstDocument } from '../schedule/resolve-schedule.ts';
import type { FullStore } from '../store/full-store.ts';
import { SWEEP_HANDLER, sweepSchedule, totalsWithSent } from './sweep-numbers.ts';

/** Counts events that the broker has confirmed, for `retry_job_documents_requeued_total`. */
export interface SentCounter {
  /** For `documentHandler`. @param collection name of the sweep. */
  readonly add: (collection: string) => void;
  /** Resolves when all counts are in the store, or cannot be written. */
  written(): Promise<void>;
}

/** Every worker reads the document at every change, so it changes once a second at most. */
const WRITE_EVERY_MS = 1_000;

/**
 * Adds confirmed events to the numbers of the sweeps, a second's worth at a time. A process that is killed loses the
 * counts of its last second.
 *
 * @param parts `intervalMs`: of the sweeps.
 */
export function sentCounter(parts: {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly intervalMs: number;
}): SentCounter {
  const { store, clock, intervalMs } = parts;
  let waiting = new Map<string, number>();
  let writing: Promise<void> | undefined;
  let timer: Timer | undefined;

  async function write(): Promise<void> {
    const counts = waiting;
    waiting = new Map();
    try {
      await updateControl(store, {
        of: 'schedule',
        key: SWEEP_HANDLER,
        next: (current, nowMs) => {
          const document =
            current ?? firstDocument(SWEEP_HANDLER, sweepSchedule(intervalMs), nowMs);
          return { ...document, totals: totalsWithSent(document.totals, counts) };
        },
      });
    } catch {
      for (const [name, count] of counts) waiting.set(name, (waiting.get(name) ?? 0) + count);
    }
    // Before the promise settles: a count that is added in between would begin no write.
    writing = undefined;
    if (waiting.size === 0) return;
    timer = clock.setTimer(WRITE_EVERY_MS, begin);
    timer.hold(false);
  }

  function begin(): void {
    timer = undefined;
    writing ??= write();
  }

  return {
    add(collection) {
      waiting.set(collection, (waiting.get(collection) ?? 0) + 1);
      if (timer === undefined) begin();
    },
    async written() {
      await writing;
      timer?.cancel();
      if (waiting.size > 0) begin();
      await writing;
      timer?.cancel();
    },
  };
}
