import type { Clock } from '@redrive/core';
import { checkLimit, type Store } from '@redrive/durable/store';
import { type JobRow, jobOf, leasedJobOf } from '../job/job-row.ts';
import { pageOf, readPlace } from '../store/pages.ts';
import { decodePolicy } from '../store/policy-code.ts';
import type { Caller } from '../thread/caller.ts';
import type { MeasuredSizes } from './measure-records.ts';
import type { FoundPolicy } from './reader.ts';

type JobQueries = Pick<
  Store,
  | 'expiredLeases'
  | 'leasesOf'
  | 'pulse'
  | 'job'
  | 'finished'
  | 'jobs'
  | 'counts'
  | 'policy'
  | 'auditBlocks'
  | 'recordSizes'
>;

/** The queries about jobs, on the thread that reads. `clock`: a test's, else that of the thread. */
export function askJobs(reader: Caller, clock: Clock | undefined): JobQueries {
  const nowMs = (): number | undefined => clock?.now();
  return {
    async expiredLeases(limit, filter = {}) {
      const input = { limit, filter, nowMs: nowMs() };
      return (await reader.call<JobRow[]>('expiredLeases', input)).map(leasedJobOf);
    },

    async leasesOf(worker, limit) {
      const input = { worker, limit, nowMs: nowMs() };
      return (await reader.call<JobRow[]>('leasesOf', input)).map(leasedJobOf);
    },

    pulse: (handlers) => reader.call('pulse', { handlers, nowMs: nowMs() }),

    async job(id) {
      const row = await reader.call<JobRow | undefined>('job', id);
      return row && jobOf(row);
    },

    async finished(ids) {
      if (ids.length > 0) checkLimit('ids', ids.length);
      return (await reader.call<JobRow[]>('finished', ids)).map(jobOf);
    },

    async jobs(filter, { limit, after }) {
      checkLimit('limit', limit);
      const place = after === undefined ? undefined : readPlace(after);
      // One more than asked for tells whether there is another page.
      const request = { filter, limit: limit + 1, after: place };
      return pageOf(await reader.call<JobRow[]>('jobs', request), limit);
    },

    counts: () => reader.call('counts', { nowMs: nowMs() }),

    async policy(hash) {
      const found = await reader.call<FoundPolicy | undefined>('policy', hash);
      return found && decodePolicy(hash, found);
    },

    async auditBlocks(after, limit) {
      checkLimit('limit', limit);
      return reader.call('auditBlocks', { after, limit });
    },

    async recordSizes() {
      const { session, attempt, event, policy } = await reader.call<MeasuredSizes>('recordSizes');
      return {
        session: session ?? undefined,
        attempt: attempt ?? undefined,
        event: event ?? undefined,
        policy: policy ?? undefined,
      };
    },
  };
}
