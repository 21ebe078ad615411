import type { Job, LeasedJob } from '../job/job.ts';
import { failingJobOf, summaryOf } from '../job/job-summary.ts';
import { checkFailingScan, checkJobFilter, jobPage, placeText, readPlace } from '../store/page.ts';
import {
  type Counts,
  type ExpiredFilter,
  FAILING_STATES,
  type FailingJobs,
  type FailingRequest,
  type JobFilter,
  type JobPage,
  MAX_JOB_SCAN,
  type PageRequest,
  type Pulse,
} from '../store/store.ts';
import type { JobTable } from './job-table.ts';

/** Expired leases, the oldest first. */
export function expiredLeases(
  table: JobTable,
  { handlers, otherThan, forMs = 0 }: ExpiredFilter,
  nowMs: number,
): LeasedJob[] {
  return (
    table.leased
      .dueBy(nowMs - forMs, Infinity)
      // A job with a lease is leased.
      .map((id) => table.get(id) as LeasedJob)
      .filter(({ handler }) => handlers?.includes(handler) ?? !otherThan?.includes(handler))
  );
}

/** Leases of one worker that are alive, the newest first. */
export function leasesOf(table: JobTable, worker: string, nowMs: number): LeasedJob[] {
  const found: LeasedJob[] = [];
  for (const id of table.leased) {
    // A job with a lease is leased.
    const job = table.get(id) as LeasedJob;
    if (job.lease.worker === worker && job.lease.untilMs > nowMs) found.push(job);
  }
  return found.sort((a, b) => b.lease.sinceMs - a.lease.sinceMs);
}

/** One page of the list, newest submission first. */
export function listJobs(
  table: JobTable,
  filter: JobFilter,
  given?: Partial<PageRequest>,
): JobPage {
  checkJobFilter(filter);
  const page = jobPage(given);
  const before = page.after === undefined ? undefined : readPlace(page.after);
  return pageOf(table, table.submitted.latestFirst(before), {
    fits: (job) => matches(job, filter),
    timeOf: ({ submittedAtMs }) => submittedAtMs,
    limit: page.limit,
    maxScan: MAX_JOB_SCAN,
  });
}

/** One page of the jobs of an index that fit. It looks at `maxScan` jobs at most. */
export function pageOf(
  table: JobTable,
  ids: Iterable<string>,
  request: {
    readonly fits: (job: Job) => boolean;
    /** The time that the index is ordered by. */
    readonly timeOf: (job: Job) => number;
    readonly limit: number;
    readonly maxScan: number;
  },
): JobPage {
  const { fits, timeOf, limit, maxScan } = request;
  const jobs: Job[] = [];
  let seen: Job | undefined;
  let scanned = 0;
  for (const id of ids) {
    // There is another job behind the page.
    if (seen !== undefined && (jobs.length === limit || scanned === maxScan)) {
      return { jobs: jobs.map(summaryOf), next: placeText({ atMs: timeOf(seen), id: seen.id }) };
    }
    // A job in the index exists.
    seen = table.get(id) as Job;
    scanned += 1;
    if (fits(seen)) jobs.push(seen);
  }
  return { jobs: jobs.map(summaryOf) };
}

function matches(job: Job, filter: JobFilter): boolean {
  const { states, handler, otherThan, queue, tenant, tag, sessionId, batch } = filter;
  const { submittedAfterMs = -Infinity, submittedBeforeMs = Infinity } = filter;
  return (
    (states === undefined ? job.state !== 'purged' : states.includes(job.state)) &&
    (handler === undefined || job.handler === handler) &&
    !otherThan?.includes(job.handler) &&
    (queue === undefined || job.queue === queue) &&
    (tenant === undefined || job.tenant === tenant) &&
    (tag === undefined || job.tags.includes(tag)) &&
    (sessionId === undefined || job.sessionId === sessionId) &&
    (batch === undefined || job.batch === batch) &&
    job.submittedAtMs >= submittedAfterMs &&
    job.submittedAtMs < submittedBeforeMs
  );
}

type Group = Counts['groups'][number];

/** Jobs per queue, handler and state. */
export function countJobs(table: JobTable, nowMs: number): Counts {
  const groups = new Map<string, { -readonly [K in keyof Group]: Group[K] }>();
  let oldestReadyAtMs: number | undefined;
  for (const { queue, handler, state, submittedAtMs } of table) {
    // No name has a control character.
    const key = `${queue}\n${handler}\n${state}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { queue, handler, state, count: 1 });
    else group.count += 1;
    if (state === 'ready') oldestReadyAtMs = Math.min(oldestReadyAtMs ?? Infinity, submittedAtMs);
  }
  return { nowMs, groups: [...groups.values()], bounded: false, oldestReadyAtMs };
}

export function pulseOf(
  table: JobTable,
  handlers: readonly string[],
  known: Pick<Pulse, 'unsealed' | 'anchor' | 'controlRevision'>,
  nowMs: number,
): Pulse {
  let ready = false;
  table.ready.offer(undefined, (job) => {
    ready = handlers.includes(job.handler);
    return ready ? 'stop' : 'pass';
  });
  const { scheduled, parked, deadlines, leased } = table;
  const times = [scheduled, parked, deadlines].map((index) => index.earliestMs ?? Infinity);
  const nextMs = Math.min(...times);
  return {
    ready,
    nextDueInMs: nextMs === Infinity ? undefined : Math.max(0, nextMs - nowMs),
    expiredLeases: (leased.earliestMs ?? Infinity) <= nowMs,
    ...(table.batches.hasEnd && { batchEnds: true }),
    ...known,
    nowMs,
  };
}

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
