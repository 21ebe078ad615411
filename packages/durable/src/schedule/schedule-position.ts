import { definePolicy } from '@redrive/core';
import { updateControl } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';

/** Every write of the position makes every worker read all control documents. */
export const POSITION_EVERY_MS = 1_000;

/**
 * Keeps the position of a schedule's handler in the document of the schedule, and adds `more` to one of its totals. A
 * process that dies before this write repeats what it did since the last one.
 */
export async function keepPosition(
  store: FullStore,
  schedule: string,
  position: string | undefined,
  total: 'published' | 'stored',
  more: number,
): Promise<void> {
  await updateControl(store, {
    of: 'schedule',
    key: schedule,
    next: (document) => {
      if (document === undefined || (document.position === position && more === 0)) {
        return undefined;
      }
      const { totals } = document;
      const sum = (totals[total] ?? 0) + more;
      return { ...document, position, totals: { ...totals, [total]: sum } };
    },
  });
}

/** A broker or a database may be away for hours. After that the next tick begins again. */
export function followerPolicy(id: string, name: string) {
  return definePolicy({
    ...{ id, name, maxAttempts: 1_000, jitter: 'full', attemptTimeoutMs: 60_000 },
    ...{ baseDelayMs: 1_000, maxDelayMs: 30_000, multiplier: 2 },
  });
}
