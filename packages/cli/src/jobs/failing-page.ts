import type { Store } from '@redrive/durable';
import { type FailingJob, type JobFilter, MAX_FAILING_SCAN } from '@redrive/durable/store';
import { countStates, countText } from '../store/job-counts.ts';

export interface FailingPage {
  readonly jobs: readonly FailingJob[];
  readonly next?: undefined;
  readonly below: readonly string[];
  /** In the place of an empty list. */
  readonly none: string;
}

/** Failing jobs that fit, the newest failure first, and a line that says how many of them there are. */
export async function failingPage(
  store: Pick<Store, 'failing' | 'counts'>,
  filter: JobFilter,
  limit: number,
): Promise<FailingPage> {
  const { jobs, bounded } = await store.failing({ atMost: MAX_FAILING_SCAN });
  const found = jobs.filter((job) => fits(job, filter)).sort(byNewestFailure);
  const many = MAX_FAILING_SCAN.toLocaleString('en');
  const sampled = bounded ? ` of the ${many} jobs of each state that are due first` : '';
  const count = `${Math.min(limit, found.length)} of ${found.length.toLocaleString('en')}`;
  const isAll = found.length <= limit && !bounded;
  return {
    jobs: found.slice(0, limit),
    below: isAll ? [] : ['', `${count} failing jobs${sampled}; --limit shows more`],
    none: found.length > 0 ? '' : `No unfinished job is failing.${await deadText(store, filter)}`,
  };
}

/** Dead jobs are finished, so they are not in the list; somebody who comes from `redrive status` looks for them. */
async function deadText(store: Pick<Store, 'counts'>, filter: JobFilter): Promise<string> {
  const { states, handler, queue, ...others } = filter;
  // Counts know handlers and queues only.
  if (states !== undefined || Object.values(others).some((each) => each !== undefined)) return '';
  const counts = await store.counts();
  const { dead } = countStates(
    counts,
    (group) =>
      (handler === undefined || group.handler === handler) &&
      (queue === undefined || group.queue === queue),
  );
  if (dead === 0) return '';
  return ` ${countText(dead, counts.bounded)} ${dead === 1 ? 'is' : 'are'} dead: redrive dlq groups`;
}

function fits(job: FailingJob, filter: JobFilter): boolean {
  const { states, handler, queue, tenant, tag } = filter;
  const { submittedAfterMs = -Infinity, submittedBeforeMs = Infinity } = filter;
  return (
    (states?.includes(job.state) ?? true) &&
    (handler === undefined || job.handler === handler) &&
    (queue === undefined || job.queue === queue) &&
    (tenant === undefined || job.tenant === tenant) &&
    (tag === undefined || job.tags.includes(tag)) &&
    job.submittedAtMs >= submittedAfterMs &&
    job.submittedAtMs < submittedBeforeMs
  );
}

function byNewestFailure(a: FailingJob, b: FailingJob): number {
  return (b.lastFailedAtMs ?? 0) - (a.lastFailedAtMs ?? 0);
}
