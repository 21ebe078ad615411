import {
  type JobState,
  type Lease,
  type LifeField,
  type Rule,
  type TransitionName,
  type TransitionRow,
  transitionRow,
} from '@redrive/durable/store';
import { STATES } from './states.ts';

// The updates of the hot path, made of the table that `transition()` interprets.

interface Column {
  /** The states in which it has a value; NULL in all others. Absent: in every state. Most are what an index goes by. */
  readonly in?: readonly JobState[];
  /** How a transition changes it, or the column of the same row that it is a copy of. */
  readonly value: ((row: TransitionRow) => Rule | undefined) | string;
}

const WAITING: readonly JobState[] = ['scheduled', 'ready', 'parked'];
const FINAL: readonly JobState[] = ['succeeded', 'dead', 'cancelled', 'purged'];

const life =
  (field: LifeField) =>
  ({ set }: TransitionRow): Rule | undefined =>
    set[field];

const lease =
  (field: keyof Lease) =>
  ({ lease: rules }: TransitionRow): Rule | undefined =>
    rules === undefined || rules === 'ended' ? rules && NONE : rules[field];

const NONE: Rule = { rule: 'literal', value: null };

/** The fields that stand in the text `life`, beside the account. */
const IN_LIFE: readonly LifeField[] = [
  'retryCount',
  'errorClass',
  'reason',
  'fingerprint',
  'purgedFrom',
  'purgedAtMs',
  'resultOmittedBytes',
];

/** That text is written as a whole. A claim leaves it alone: see `StoredLife`. */
function lifeText({ account, set }: TransitionRow): Rule | undefined {
  const changes = account === 'given' || account === 'fresh' || IN_LIFE.some((field) => set[field]);
  return changes ? { rule: 'given', name: 'account' } : undefined;
}

const COLUMNS: Readonly<Record<string, Column>> = {
  token: { value: life('token') },
  generation_at: { value: life('generationAtMs') },
  deadline_at: { value: life('deadlineMs') },
  cancel_requested: { value: life('cancelRequested') },
  life: { value: lifeText },
  attempts: { value: life('attempts') },
  result: { in: FINAL, value: life('result') },
  lease_until: { in: ['leased'], value: lease('untilMs') },
  // The text has the worker, the beginning and the policy.
  lease: { in: ['leased'], value: lease('worker') },
  leased_key: { in: ['leased'], value: 'limit_key' },
  ready_lane: { in: ['ready'], value: 'lane' },
  due_at: { in: ['scheduled'], value: life('dueAtMs') },
  release_at: { in: ['parked'], value: life('dueAtMs') },
  cause: { in: ['parked'], value: life('cause') },
  expires_at: { in: WAITING, value: 'deadline_at' },
  unique_key: { in: [...WAITING, 'leased'], value: 'unique_key' },
  finished_at: { in: FINAL, value: life('finishedAtMs') },
  finished_as: { in: FINAL, value: 'state' },
};

export interface TransitionSql {
  /** Parameters: `now`, `block`, and what the event brings by its name in the table. */
  readonly given: Readonly<Record<string, string>>;
  /** Where it may lead, if not to all states that the table has. */
  readonly to?: readonly JobState[];
  /** The parameter with the number of the state, where several are possible. */
  readonly state?: string;
  /** Columns that are NULL in all rows of the statement: their copies are left alone. */
  readonly without?: readonly string[];
}

/** The list behind `SET`. Columns that are NULL before and after are not in it, so that their indexes stay closed. */
export function setSql(name: TransitionName, sql: TransitionSql): string {
  const row = transitionRow(name);
  const { from = [] } = row;
  const to = sql.to ?? (row.to === 'same' ? from : row.to);
  const [onlyState] = to.length === 1 ? to : [];
  const state = onlyState === undefined ? sql.state : String(STATES.indexOf(onlyState));

  function given(value: string): string {
    return sql.given[value] ?? missing(value);
  }

  function missing(what: string): never {
    throw new Error(`The SQL of ${name} needs ${what}.`);
  }

  /** A value in some of the states that it may lead to. */
  function onlyIn(states: readonly JobState[], value: string): string {
    const fitting = to.filter((each) => states.includes(each));
    if (fitting.length === 0) return 'NULL';
    if (fitting.length === to.length) return value;
    const numbers = fitting.map((each) => STATES.indexOf(each)).join(', ');
    return `CASE WHEN ${state ?? missing('state')} IN (${numbers}) THEN ${value} END`;
  }

  function ruleSql(rule: Rule, column: string): string {
    switch (rule.rule) {
      case 'literal':
        return rule.value === null ? 'NULL' : String(Number(rule.value));
      case 'given':
        return given(rule.name);
      case 'increment':
        return `${column} + 1`;
      case 'now':
        return given('now');
      case 'now_plus':
        return `${given('now')} + ${given(rule.name)}`;
      case 'at_least_now_plus':
        return `max(${column}, ${given('now')} + ${given(rule.name)})`;
      case 'now_at_first_claim':
        return `CASE WHEN ${given('isFirst')} THEN ${given('now')} ELSE ${column} END`;
      default:
        return missing(`a way to write ${rule.rule}`);
    }
  }

  /** Undefined: the column stays as it is. */
  function valueSql(column: string, { in: states = STATES, value }: Column): string | undefined {
    const all = (list: readonly JobState[]): boolean => list.every((each) => states.includes(each));
    const none = (list: readonly JobState[]): boolean =>
      !list.some((each) => states.includes(each));
    if (none(from) && none(to)) return undefined;
    if (typeof value === 'function') {
      const rule = value(row);
      if (rule === undefined) return all(to) ? undefined : onlyIn(states, column);
      if (rule.rule !== 'only_in') return onlyIn(states, ruleSql(rule, column));
      const both = states.filter((each) => rule.states.includes(each));
      return onlyIn(both, ruleSql(rule.then, column));
    }
    if (sql.without?.includes(value)) return undefined;
    if (value === 'state') return onlyIn(states, state ?? missing('state'));
    return all(from) && all(to) ? undefined : onlyIn(states, value);
  }

  const changes: [column: string, value: string | undefined][] = [
    ['state', row.to === 'same' ? undefined : (state ?? missing('state'))],
    ['revision', row.recorded ? 'revision + 1' : undefined],
    ['audit_block', row.recorded ? given('block') : undefined],
    ...Object.entries(COLUMNS).map(([column, how]): [string, string | undefined] => [
      column,
      valueSql(column, how),
    ]),
  ];
  return changes
    .flatMap(([column, value]) => (value === undefined ? [] : `${column} = ${value}`))
    .join(', ');
}
