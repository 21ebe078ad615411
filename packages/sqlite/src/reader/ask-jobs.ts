import type { Clock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import {
  checkFailingScan,
  checkJobFilter,
  checkLimit,
  type FailingJob,
  failingJobOf,
  jobPage,
  type LeasedJob,
  placeText,
  readPlace,
  summaryOf,
} from '@redrive/durable/store';
import {
  type JobRow,
  jobOf,
  leasedJobOf,
  ROW,
  readablePart,
  rowProblem,
  textsOf,
} from '../job/job-row.ts';
import { stateOf } from '../job/states.ts';
import type { Calls } from '../thread/protocol.ts';
import { decodePolicy } from '../writer/policy-table.ts';
import type { Reads } from './reader-tasks.ts';

type JobQueries = Pick<
  Store,
  | 'expiredLeases'
  | 'leasesOf'
  | 'pulse'
  | 'job'
  | 'finished'
  | 'states'
  | 'jobs'
  | 'failing'
  | 'counts'
  | 'policy'
  | 'countPolicies'
  | 'auditBlocks'
>;

/** The queries about jobs, on the reading thread. `clock`: for tests; default: the clock of the thread. */
export function askJobs(
  reader: Calls<Reads>,
  clock: Clock | undefined,
  setAside: (ids: readonly string[]) => Promise<void>,
): JobQueries {
  const nowMs = (): number | undefined => clock?.now();

  /** The readable rows. Unreadable rows are set aside, so that the next query does not find them again. */
  async function readable(rows: readonly JobRow[]): Promise<LeasedJob[]> {
    const bad = rows.filter((row) => rowProblem(textsOf(row)) !== undefined);
    if (bad.length === 0) return rows.map(leasedJobOf);
    await setAside(bad.map((row) => row[ROW.id]));
    return rows.filter((row) => !bad.includes(row)).map(leasedJobOf);
  }

  return {
    async expiredLeases(limit, filter = {}) {
      const input = { limit, filter, nowMs: nowMs() };
      return readable(await reader.call('expiredLeases', input));
    },

    async leasesOf(worker, limit) {
      const input = { worker, limit, nowMs: nowMs() };
      return readable(await reader.call('leasesOf', input));
    },

    pulse: (handlers) => reader.call('pulse', { handlers, nowMs: nowMs() }),

    async job(id) {
      const row = await reader.call('job', id);
      return row && jobOf(readablePart(row));
    },

    async finished(ids) {
      if (ids.length > 0) checkLimit('ids', ids.length);
      return (await reader.call('finished', ids)).map((row) => jobOf(readablePart(row)));
    },

    async states(ids) {
      if (ids.length > 0) checkLimit('ids', ids.length);
      const rows = await reader.call('states', ids);
      return new Map(rows.map(([id, state]) => [id, stateOf(state)]));
    },

    async jobs(filter, page) {
      checkJobFilter(filter);
      const { limit, after } = jobPage(page);
      const place = after === undefined ? undefined : readPlace(after);
      const found = await reader.call('jobs', { filter, limit, after: place });
      const jobs = found.rows.slice(0, limit).map((row) => summaryOf(jobOf(readablePart(row))));
      const last = jobs.at(-1);
      const hasMore = last !== undefined && found.rows.length > limit;
      const end = hasMore ? { atMs: last.submittedAtMs, id: last.id } : found.cutAt;
      return { jobs, next: end && placeText(end) };
    },

    async failing(request) {
      checkFailingScan(request.atMost);
      const { rows, bounded } = await reader.call('failing', request);
      const jobs = rows.map((row) => failingJobOf(jobOf(readablePart(row))));
      // The query selects rows with attempts; not every attempt has failed.
      const isAsked = ({ lastError }: FailingJob) =>
        request.cause !== undefined || lastError !== undefined;
      return { jobs: jobs.filter(isAsked), bounded };
    },

    counts: () => reader.call('counts', { nowMs: nowMs() }),

    async policy(hash) {
      const found = await reader.call('policy', hash);
      return found && decodePolicy(hash, found);
    },

    countPolicies: (atMost) => reader.call('countPolicies', atMost),

    async auditBlocks(after, limit) {
      checkLimit('limit', limit);
      return reader.call('auditBlocks', { after, limit });
    },
  };
}
