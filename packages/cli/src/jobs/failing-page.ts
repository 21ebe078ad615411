import {
  type FailingJob,
  type JobFilter,
  MAX_FAILING_SCAN,
  type Store,
} from '@redrive/durable/store';

/** Failing jobs that fit, the newest failure first, and a line that says how many of them there are. */
export async function failingPage(
  store: Pick<Store, 'failing'>,
  filter: JobFilter,
  limit: number,
): Promise<{
  readonly jobs: readonly FailingJob[];
  readonly next?: undefined;
  readonly below: readonly string[];
}> {
  const { jobs, bounded } = await store.failing({ atMost: MAX_FAILING_SCAN });
  const found = jobs.filter((job) => fits(job, filter)).sort(byNewestFailure);
  const many = MAX_FAILING_SCAN.toLocaleString('en');
  const sampled = bounded ? ` of the ${many} jobs of each state that are due first` : '';
  const count = `${Math.min(limit, found.length)} of ${found.length.toLocaleString('en')}`;
  const isAll = found.length <= limit && !bounded;
  return {
    jobs: found.slice(0, limit),
    below: isAll ? [] : ['', `${count} failing jobs${sampled}; --limit shows more`],
  };
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
