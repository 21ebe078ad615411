import type { JobLookup } from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { jobSelection, readJob } from '../job/read-job.ts';
import { readablePart, rowProblem } from '../job/row-problem.ts';

/**
 * Conditions under which a column contradicts the others, by the column's name. Some columns are set only for scheduled,
 * parked or leased jobs.
 */
const MISPLACED: Readonly<Record<'jobs' | 'finished', Readonly<Record<string, string>>>> = {
  jobs: {
    due_at: "(j.due_at is not null) <> (j.state in ('scheduled', 'parked'))",
    cause: "(j.cause is not null) <> (j.state = 'parked')",
    lease_since: "(j.lease_since is not null) <> (j.state = 'leased')",
    lease_until: "(j.lease_until is not null) <> (j.state = 'leased')",
    worker: "(j.worker is not null) <> (j.state = 'leased')",
    policy_hash: "(j.policy_hash is not null) <> (j.state = 'leased')",
    state: "j.state not in ('scheduled', 'ready', 'held', 'parked', 'leased')",
    previous_block: 'j.previous_block > j.audit_block',
  },
  finished: {
    state: "j.state not in ('succeeded', 'dead', 'cancelled', 'purged')",
    previous_block: 'j.previous_block > j.audit_block',
  },
};

/** Declares a cursor over all rows of jobs, by id. */
export function lookupCursor(schema: string): string {
  const from = (table: 'jobs' | 'finished'): string => {
    const misplaced = Object.entries(MISPLACED[table])
      .map(([name, condition]) => `case when ${condition} then '${name}' end`)
      .join(', ');
    return `select j.id as lookup_id, j.seq as lookup_seq,
        concat_ws(',', ${misplaced}, case when j.session_id is distinct from i.session_id then 'session_id' end) as misplaced,
        i.seq as known_seq, ${named(withoutBodies(table))}
      from ${schema}.${table} j left join ${schema}.ids i on i.id = j.id where j.id > $1`;
  };
  // '0' marks a row that the list of ids does not lead to, or that exists twice.
  return `declare redrive_lookups no scroll cursor for
    select case when j.known_seq = j.lookup_seq and count(*) over (partition by j.lookup_id) = 1 then '1' else '0' end,
      j.misplaced, ${columnNames(jobSelection('jobs')).join(', ')}
    from (${from('jobs')} union all ${from('finished')}) j order by j.lookup_id`;
}

/** Gives each selected column a name, for the union of both tables. */
function named(selection: string): string {
  const names = columnNames(selection);
  return selection
    .split(', ')
    .map((column, at) => `${column} as ${names[at]}`)
    .join(', ');
}

/** Leaves out payloads and results: they may be large, and no record has them. */
function withoutBodies(table: 'jobs' | 'finished'): string {
  return ['j.ctid', 'j.payload', 'j.payload_bytes', 'j.result'].reduce(
    (columns, name) => columns.replace(`${name}::text`, 'null'),
    jobSelection(table),
  );
}

function columnNames(selection: string): string[] {
  return selection.split(', ').map((_, at) => `c${at}`);
}

export function readLookup([isFound, misplaced, ...columns]: Row): JobLookup {
  const row: Row = columns;
  const unreadable = rowProblem(row);
  const {
    payload: _payload,
    headers: _headers,
    attempts: _attempts,
    ...job
  } = readJob(readablePart(row));
  const { id, token, auditBlock, state } = job;
  const place = { id, revision: isFound === '1' ? job.revision : 0, token, auditBlock, state };
  if (unreadable !== undefined) return { ...place, unreadable };
  return { ...place, row: job, misplaced: misplaced ? misplaced.split(',') : [] };
}
