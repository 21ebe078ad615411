import { type Clock, nominalDelayMs } from '@redrive/core';
import type { JobState } from '../job/job.ts';
import type { Counts, Store } from '../store/store.ts';

/** Waits between two looks: 20 ms, doubled up to half a second. Counting is not free. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 20,
  maxDelayMs: 500,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

const UNFINISHED: ReadonlySet<JobState> = new Set(['ready', 'scheduled', 'parked', 'leased']);

/** Resolves when no job of these queues (`undefined`: of any) is ready, scheduled, parked or leased. */
export async function untilIdle(
  store: Store,
  clock: Clock,
  queues: readonly string[] | undefined,
  isWorking: () => boolean,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    // As long as this process has work, there is nothing to ask for.
    if (!isWorking() && isIdle(await store.counts(), queues)) return;
    const waitMs = isWorking() ? POLL.baseDelayMs : nominalDelayMs(POLL, looks);
    await new Promise<void>((resolve) => clock.setTimer(waitMs, resolve));
  }
}

function isIdle({ groups }: Counts, queues: readonly string[] | undefined): boolean {
  return !groups.some(
    ({ queue, state, count }) =>
      count > 0 && UNFINISHED.has(state) && (queues === undefined || queues.includes(queue)),
  );
}
