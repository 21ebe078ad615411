import {
  ACCOUNT_CHANGES,
  type JobState,
  type LifeField,
  type Rule,
  type TransitionName,
  type TransitionRow,
  transitionRow,
} from '@redrive/durable/store';
import { recordSql } from './audit-sql.ts';
import { listed } from './columns.ts';
import { JOB_COLUMNS } from './job-columns.ts';

// The statements of all transitions, made of the table that `transition()` interprets.

type JobTable = 'jobs' | 'finished';

interface ChangedColumn {
  /** The table that has it, where only one does. */
  readonly only?: JobTable;
  readonly rule: (row: TransitionRow) => Rule | undefined;
  /** How it says 0, where that is not 0. */
  readonly zero?: 'null';
}

const NONE: Rule = { rule: 'literal', value: null };
const GIVEN_ACCOUNT: Rule = { rule: 'given', name: 'account' };

function life(field: LifeField, only?: JobTable): ChangedColumn {
  return { rule: ({ set }) => set[field], ...(only && { only }) };
}

function account(number: keyof (typeof ACCOUNT_CHANGES)['fresh'], zero?: 'null'): ChangedColumn {
  return {
    rule: ({ account: rule }) =>
      rule === undefined || rule === 'given'
        ? rule && GIVEN_ACCOUNT
        : ACCOUNT_CHANGES[rule][number],
    ...(zero && { zero }),
  };
}

function lease(field: 'worker' | 'sinceMs' | 'untilMs' | 'policyHash' | 'alone'): ChangedColumn {
  return { only: 'jobs', rule: ({ lease: rules }) => (rules === 'ended' ? NONE : rules?.[field]) };
}

/** Where each part of a life is stored. State, revision and audit blocks are beside it: they follow from the row itself. */
const COLUMNS = {
  token: life('token'),
  generation_at: life('generationAtMs'),
  deadline: life('deadlineMs'),
  generation: account('generation'),
  claims: account('claims'),
  executions: account('executions'),
  failed: account('rest'),
  lease_lost: account('rest'),
  account: account('rest', 'null'),
  retry_count: life('retryCount'),
  cancel_requested: life('cancelRequested'),
  attempts: life('attempts'),
  reason: life('reason'),
  error_class: life('errorClass'),
  due_at: life('dueAtMs', 'jobs'),
  cause: life('cause', 'jobs'),
  worker: lease('worker'),
  lease_since: lease('sinceMs'),
  lease_until: lease('untilMs'),
  policy_hash: lease('policyHash'),
  alone: lease('alone'),
  finished_at: life('finishedAtMs', 'finished'),
  fingerprint: life('fingerprint', 'finished'),
  result: life('result', 'finished'),
  result_omitted_bytes: life('resultOmittedBytes', 'finished'),
  purged_from: life('purgedFrom', 'finished'),
  purged_at: life('purgedAtMs', 'finished'),
} as const satisfies Readonly<Record<string, ChangedColumn>>;

export type LifeColumn = keyof typeof COLUMNS;

export interface TransitionSql {
  /** The job's row before it: the alias of its table, or of the rows that were deleted. */
  readonly of: string;
  /** SQL of the values that the event brings, by the column that they are for; and of times that are added to now. */
  readonly given?: { readonly [C in LifeColumn | 'leaseMs' | 'dueInMs']?: string };
  /** Where several states are possible: SQL of the state afterwards, or the one state that this statement leads to. */
  readonly state?: string;
  /** Where several are: those of this statement, and the condition of each that a rule asks for. */
  readonly possible?: { readonly [S in JobState]?: string };
}

/** The columns that change, each with the SQL of its value afterwards. */
export function changesSql(name: TransitionName, sql: TransitionSql): Map<string, string> {
  const row = transitionRow(name);
  const { of } = sql;
  const changes = new Map<string, string>();
  if (row.to !== 'same') changes.set('state', stateSql(name, sql));
  if (row.recorded) {
    const isNew = row.from === undefined;
    changes.set('revision', isNew ? '1' : `${of}.revision + 1`);
    changes.set('previous_block', isNew ? '0' : `${of}.audit_block`);
    changes.set('audit_block', 'coalesce(p_seq, 0)');
  }
  for (const [column, { rule: ruleOf, ...how }] of Object.entries(COLUMNS)) {
    const rule = ruleOf(row);
    const value = rule && ruleSql(rule, column, name, sql);
    if (value !== undefined) changes.set(column, 'zero' in how && value === '0' ? how.zero : value);
  }
  return changes;
}

/** The state that a transition leads to. */
function stateSql(name: TransitionName, { state }: TransitionSql): string {
  const { to } = transitionRow(name);
  const only = to !== 'same' && to.length === 1 ? `'${to[0]}'` : undefined;
  return state ?? only ?? missing(name, 'state');
}

function ruleSql(rule: Rule, column: string, name: TransitionName, sql: TransitionSql): string {
  const { of, given = {}, possible } = sql;
  const value = (key: string): string =>
    // A column's name, or that of a time.
    given[key as keyof typeof given] ?? missing(name, key);
  switch (rule.rule) {
    case 'literal':
      return typeof rule.value === 'string' ? `'${rule.value}'` : String(rule.value);
    case 'given':
      return value(column);
    case 'increment':
      return `${of}.${column} + 1`;
    case 'now':
      return 'v_now';
    case 'now_plus':
      return `v_now + ${value(rule.name)}`;
    case 'at_least_now_plus':
      return `greatest(${of}.${column}, v_now + ${value(rule.name)})`;
    case 'now_at_first_claim':
      return `case when ${isFirstClaimSql(of)} then v_now else ${of}.${column} end`;
    case 'state_before':
      return `${of}.state`;
    case 'only_in': {
      const states = possible ?? Object.fromEntries(toStates(name).map((state) => [state, '']));
      const all = Object.entries(states);
      const fitting = all.filter(([state]) => rule.states.some((each) => each === state));
      if (fitting.length === 0) return 'null';
      const then = ruleSql(rule.then, column, name, sql);
      if (fitting.length === all.length) return then;
      const conditions = fitting.map(([state, condition]) => condition || missing(name, state));
      return `case when ${conditions.join(' or ')} then ${then} end`;
    }
  }
}

function toStates(name: TransitionName): readonly JobState[] {
  const { to } = transitionRow(name);
  return to === 'same' ? [] : to;
}

/**
 * `isFirstClaim` in SQL: no claim of this generation has cost anything. Blocked ones stand fourth in the account, and are
 * compared as text: an account that cannot be read fails no claim.
 */
function isFirstClaimSql(of: string): string {
  return `${of}.claims = 0 or ${of}.claims::text = split_part(${of}.account, ',', 4)`;
}

/** The list behind `set` of an update in place. `more`: columns that are no part of a life. */
export function setSql(
  name: TransitionName,
  sql: TransitionSql,
  { table = 'jobs', more = {} }: { table?: JobTable; more?: Readonly<Record<string, string>> } = {},
): string {
  const changes = [...changesSql(name, sql)].filter(([column, value]) => {
    const { only = table }: { only?: JobTable } = COLUMNS[column as LifeColumn] ?? {};
    if (only !== table && value !== 'null') throw new Error(`${name}: ${table} has no ${column}`);
    return only === table;
  });
  return listed(
    [...changes, ...Object.entries(more)].map(([name_, value]) => `${name_} = ${value}`),
  );
}

/** An insert into the other table of jobs, from rows that were deleted from the first one. */
export function moveSql(
  name: TransitionName,
  sql: TransitionSql,
  into: string,
  more: Readonly<Record<string, string>> = {},
): { readonly insert: string; readonly values: string } {
  const table = into.endsWith('finished') ? 'finished' : 'jobs';
  const changes = changesSql(name, sql);
  const own = [...changes].filter(
    ([column, value]) => COLUMNS[column as LifeColumn] !== undefined && value !== 'null',
  );
  const added = own
    .map(([column]) => column)
    .filter((column) => !JOB_COLUMNS.includes(column))
    .map((column) => {
      const { only }: { only?: JobTable } = COLUMNS[column as LifeColumn];
      if (only !== table) throw new Error(`${name}: ${table} has no ${column}`);
      return column;
    });
  const columns = [...JOB_COLUMNS, ...added];
  return {
    insert: `insert into ${into} (
            ${listed(columns)})`,
    values: listed(
      columns.map((column) => more[column] ?? changes.get(column) ?? `${sql.of}.${column}`),
    ),
  };
}

/** An insert of new jobs, up to its `from`. `spec`: the columns that are no part of a life. */
export function insertSql(
  name: TransitionName,
  sql: TransitionSql,
  into: string,
  spec: Readonly<Record<string, string>>,
): string {
  const values = [...Object.entries(spec), ...changesSql(name, sql)].filter(
    ([, value]) => value !== 'null',
  );
  return `insert into ${into} (
            ${listed(values.map(([column]) => column))})
          select
            ${listed(values.map(([, value]) => value))}
         `;
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

/** The audit record of a transition. */
export function transitionRecordSql(
  name: TransitionName,
  sql: TransitionSql,
  { event = `'${name}'`, from, at = 'v_now', detail, written }: RecordOf,
): string {
  const { of } = sql;
  const row = transitionRow(name);
  const changes = written ? new Map<string, string>() : changesSql(name, sql);
  const after = (column: string): string => changes.get(column) ?? `${of}.${column}`;
  const onlyFrom = row.from?.length === 1 ? `'${row.from[0]}'` : undefined;
  const before = row.from === undefined ? 'null' : (from ?? onlyFrom ?? missing(name, 'from'));
  return recordSql({
    id: `${of}.id`,
    revision: after('revision'),
    event,
    from: before,
    to: row.to === 'same' ? before : stateSql(name, sql),
    at,
    token: after('token'),
    generation: after('generation'),
    executions: after('executions'),
    previousBlock: after('previous_block'),
    detail,
  });
}

/** The states that a transition may come from, as a list for `in`. `held` jobs count as ready. */
export function fromSql(states: readonly JobState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}

function missing(name: TransitionName, what: string): never {
  throw new Error(`The SQL of ${name} needs a value for ${what}.`);
}
