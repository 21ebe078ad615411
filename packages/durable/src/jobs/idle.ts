import { type Clock, nominalDelayMs } from '@redrive/core';
import type { JobState } from '../job/job.ts';
import type { Store } from '../store/store.ts';

/** Waits between two looks: 20 ms, doubled up to half a second. Counting is not free. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 20,
  maxDelayMs: 500,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

const UNFINISHED: ReadonlySet<JobState> = new Set(['ready', 'scheduled', 'parked', 'leased']);

/** What this process does: a worker that runs goes on when the store is back, and so does who waits for it. */
export type Activity = 'none' | 'idle' | 'busy';

/**
 * Resolves when no job of these queues (`undefined`: of any) is ready, scheduled, parked or leased. Rejects when the store
 * does not answer and no worker of this process would go on either.
 */
export async function untilIdle(
  store: Store,
  clock: Clock,
  queues: readonly string[] | undefined,
  activity: () => Activity,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    // As long as this process has work, there is nothing to ask for.
    const isBusy = activity() === 'busy';
    if (!isBusy && (await isIdle(store, queues, activity))) return;
    const waitMs = isBusy ? POLL.baseDelayMs : nominalDelayMs(POLL, looks);
    await new Promise<void>((resolve) => clock.setTimer(waitMs, resolve));
  }
}

async function isIdle(
  store: Store,
  queues: readonly string[] | undefined,
  activity: () => Activity,
): Promise<boolean> {
  try {
    const { groups } = await store.counts();
    return !groups.some(
      ({ queue, state, count }) =>
        count > 0 && UNFINISHED.has(state) && (queues === undefined || queues.includes(queue)),
    );
  } catch (error) {
    if (activity() === 'none') throw error;
    return false;
  }
}
