import type { DatabaseSync } from 'node:sqlite';
import type { JobState } from '@redrive/durable';
import { type JobFilter, MAX_JOB_SCAN } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { all, type Condition } from '../dead-letter/dead-plan.ts';
import type { FastPaths } from '../fast-paths.ts';
import { type JobRow, LIST_COLUMNS } from '../job/job-row.ts';
import { isFinalCode, PURGED, STATES } from '../job/states.ts';
import { type Found, NewestFirst } from './newest-first.ts';

export interface ListRequest {
  readonly filter: JobFilter;
  readonly limit: number;
  /** The last job of the previous page. */
  readonly after?: JobPlace | undefined;
}

/** The place of a job in the list. */
export interface JobPlace {
  readonly atMs: number;
  readonly id: string;
}

export interface FoundJobs {
  readonly rows: readonly JobRow[];
  /** The last job that the query has read: later jobs were not read. */
  readonly cutAt?: JobPlace | undefined;
}

const ORDER = 'ORDER BY submitted_at DESC, id DESC';

/** Jobs that are compared with the conditions of a filter at a time. */
const AT_ONCE = 500;

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
  readonly #sortedJobs: number;
  readonly #newestFirst: NewestFirst;

  constructor(db: DatabaseSync, { sortedJobs }: FastPaths) {
    this.#sortedJobs = sortedJobs;
    this.#db = db;
    this.#newestFirst = new NewestFirst(db);
  }

  /** One page. `limit` + 1 rows: there are more. `cutAt`: the query has read as many jobs as it may. */
  list({ filter, limit, after }: ListRequest): FoundJobs {
    // States become part of the statement's text, and a filter may come from outside: unknown states are dropped.
    const states = filter.states?.filter((state) => STATES.includes(state));
    if (states?.length === 0 || !this.#hasLane(filter)) return { rows: [] };
    const conditions = conditionsOf(filter, states);
    return states !== undefined && this.#areFew(states)
      ? { rows: this.#ofStates(states, placesOf(filter, after), conditions, limit + 1) }
      : this.#newest(filter, after, conditions, limit);
  }

  /** All jobs of these states: few enough to sort them. Without a limit SQLite would ignore the inner order. */
  #ofStates(
    states: readonly JobState[],
    places: Condition,
    conditions: Condition,
    limit: number,
  ): JobRow[] {
    const numbers = `(SELECT n FROM jobs WHERE n IN (${statesSql(states)}) AND ${places.sql}
      ${ORDER} LIMIT -1)`;
    return query<JobRow>(this.#db, listSql(numbers, 's.n', conditions)).all(
      ...places.values,
      ...conditions.values,
      limit,
    );
  }

  /** The newest jobs, in any state. */
  #newest(
    { submittedAfterMs: fromMs, submittedBeforeMs: beforeMs }: JobFilter,
    after: JobPlace | undefined,
    conditions: Condition,
    limit: number,
  ): FoundJobs {
    const rows: JobRow[] = [];
    const matching = query<JobRow>(this.#db, listSql('json_each(?)', 's.value', conditions));
    let some: Found[] = [];
    let last: Found | undefined;
    let scanned = 0;
    const compare = (): void => {
      const numbers = JSON.stringify(some.map(([n]) => n));
      rows.push(...matching.all(numbers, ...conditions.values, limit + 1 - rows.length));
      some = [];
    };
    for (const job of this.#newestFirst.jobs({ fromMs, beforeMs, after })) {
      if (some.length === AT_ONCE || scanned === MAX_JOB_SCAN) compare();
      if (rows.length > limit) return { rows };
      if (scanned === MAX_JOB_SCAN) {
        return { rows, cutAt: last && { atMs: last[1], id: last[2] } };
      }
      some.push(job);
      last = job;
      scanned += 1;
    }
    compare();
    return { rows };
  }

  /** Whether the store has ever had a job of this queue and handler. */
  #hasLane({ queue, handler }: JobFilter): boolean {
    if (queue === undefined && handler === undefined) return true;
    const sql =
      'SELECT 1 FROM lanes WHERE (?1 IS NULL OR queue = ?1) AND (?2 IS NULL OR handler = ?2) LIMIT 1';
    return query<[number]>(this.#db, sql).get(queue ?? null, handler ?? null) !== undefined;
  }

  #areFew(states: readonly JobState[]): boolean {
    const sums = states.map((state) => `sum(${state})`).join(' + ');
    const [count] = query<[number | null]>(this.#db, `SELECT ${sums} FROM lanes`).get() ?? [0];
    return (count ?? 0) <= this.#sortedJobs;
  }
}

/** Jobs of a source of numbers, in its order. */
function listSql(source: string, number: string, conditions: Condition): string {
  return `SELECT ${LIST_COLUMNS} FROM ${source} s CROSS JOIN jobs j ON j.n = ${number}
    CROSS JOIN lanes l USING (lane) WHERE ${conditions.sql} LIMIT ?`;
}

/** Conditions on the place in the list: the times of the filter, and the start of the page. */
function placesOf(filter: JobFilter, after: JobPlace | undefined): Condition {
  const conditions: Condition[] = [{ sql: 'TRUE', values: [] }];
  const { submittedAfterMs: from, submittedBeforeMs: to } = filter;
  if (from !== undefined) conditions.push({ sql: 'submitted_at >= ?', values: [from] });
  if (to !== undefined) conditions.push({ sql: 'submitted_at < ?', values: [to] });
  if (after !== undefined) {
    conditions.push({ sql: '(submitted_at, id) < (?, ?)', values: [after.atMs, after.id] });
  }
  return all(conditions);
}

/** Conditions that are checked in each row. */
function conditionsOf(filter: JobFilter, states: readonly JobState[] | undefined): Condition {
  const { handler, otherThan, queue, tenant, tag, sessionId, batch } = filter;
  const codes = states?.map((state) => STATES.indexOf(state)).join(', ');
  const conditions: Condition[] = [
    { sql: codes === undefined ? `j.state <> ${PURGED}` : `j.state IN (${codes})`, values: [] },
  ];
  const add = (sql: string, value: string | undefined): void => {
    if (value !== undefined) conditions.push({ sql, values: [value] });
  };
  add('l.handler = ?', handler);
  const others = otherThan && JSON.stringify(otherThan);
  add('l.handler NOT IN (SELECT value FROM json_each(?))', others);
  add('l.queue = ?', queue);
  add('j.tenant = ?', tenant);
  add('j.batch = (SELECT n FROM batches WHERE id = ?)', batch);
  add(`EXISTS (SELECT 1 FROM json_each(${SPEC}, '$.tags') WHERE value = ?)`, tag);
  add(`coalesce(${SPEC} ->> '$.sessionId', j.id) = ?`, sessionId);
  return all(conditions);
}

const SPEC = 'iif(json_valid(j.spec), j.spec, NULL)';

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
