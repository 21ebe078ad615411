import {
  checkFailingScan,
  type FailingJobs,
  type FailingRequest,
  failingJobOf,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { readJob } from '../job/read-job.ts';
import { readablePart } from '../job/row-problem.ts';
import { withoutBodies } from './jobs.ts';
import type { Reader } from './reader.ts';

/** Where the jobs of each state are found, in the order of an index: it ends where the limit is reached. */
const SOURCES = [
  "j.state = 'scheduled' and j.due_at is not null order by j.due_at",
  "j.state = 'ready' order by j.handler, j.queue, j.priority desc, j.tenant, j.submitted_at, j.id",
  "j.state = 'held' and j.limit_key is not null order by j.handler, j.limit_key",
  "j.state = 'leased' order by j.lease_until",
  "j.state = 'parked' and j.due_at is not null order by j.due_at",
];
const OF_CAUSE = "j.state = 'parked' and j.cause = $2 order by j.priority desc, j.due_at";

/** Unfinished jobs that have failed. One row more than asked for tells that there are others. */
export async function findFailing(
  reader: Reader,
  { atMost, cause }: FailingRequest,
): Promise<FailingJobs> {
  checkFailingScan(atMost);
  const look = (source: string, at: number): string => `
    select ${at}, f.place > $1::bigint, f.* from (
      select row_number() over () as place, s.* from (
        select ${withoutBodies('jobs')}, j.attempts is not null as tried
        from ${reader.schema}.jobs j where ${source} limit $1::bigint + 1) s) f
    where f.place > $1::bigint ${cause === undefined ? 'or f.tried' : 'or true'}`;
  const rows = await reader.rows({
    text: (cause === undefined ? SOURCES : [OF_CAUSE]).map(look).join(' union all '),
    values: cause === undefined ? [atMost] : [atMost, cause],
  });
  const isMore = ([, more]: Row): boolean => more === 't';
  const jobs = rows
    .filter((row) => !isMore(row))
    .map(([, , , ...row]) => failingJobOf(readJob(readablePart(row))))
    .filter(({ lastError }) => cause !== undefined || lastError !== undefined);
  return { jobs, bounded: rows.some(isMore) };
}
