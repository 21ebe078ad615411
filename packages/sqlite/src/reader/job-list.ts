import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { JobFilter, JobState } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../job/job-row.ts';
import { isFinalCode, PURGED, STATES } from '../job/states.ts';

export interface ListRequest {
  readonly filter: JobFilter;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: { readonly atMs: number; readonly id: string } | undefined;
}

/** Up to so many jobs are looked up by their state and sorted. Where there are more, one need not look far for them. */
const MAX_SORTED = 20_000;

// A list looks at no payload or result.
export const LIST_COLUMNS = JOB_COLUMNS.replace('j.payload', "''").replace('j.result', 'NULL');

/** Finds jobs of the states that have an index of their own. */
const WITH_STATE: Partial<Record<JobState, string>> = {
  scheduled: 'SELECT n FROM jobs WHERE due_at IS NOT NULL',
  ready:
    'SELECT n FROM jobs WHERE ready_lane IS NOT NULL UNION ALL SELECT n FROM jobs WHERE held_key IS NOT NULL',
  parked: 'SELECT n FROM jobs WHERE release_at IS NOT NULL',
  leased: 'SELECT n FROM jobs WHERE lease_until IS NOT NULL',
};

/** Lists jobs, newest submission first, then by id from the last. */
export class JobList {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  list({ filter, limit, after }: ListRequest): JobRow[] {
    // They become part of the statement, and a filter may come from outside: what is no state finds nothing.
    const states = filter.states?.filter((state) => STATES.includes(state));
    if (states !== undefined && states.length === 0) return [];
    const where: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (condition: string, ...its: SQLInputValue[]): void => {
      where.push(condition);
      values.push(...its);
    };
    if (states === undefined) add(`j.state <> ${PURGED}`);
    else add(`j.state IN (${states.map((state) => STATES.indexOf(state)).join(', ')})`);
    const areFew = states !== undefined && this.#areFew(states);
    if (areFew) add(`j.n IN (${statesSql(states)})`);
    if (filter.handler !== undefined) add('l.handler = ?', filter.handler);
    if (filter.queue !== undefined) add('l.queue = ?', filter.queue);
    if (filter.tenant !== undefined) add('j.tenant = ?', filter.tenant);
    if (filter.tag !== undefined) {
      add(
        "EXISTS (SELECT 1 FROM json_each(iif(json_valid(j.spec), j.spec, NULL), '$.tags') WHERE value = ?)",
        filter.tag,
      );
    }
    if (filter.sessionId !== undefined) {
      add(
        "coalesce(iif(json_valid(j.spec), j.spec, NULL) ->> '$.sessionId', j.id) = ?",
        filter.sessionId,
      );
    }
    if (filter.submittedAfterMs !== undefined) add('j.submitted_at >= ?', filter.submittedAfterMs);
    if (filter.submittedBeforeMs !== undefined) add('j.submitted_at < ?', filter.submittedBeforeMs);
    if (after !== undefined) add('(j.submitted_at, j.id) < (?, ?)', after.atMs, after.id);
    return query<JobRow>(
      this.#db,
      `SELECT ${LIST_COLUMNS} FROM jobs j ${areFew ? '' : 'INDEXED BY jobs_submitted'}
       CROSS JOIN lanes l USING (lane) WHERE ${where.join(' AND ')}
       ORDER BY j.submitted_at DESC, j.id DESC LIMIT ?`,
    ).all(...values, limit);
  }

  #areFew(states: readonly JobState[]): boolean {
    const sums = states.map((state) => `sum(${state})`).join(' + ');
    const [count] = query<[number | null]>(this.#db, `SELECT ${sums} FROM lanes`).get() ?? [0];
    return (count ?? 0) <= MAX_SORTED;
  }
}

/** The numbers of all jobs in these states, by index. */
function statesSql(states: readonly JobState[]): string {
  return states
    .map((state) => {
      const code = STATES.indexOf(state);
      return isFinalCode(code)
        ? `SELECT n FROM jobs WHERE finished_as = ${code}`
        : WITH_STATE[state];
    })
    .join(' UNION ALL ');
}
