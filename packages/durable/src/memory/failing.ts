import type { Job } from '../job/job.ts';
import { failingJobOf } from '../job/job-summary.ts';
import { checkFailingScan } from '../store/page.ts';
import { FAILING_STATES, type FailingJobs, type FailingRequest } from '../store/store.ts';
import type { JobTable } from './job-table.ts';

/** Unfinished jobs that have failed, of the first `atMost` of each state; or all that are parked under a cause. */
export function listFailing(
  table: JobTable,
  { atMost, cause, states = FAILING_STATES }: FailingRequest,
): FailingJobs {
  checkFailingScan(atMost);
  if (cause !== undefined) {
    const parked = [...table].filter((job) => job.state === 'parked' && job.cause === cause);
    return {
      jobs: parked.slice(0, atMost).map(failingJobOf),
      bounded: parked.length > atMost,
    };
  }
  const found = states.map((state) =>
    [...table].filter((job) => job.state === state).sort(byDueTime),
  );
  return {
    jobs: found
      .flatMap((jobs) => jobs.slice(0, atMost))
      .map(failingJobOf)
      .filter(({ lastError }) => lastError !== undefined),
    bounded: found.some(({ length }) => length > atMost),
  };
}

function byDueTime(a: Job, b: Job): number {
  return (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0);
}
