import { type Clock, nominalDelayMs } from '@redrive/core';
import type { Job, JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';

/** Waits between two looks: 20 ms, doubled up to half a second. Counting is not free. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 20,
  maxDelayMs: 500,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

const UNFINISHED: ReadonlySet<JobState> = new Set(['ready', 'scheduled', 'parked', 'leased']);

/** The work of this process: a running worker goes on when the store is back, and so does a caller that waits for it. */
export type Activity = 'none' | 'idle' | 'busy';

/** Looks in a row without a change before the store is asked for rows that are set aside: that reads all jobs. */
const QUIET_LOOKS = 4;

type IdleStore = Pick<FullStore, 'counts' | 'job' | 'unreadableJobs'>;

/**
 * Resolves when no job of these queues (`undefined`: of any) is ready, scheduled, parked or leased. Rows that are set aside
 * are no work: no worker can claim them. Rejects when the store does not answer and no worker of this process would go on
 * either.
 */
export async function untilIdle(
  store: IdleStore,
  clock: Clock,
  queues: readonly string[] | undefined,
  activity: () => Activity,
): Promise<void> {
  const isIdle = idleCheck(store, queues);
  for (let looks = 1; ; looks++) {
    // As long as this process has work, there is nothing to ask for.
    const isBusy = activity() === 'busy';
    try {
      if (!isBusy && (await isIdle())) return;
    } catch (error) {
      if (activity() === 'none') throw error;
    }
    const waitMs = isBusy ? POLL.baseDelayMs : nominalDelayMs(POLL, looks);
    await new Promise<void>((resolve) => clock.setTimer(waitMs, resolve));
  }
}

function idleCheck(store: IdleStore, queues: readonly string[] | undefined) {
  const isWork = ({ queue, state }: { readonly queue: string; readonly state: JobState }) =>
    UNFINISHED.has(state) && (queues === undefined || queues.includes(queue));
  let before = '';
  let quietLooks = 0;
  let nextSearch = QUIET_LOOKS;

  return async (): Promise<boolean> => {
    const { groups } = await store.counts();
    const open = groups.filter((group) => group.count > 0 && isWork(group));
    if (open.length === 0) return true;
    const now = JSON.stringify(open.map(({ queue, state, count }) => [queue, state, count]));
    if (now !== before) {
      before = now;
      quietLooks = 0;
      nextSearch = QUIET_LOOKS;
    }
    // A scheduled job comes due, whatever is wrong with its row.
    if (++quietLooks < nextSearch || open.some(({ state }) => state === 'scheduled')) return false;
    nextSearch = quietLooks * 2;
    const total = open.reduce((sum, { count }) => sum + count, 0);
    return (await setAside(store, isWork)) >= total;
  };
}

/** Unfinished jobs whose rows are set aside. */
async function setAside(store: IdleStore, isWork: (job: Job) => boolean): Promise<number> {
  let found = 0;
  let after: string | undefined;
  do {
    const page = await store.unreadableJobs(after);
    for (const { id } of page.jobs.filter(({ isSetAside }) => isSetAside)) {
      const job = await store.job(id);
      if (job !== undefined && isWork(job)) found++;
    }
    after = page.next;
  } while (after !== undefined);
  return found;
}
