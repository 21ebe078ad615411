import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { JobFilter } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../job/job-row.ts';
import { PURGED, STATES } from '../job/states.ts';

export interface ListRequest {
  readonly filter: JobFilter;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: { readonly atMs: number; readonly id: string } | undefined;
}

/** Lists jobs, newest submission first, then by id from the last. */
export class JobList {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  list({ filter, limit, after }: ListRequest): JobRow[] {
    const { states } = filter;
    if (states !== undefined && states.length === 0) return [];
    const where: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (condition: string, ...its: SQLInputValue[]): void => {
      where.push(condition);
      values.push(...its);
    };
    if (states === undefined) add(`j.state <> ${PURGED}`);
    else add(`j.state IN (${states.map((state) => STATES.indexOf(state)).join(', ')})`);
    if (filter.handler !== undefined) add('l.handler = ?', filter.handler);
    if (filter.queue !== undefined) add('l.queue = ?', filter.queue);
    if (filter.tenant !== undefined) add('j.tenant = ?', filter.tenant);
    if (filter.tag !== undefined) {
      add("EXISTS (SELECT 1 FROM json_each(j.spec, '$.tags') WHERE value = ?)", filter.tag);
    }
    if (filter.sessionId !== undefined) {
      add("coalesce(j.spec ->> '$.sessionId', j.id) = ?", filter.sessionId);
    }
    if (filter.submittedAfterMs !== undefined) add('j.submitted_at >= ?', filter.submittedAfterMs);
    if (filter.submittedBeforeMs !== undefined) add('j.submitted_at < ?', filter.submittedBeforeMs);
    if (after !== undefined) add('(j.submitted_at, j.id) < (?, ?)', after.atMs, after.id);
    // A list looks at no payload or result: NULL in their places.
    const columns = JOB_COLUMNS.replace('j.payload', "''").replace('j.result', 'NULL');
    return query<JobRow>(
      this.#db,
      `SELECT ${columns} FROM jobs j CROSS JOIN lanes l USING (lane) WHERE ${where.join(' AND ')}
       ORDER BY j.submitted_at DESC, j.id DESC LIMIT ?`,
    ).all(...values, limit);
  }
}
