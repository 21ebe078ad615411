import type { JobState } from '@redrive/durable';
import {
  accountRule,
  changesSql,
  type JobLayout,
  leaseRule,
  lifeRule,
  type TransitionSql as StatementSql,
  stateAfter,
  type TransitionName,
  transitionRow,
} from '@redrive/durable/store';
import { type RecordSql, recordGroupsSql, recordSql } from './audit-sql.ts';
import { listed } from './columns.ts';

const FINAL: readonly JobState[] = ['succeeded', 'dead', 'cancelled', 'purged'];

const LAYOUT: JobLayout = {
  state: (state) => `'${state}'`,
  greatest: 'greatest',
  columns: {
    token: { value: lifeRule('token') },
    generation_at: { value: lifeRule('generationAtMs') },
    deadline: { value: lifeRule('deadlineMs') },
    generation: { value: accountRule('generation') },
    claims: { value: accountRule('claims') },
    executions: { value: accountRule('executions') },
    failed: { value: accountRule('rest') },
    lease_lost: { value: accountRule('rest') },
    account: { value: accountRule('rest'), zero: 'null' },
    retry_count: { value: lifeRule('retryCount') },
    cancel_requested: { value: lifeRule('cancelRequested') },
    attempts: { value: lifeRule('attempts') },
    reason: { value: lifeRule('reason') },
    error_class: { value: lifeRule('errorClass') },
    due_at: { in: ['scheduled', 'parked'], value: lifeRule('dueAtMs') },
    cause: { in: ['parked'], value: lifeRule('cause') },
    worker: { in: ['leased'], value: leaseRule('worker') },
    lease_since: { in: ['leased'], value: leaseRule('sinceMs') },
    lease_until: { in: ['leased'], value: leaseRule('untilMs') },
    policy_hash: { in: ['leased'], value: leaseRule('policyHash') },
    alone: { in: ['leased'], value: leaseRule('alone') },
    progress: { in: ['leased'], value: leaseRule('progress') },
    finished_at: { in: FINAL, value: lifeRule('finishedAtMs') },
    fingerprint: { in: FINAL, value: lifeRule('fingerprint') },
    result: { in: FINAL, value: lifeRule('result') },
    result_omitted_bytes: { in: FINAL, value: lifeRule('resultOmittedBytes') },
    purged_from: { in: ['purged'], value: lifeRule('purgedFrom') },
    purged_at: { in: ['purged'], value: lifeRule('purgedAtMs') },
  },
};

/** The columns that never change, or with an edit alone. */
const SPEC_COLUMNS =
  'seq submitted_at priority id handler queue tenant payload payload_bytes unique_key limit_key session_id headers spec tags';

/** The columns of both tables of jobs. */
export const JOB_COLUMNS: readonly string[] = [
  ...SPEC_COLUMNS.split(' '),
  ...['state', 'revision', 'audit_block', 'previous_block'],
  ...Object.entries(LAYOUT.columns).flatMap(([name, column]) => (column.in ? [] : name)),
];

/** The facts of a statement about its transition. `of` is the alias of the job's row before it. */
export interface TransitionSql extends Omit<StatementSql, 'given'> {
  readonly given?: StatementSql['given'];
}

/**
 * `isFirstClaim` in SQL: no claim of this generation has cost anything. Blocked ones stand fourth in the account, and are
 * compared as text: an account that cannot be read fails no claim.
 */
const isFirstSql = (of: string): string =>
  `${of}.claims = 0 or ${of}.claims::text = split_part(${of}.account, ',', 4)`;

function changesOf(name: TransitionName, sql: TransitionSql): Map<string, string> {
  const { of } = sql;
  const given = {
    now: 'v_now',
    block: 'coalesce(p_seq, 0)',
    isFirst: isFirstSql(of),
    ...sql.given,
  };
  const changes = changesSql(name, LAYOUT, { ...sql, of: `${of}.`, given });
  const { recorded, from } = transitionRow(name);
  if (recorded) changes.set('previous_block', from === undefined ? '0' : `${of}.audit_block`);
  return changes;
}

/** The list behind `set` of an update in place. `more`: columns that are not part of a life. */
export function setSql(
  name: TransitionName,
  sql: TransitionSql,
  more: Readonly<Record<string, string>> = {},
): string {
  const changes = [...changesOf(name, sql), ...Object.entries(more)];
  return listed(changes.map(([column, value]) => `${column} = ${value}`));
}

/** An insert into the other table of jobs, from a row of the first one. `more`: columns that are not part of a life. */
export function moveSql(
  name: TransitionName,
  sql: TransitionSql,
  into: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const changes = changesOf(name, sql);
  // A column that only the first table has is null by now.
  const own = [...changes].filter(
    ([column, value]) => LAYOUT.columns[column]?.in !== undefined && value !== 'null',
  );
  const columns = [...JOB_COLUMNS, ...own.map(([column]) => column)];
  const values = columns.map(
    (column) => more[column] ?? changes.get(column) ?? `${sql.of}.${column}`,
  );
  return `insert into ${into} (
            ${listed(columns)})
          select
            ${listed(values)}`;
}

/** An insert of new jobs. `spec`: the columns that are not part of a life. */
export function insertSql(
  sql: TransitionSql,
  into: string,
  spec: Readonly<Record<string, string>>,
  name: 'enqueue' | 'enqueue_dead' = 'enqueue',
): string {
  const values = [...Object.entries(spec), ...changesOf(name, sql)];
  const set = values.filter(([, value]) => value !== 'null');
  return `insert into ${into} (
            ${listed(set.map(([column]) => column))})
          select
            ${listed(set.map(([, value]) => value))}`;
}

export interface RecordOf {
  /** SQL of the event, where it is not the transition's name. */
  readonly event?: string;
  /** SQL of the state before, where several are possible. */
  readonly from?: string;
  readonly at?: string;
  readonly detail: string;
  /** Whether `of` is the row as the statement has left it, as in an update's `returning`. */
  readonly written?: true;
}

/** The values of the audit record of a transition. */
function recordOf(
  name: TransitionName,
  sql: TransitionSql,
  { event = `'${name}'`, from, at = 'v_now', detail, written }: RecordOf,
): RecordSql {
  const row = transitionRow(name);
  const changes = written ? undefined : changesOf(name, sql);
  const after = (column: string): string => changes?.get(column) ?? `${sql.of}.${column}`;
  const before = row.from === undefined ? 'null' : (from ?? row.from.map(LAYOUT.state).join());
  return {
    id: `${sql.of}.id`,
    revision: after('revision'),
    event,
    from: before,
    to: row.to === 'same' ? before : stateAfter(name, LAYOUT, { given: {}, ...sql }),
    at,
    token: after('token'),
    generation: after('generation'),
    executions: after('executions'),
    previousBlock: after('previous_block'),
    detail,
  };
}

/** The audit record of a transition. */
export function transitionRecordSql(
  name: TransitionName,
  sql: TransitionSql,
  record: RecordOf,
): string {
  return recordSql(recordOf(name, sql, record));
}

/** The audit records of the same transition of many rows. `shared`: see `recordGroupsSql`. */
export function transitionGroupsSql(
  s: string,
  name: TransitionName,
  sql: TransitionSql,
  { rows, shared, ...record }: RecordOf & { readonly rows: string; readonly shared?: string },
): string {
  return recordGroupsSql(s, recordOf(name, sql, record), rows, shared);
}

/** States as a list for `in`. */
export function statesSql(states: readonly JobState[]): string {
  return `(${states.map(LAYOUT.state).join(', ')})`;
}
