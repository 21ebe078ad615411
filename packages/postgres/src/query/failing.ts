import {
  checkFailingScan,
  FAILING_STATES,
  type FailingJobs,
  type FailingRequest,
  type FailingState,
  failingJobOf,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { readJob } from '../job/read-job.ts';
import { readablePart } from '../job/row-problem.ts';
import { withoutBodies } from './jobs.ts';
import type { Reader } from './reader.ts';

/** Conditions that select the jobs of each state along an index, so that the query stops at its limit. */
const SOURCES: Readonly<Record<FailingState, readonly string[]>> = {
  scheduled: ["j.state = 'scheduled' and j.due_at is not null order by j.due_at"],
  ready: [
    "j.state = 'ready' order by j.handler, j.queue, j.priority desc, j.tenant, j.submitted_at, j.id",
    "j.state = 'held' and j.limit_key is not null order by j.handler, j.limit_key",
    "j.state = 'held' and j.held_rate is not null and j.limit_key is null order by j.held_rate",
  ],
  leased: ["j.state = 'leased' order by j.lease_until"],
  parked: ["j.state = 'parked' and j.due_at is not null order by j.due_at"],
};
const OF_CAUSE = "j.state = 'parked' and j.cause = $2 order by j.priority desc, j.due_at";

/** Unfinished jobs that have failed. */
export async function findFailing(
  reader: Reader,
  { atMost, cause, states = FAILING_STATES }: FailingRequest,
): Promise<FailingJobs> {
  checkFailingScan(atMost);
  if (states.length === 0) return { jobs: [], bounded: false };
  const rows = await reader.rows({
    text: failingSql(reader.schema, cause === undefined ? states : 'parked under a cause'),
    values: cause === undefined ? [atMost] : [atMost, cause],
  });
  const isMore = ([more]: Row): boolean => more === 't';
  const jobs = rows
    .filter((row) => !isMore(row))
    .map(([, , ...row]) => failingJobOf(readJob(readablePart(row))))
    .filter(({ lastError }) => cause !== undefined || lastError !== undefined);
  return { jobs, bounded: rows.some(isMore) };
}

/** `$1` rows of each state, and one more, which shows that there are others. `$2`: the cause, if the filter has one. */
export function failingSql(
  schema: string,
  wanted: readonly FailingState[] | 'parked under a cause',
): string {
  const ofCause = wanted === 'parked under a cause';
  const look = (source: string): string => `
    select f.place > $1::bigint, f.* from (
      select row_number() over () as place, s.* from (
        select ${withoutBodies('jobs')}, j.attempts is not null as tried
        from ${schema}.jobs j where ${source} limit $1::bigint + 1) s) f
    where f.place > $1::bigint or ${ofCause ? 'true' : 'f.tried'}`;
  const sources = ofCause ? [OF_CAUSE] : wanted.flatMap((state) => SOURCES[state]);
  return sources.map(look).join(' union all ');
}
