import { type Clock, nominalDelayMs } from '@redrive/core';
import { onlyStoppedJobs, type StoppedJobs } from '../control/stopped-jobs.ts';
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

/** Looks in a row without a change before the store is asked for jobs that cannot run: that reads all jobs. */
const QUIET_LOOKS = 4;

const NOTHING: readonly StoppedJobs[] = [];

type IdleStore = Pick<
  FullStore,
  'controls' | 'counts' | 'job' | 'jobs' | 'pulse' | 'unreadableJobs'
>;

/**
 * Resolves when no job of these queues (`undefined`: of any) is ready, scheduled, parked or leased. Rows that are set aside
 * are no work: no worker can claim them. Neither are jobs that a kill switch or a pause stops, if no other jobs are left:
 * resolves with them. Rejects when the store does not answer and no worker of this process would go on
 * either.
 */
export async function untilIdle(
  store: IdleStore,
  clock: Clock,
  queues: readonly string[] | undefined,
  activity: () => Activity,
): Promise<readonly StoppedJobs[]> {
  const leftWhenIdle = idleCheck(store, queues);
  for (let looks = 1; ; looks++) {
    // As long as this process has work, there is nothing to ask for.
    const isBusy = activity() === 'busy';
    try {
      const left = isBusy ? undefined : await leftWhenIdle();
      if (left !== undefined) return left;
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

  return async (): Promise<readonly StoppedJobs[] | undefined> => {
    const { groups } = await store.counts();
    const open = groups.filter((group) => group.count > 0 && isWork(group));
    // The job that follows a batch is enqueued soon.
    if (open.length === 0) return (await store.pulse([])).batchEnds ? undefined : NOTHING;
    const now = JSON.stringify(open.map(({ queue, state, count }) => [queue, state, count]));
    if (now !== before) {
      before = now;
      quietLooks = 0;
      nextSearch = QUIET_LOOKS;
    }
    if (++quietLooks < nextSearch) return undefined;
    nextSearch = quietLooks * 2;
    const stopped = await onlyStoppedJobs(store, queues);
    if (stopped !== undefined) return stopped;
    // A scheduled job comes due, whatever is wrong with its row.
    if (open.some(({ state }) => state === 'scheduled')) return undefined;
    const total = open.reduce((sum, { count }) => sum + count, 0);
    return (await setAside(store, isWork)) >= total ? NOTHING : undefined;
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
