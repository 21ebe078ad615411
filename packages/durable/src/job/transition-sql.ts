import { JOB_STATES, type JobState, type Lease } from './job.ts';
import {
  ACCOUNT_CHANGES,
  type LifeField,
  type Rule,
  type TransitionName,
  type TransitionRow,
  transitionRow,
} from './transition-table.ts';

/** A column of a store's jobs, as transitions change it. */
export interface JobColumn {
  /** How a transition changes it, or the column of the same row that it is a copy of. */
  readonly value: ((row: TransitionRow) => Rule | undefined) | string;
  /** The states in which it has a value: it is NULL in all others, or not in their table. Absent: in every state. */
  readonly in?: readonly JobState[];
  /** How it says 0, where that is not 0. */
  readonly zero?: string;
}

/** How a store keeps jobs. */
export interface JobLayout {
  readonly columns: Readonly<Record<string, JobColumn>>;
  /** The SQL of a state. */
  readonly state: (state: JobState) => string;
  /** The function that chooses the larger number. */
  readonly greatest: string;
}

/** The part of a transition that differs from statement to statement. */
export interface TransitionSql {
  /** Stands before the columns of the job's row: an alias and a dot, or nothing. */
  readonly of: string;
  /** The SQL of values, by the column that they are for; and of `now`, `block`, `isFirst` and the times added to now. */
  readonly given: Readonly<Record<string, string>>;
  /** The states that it comes from and leads to, if not all that the table has. */
  readonly from?: readonly JobState[];
  readonly to?: readonly JobState[];
  /** The SQL of the state afterwards, where several are possible. */
  readonly state?: string;
  /** The SQL of whether that is one of these states. Default: by `state`. */
  readonly isIn?: (states: readonly JobState[]) => string;
  /** Columns that are NULL in all rows of the statement: their copies are left alone. */
  readonly without?: readonly string[];
}

const NONE: Rule = { rule: 'literal', value: null };

/** The rule of a field of a life. */
export function lifeRule(field: LifeField): (row: TransitionRow) => Rule | undefined {
  return ({ set }) => set[field];
}

/** The rule of a field of the lease. */
export function leaseRule(field: keyof Lease): (row: TransitionRow) => Rule | undefined {
  return ({ lease }) => (lease === 'ended' ? NONE : lease?.[field]);
}

/** The rule of a number of the account. */
export function accountRule(
  number: keyof (typeof ACCOUNT_CHANGES)['fresh'],
): (row: TransitionRow) => Rule | undefined {
  return ({ account }) => {
    if (account === undefined) return undefined;
    return account === 'given'
      ? { rule: 'given', name: 'account' }
      : ACCOUNT_CHANGES[account][number];
  };
}

/**
 * The columns that a transition changes, each with the SQL of its value afterwards. Columns that are NULL before and after
 * are left out, so that their indexes stay closed.
 *
 * @throws Error if the statement lacks a value that a rule needs.
 */
export function changesSql(
  name: TransitionName,
  layout: JobLayout,
  sql: TransitionSql,
): Map<string, string> {
  const row = transitionRow(name);
  const { of } = sql;
  const { from = row.from ?? [], to = row.to === 'same' ? from : row.to } = sql;
  const changes = new Map<string, string>();
  const isNew = row.from === undefined;

  function given(what: string): string {
    const value = sql.given[what];
    if (value === undefined) throw new Error(`The SQL of ${name} needs a value for ${what}.`);
    return value;
  }

  /** A value in some of the states that it may lead to. */
  function onlyIn(states: readonly JobState[], value: () => string): string {
    const fitting = to.filter((state) => states.includes(state));
    if (fitting.length === 0) return 'null';
    if (fitting.length === to.length) return value();
    const literals = fitting.map(layout.state).join(', ');
    const condition = sql.isIn?.(fitting) ?? `${stateAfter(name, layout, sql)} in (${literals})`;
    return `case when ${condition} then ${value()} end`;
  }

  function ruleSql(rule: Rule, column: string): string {
    switch (rule.rule) {
      case 'literal':
        return literalSql(rule.value, layout.columns[column]?.zero);
      case 'given':
        return given(column);
      case 'given_or_kept':
        return `coalesce(${given(column)}, ${of}${column})`;
      case 'increment':
        return `${of}${column} + 1`;
      case 'now':
        return given('now');
      case 'now_plus':
        return `${given('now')} + ${given(rule.name)}`;
      case 'at_least_now_plus':
        return `${layout.greatest}(${of}${column}, ${given('now')} + ${given(rule.name)})`;
      case 'now_at_first_claim':
        return `case when ${given('isFirst')} then ${given('now')} else ${of}${column} end`;
      case 'state_before':
        return `${of}state`;
      case 'only_in':
        return onlyIn(rule.states, () => ruleSql(rule.then, column));
    }
  }

  /** Undefined: the column stays as it is. */
  function columnSql(column: string, { in: states = JOB_STATES, value }: JobColumn) {
    const before = from.filter((state) => states.includes(state)).length;
    const after = to.filter((state) => states.includes(state)).length;
    const stays = row.to === 'same' || (before === from.length && after === to.length);
    if (before === 0 && after === 0) return undefined;
    if (typeof value === 'string') {
      if (sql.without?.includes(value)) return undefined;
      const source = changes.get(value);
      if (stays && source === undefined) return undefined;
      return onlyIn(states, () => source ?? `${of}${value}`);
    }
    const rule = value(row);
    if (rule === undefined) {
      return stays || before === 0 ? undefined : onlyIn(states, () => `${of}${column}`);
    }
    if (rule.rule !== 'only_in') return onlyIn(states, () => ruleSql(rule, column));
    const both = states.filter((state) => rule.states.includes(state));
    return onlyIn(both, () => ruleSql(rule.then, column));
  }

  if (row.to !== 'same') changes.set('state', stateAfter(name, layout, sql));
  if (row.recorded) {
    changes.set('revision', isNew ? '1' : `${of}revision + 1`);
    changes.set('audit_block', given('block'));
  }
  for (const [column, how] of Object.entries(layout.columns)) {
    const value = columnSql(column, how);
    if (value !== undefined) changes.set(column, value);
  }
  return changes;
}

/** The SQL of the state that a transition leads to. */
export function stateAfter(name: TransitionName, layout: JobLayout, sql: TransitionSql): string {
  const row = transitionRow(name);
  const { to = row.to } = sql;
  const [state, ...more] = to === 'same' ? [] : to;
  if (sql.state !== undefined) return sql.state;
  if (state === undefined || more.length > 0) {
    throw new Error(`The SQL of ${name} needs the state that it leads to.`);
  }
  return layout.state(state);
}

function literalSql(value: string | number | boolean | null, zero = '0'): string {
  if (value === null) return 'null';
  if (value === 0) return zero;
  return typeof value === 'string' ? `'${value}'` : String(value);
}
