import { RedriveError } from '@redrive/core';
import type { Job, JobState } from '@redrive/durable';
import {
  checkJobFilter,
  checkLimit,
  type ExpiredFilter,
  isFinal,
  type JobFilter,
  type JobPage,
  jobPage,
  type LeasedJob,
  MAX_JOB_SCAN,
  type PageRequest,
  type SetAsideJob,
  summaryOf,
} from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row, Statement } from '../connect/connection.ts';
import { jobSelection, readJob, stateOf } from '../job/read-job.ts';
import { readablePart, rowProblem } from '../job/row-problem.ts';
import { NOW_SQL, type Reader } from './reader.ts';
import type { SetAsideRows } from './unreadable.ts';

export async function findJob(reader: Reader, id: string): Promise<Job | undefined> {
  const from = (table: 'jobs' | 'finished'): string =>
    `select ${jobSelection(table, reader.schema)} from ${reader.schema}.ids i join ${reader.schema}.${table} j using (seq) where i.id = $1`;
  const [row] = await reader.rows({
    name: 'redrive job',
    // One statement, so one snapshot: a job that finishes in the meantime is in exactly one of the tables.
    text: `${from('jobs')} union all ${from('finished')}`,
    values: [id],
  });
  return row && readJob(readablePart(row));
}

export async function finishedJobs(reader: Reader, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  checkLimit('ids', ids.length);
  const rows = await reader.rows({
    name: 'redrive finished',
    text: `select ${jobSelection('finished', reader.schema)} from ${reader.schema}.ids i join ${reader.schema}.finished j using (seq)
      where i.id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows.map((row) => readJob(readablePart(row)));
}

export async function jobStates(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobState>> {
  if (ids.length === 0) return new Map();
  checkLimit('ids', ids.length);
  const from = (table: 'jobs' | 'finished') =>
    `select i.id, j.state from ${reader.schema}.ids i join ${reader.schema}.${table} j using (seq) where i.id = any($1::text[])`;
  const rows = await reader.rows({
    name: 'redrive job_states',
    // One statement, so one snapshot: see `findJob`.
    text: `${from('jobs')} union all ${from('finished')}`,
    values: [textArray(ids)],
  });
  return new Map(rows.map(([id, state]) => [id ?? '', stateOf(state)]));
}

export async function expiredLeases(
  reader: Reader,
  limit: number,
  { handlers, otherThan, forMs = 0 }: ExpiredFilter,
  setAside: SetAsideRows,
): Promise<LeasedJob[]> {
  const list = (names: readonly string[] | undefined) => names && (textArray(names) ?? '{}');
  const rows = await reader.rows({
    name: 'redrive expired_leases',
    text: `select ${jobSelection('jobs', reader.schema)} from ${reader.schema}.jobs j
      where j.state = 'leased' and j.lease_until <= ${NOW_SQL} - $2::bigint
        and ($3::text[] is null or j.handler = any($3)) and ($4::text[] is null or j.handler <> all($4))
      order by j.lease_until limit $5`,
    values: [reader.nowMs, forMs, list(handlers) ?? null, list(otherThan) ?? null, limit],
  });
  return readable(rows, setAside);
}

export async function leasesOf(
  reader: Reader,
  worker: string,
  limit: number,
  setAside: SetAsideRows,
): Promise<LeasedJob[]> {
  const rows = await reader.rows({
    name: 'redrive leases_of',
    text: `select ${jobSelection('jobs', reader.schema)} from ${reader.schema}.jobs j
      where j.state = 'leased' and j.lease_until > ${NOW_SQL} and j.worker = $2
      order by j.lease_since desc, j.seq limit $3`,
    values: [reader.nowMs, worker, limit],
  });
  return readable(rows, setAside);
}

/** The readable rows. Unreadable rows are set aside, so that the next query does not find them again. */
async function readable(rows: readonly Row[], setAside: SetAsideRows): Promise<LeasedJob[]> {
  const jobs: LeasedJob[] = [];
  const bad: SetAsideJob[] = [];
  for (const row of rows) {
    const problem = rowProblem(row);
    // The query selects leased jobs; the id is the first column.
    if (problem === undefined) jobs.push(readJob(row) as LeasedJob);
    else bad.push({ id: row[0] ?? '', problem });
  }
  await setAside.add(bad);
  return jobs;
}

/** One page of the list, the newest submission first. Jobs are numbered in the order of their submission. */
export async function listJobs(
  reader: Reader,
  filter: JobFilter,
  given?: Partial<PageRequest>,
): Promise<JobPage> {
  checkJobFilter(filter);
  const page = jobPage(given);
  const after = page.after === undefined ? undefined : readPlace(page.after);
  const { unfinished, finished } = statesOf(filter.states);
  const tables: Tables = [
    ...(unfinished.length > 0 ? [['jobs', unfinished] as const] : []),
    ...(finished.length > 0 ? [['finished', finished] as const] : []),
  ];
  if (tables.length === 0) return { jobs: [] };
  // An index finds the jobs of a session, so no other rows are read.
  const cutAt = filter.sessionId === undefined ? await lastScanned(reader, tables, after) : null;
  const rows = await reader.rows(
    listStatement(reader.schema, filter, tables, { after, cutAt }, page),
  );
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1)?.[0] : cutAt;
  return {
    jobs: shown.map(([, ...row]) => summaryOf(readJob(readablePart(row)))),
    next: present(last) ? `after-${last}` : undefined,
  };
}

/** The tables of jobs, with the physical states of the filter in each. */
type Tables = readonly (readonly [table: 'jobs' | 'finished', states: readonly string[]])[];

/** Numbers of jobs: the last one of the previous page, and the last one that this page reads. */
interface Range {
  readonly after: string | undefined;
  readonly cutAt: string | null;
}

/** The number of the last job that a page reads, if others follow. */
async function lastScanned(
  reader: Reader,
  tables: Tables,
  after: string | undefined,
): Promise<string | null> {
  const from = tables.map(
    ([table]) => `(select seq from ${reader.schema}.${table} where seq < $1::bigint
      order by seq desc limit ${MAX_JOB_SCAN + 1})`,
  );
  const [last, next] = await reader.rows({
    text: `select seq from (${from.join(' union all ')}) j order by seq desc
      limit 2 offset ${MAX_JOB_SCAN - 1}`,
    values: [after ?? MAX_SEQ],
  });
  return next === undefined ? null : (last?.[0] ?? null);
}

function listStatement(
  schema: string,
  filter: JobFilter,
  tables: Tables,
  { after, cutAt }: Range,
  { limit }: PageRequest,
): Statement {
  const values: (string | number | null)[] = [limit + 1];
  const use = (value: string | number | null): string => `$${values.push(value)}`;
  const conditions = conditionsOf(schema, filter, use);
  if (after !== undefined) conditions.push(`j.seq < ${use(after)}::bigint`);
  if (cutAt !== null) conditions.push(`j.seq >= ${use(cutAt)}::bigint`);
  const parts = tables.map(([table, states]) => {
    const among = `j.state = any(${use(textArray(states))}::${schema}.job_state[])`;
    return `(select j.seq as place, ${withoutBodies(table)} from ${schema}.${table} j
      where ${[...conditions, among].join(' and ')} order by j.seq desc limit $1)`;
  });
  const text = `select * from (${parts.join(' union all ')}) p order by p.place desc limit $1`;
  return { text, values };
}

function conditionsOf(
  schema: string,
  filter: JobFilter,
  use: (value: string | number | null) => string,
): string[] {
  const { handler, otherThan, queue, tenant, tag, sessionId, batch } = filter;
  const { submittedAfterMs, submittedBeforeMs } = filter;
  const conditions: string[] = [];
  if (handler !== undefined) conditions.push(`j.handler = ${use(handler)}`);
  if (otherThan?.length) {
    conditions.push(`j.handler <> all(${use(textArray(otherThan))}::text[])`);
  }
  if (queue !== undefined) conditions.push(`j.queue = ${use(queue)}`);
  if (tenant !== undefined) conditions.push(`j.tenant = ${use(tenant)}`);
  if (tag !== undefined) conditions.push(`${use(tag)} = any(j.tags)`);
  if (batch !== undefined) conditions.push(`j.batch = ${use(batch)}`);
  if (sessionId !== undefined) {
    const id = use(sessionId);
    conditions.push(`j.seq in (select i.seq from ${schema}.ids i
      where i.session_id = ${id} or (i.session_id is null and i.id = ${id}))`);
  }
  if (submittedAfterMs !== undefined) {
    conditions.push(`j.submitted_at >= ${use(Math.ceil(submittedAfterMs))}::bigint`);
  }
  if (submittedBeforeMs !== undefined) {
    conditions.push(`j.submitted_at < ${use(Math.ceil(submittedBeforeMs))}::bigint`);
  }
  return conditions;
}

/** The physical states of the filter, for each table. */
function statesOf(states: readonly JobState[] | undefined): {
  unfinished: readonly string[];
  finished: readonly string[];
} {
  const wanted = states ?? [
    'scheduled',
    'ready',
    'parked',
    'leased',
    'succeeded',
    'dead',
    'cancelled',
  ];
  const unfinished: string[] = wanted.filter((state) => !isFinal(state));
  if (unfinished.includes('ready')) unfinished.push('held');
  return { unfinished, finished: wanted.filter(isFinal) };
}

/** A list shows neither payloads nor results, which may be large. */
export function withoutBodies(table: 'jobs' | 'finished'): string {
  return jobSelection(table)
    .replace('j.ctid::text', 'null')
    .replace('j.payload::text', 'null')
    .replace('j.payload_bytes::text', 'null')
    .replace('j.result::text', 'null')
    .replace('j.headers::text', 'null');
}

/** Above the number of any job. */
const MAX_SEQ = '9223372036854775807';

function present(value: string | null | undefined): value is string {
  return value !== null && value !== undefined;
}

/** The end of a page: the number of its last job. */
function readPlace(after: string): string {
  const [, place] = /^after-(\d{1,18})$/.exec(after) ?? [];
  if (place !== undefined) return place;
  const message = `\`after\` is not the \`next\` of a page: ${after}`;
  throw new RedriveError('invalid_option', message, { after });
}
