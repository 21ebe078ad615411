import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { FAILING_STATES, type FailingRequest, type FailingState } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { type JobRow, LIST_COLUMNS } from '../job/job-row.ts';

/** Unfinished jobs with attempts, in the form that is sent between threads. */
export interface FoundFailing {
  readonly rows: readonly JobRow[];
  readonly bounded: boolean;
}

/** Conditions that select the jobs of each state along an index, so that the query stops at its limit. */
const SOURCES: Readonly<Record<FailingState, readonly string[]>> = {
  scheduled: ['jobs INDEXED BY jobs_due WHERE due_at IS NOT NULL ORDER BY due_at, id'],
  ready: [
    `jobs INDEXED BY jobs_ready WHERE ready_lane IS NOT NULL
      ORDER BY priority DESC, tenant, ready_lane, submitted_at, id`,
    'jobs INDEXED BY jobs_held_key WHERE held_key IS NOT NULL ORDER BY held_key',
  ],
  leased: ['jobs INDEXED BY jobs_lease WHERE lease_until IS NOT NULL ORDER BY lease_until'],
  parked: ['jobs INDEXED BY jobs_release WHERE release_at IS NOT NULL ORDER BY release_at, id'],
};

export function findFailing(
  db: DatabaseSync,
  { atMost, cause, states = FAILING_STATES }: FailingRequest,
): FoundFailing {
  if (cause !== undefined) {
    const source = 'jobs INDEXED BY jobs_parked WHERE cause = ? ORDER BY priority DESC, release_at';
    return look(db, source, [cause], atMost, 'TRUE');
  }
  const found = states
    .flatMap((state) => SOURCES[state])
    .map((source) => look(db, source, [], atMost, 'j.attempts IS NOT NULL'));
  return {
    rows: found.flatMap(({ rows }) => rows),
    bounded: found.some(({ bounded }) => bounded),
  };
}

function look(
  db: DatabaseSync,
  source: string,
  values: readonly SQLInputValue[],
  atMost: number,
  condition: string,
): FoundFailing {
  const numbers = `SELECT n FROM ${source} LIMIT ?`;
  const rows = query<JobRow>(
    db,
    `SELECT ${LIST_COLUMNS} FROM (${numbers}) f CROSS JOIN jobs j ON j.n = f.n
     CROSS JOIN lanes l USING (lane) WHERE ${condition}`,
  ).all(...values, atMost);
  const [next] = query<[number]>(db, `SELECT 1 FROM (${numbers} OFFSET ?)`).all(
    ...values,
    1,
    atMost,
  );
  return { rows, bounded: next !== undefined };
}
