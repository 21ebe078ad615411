import { type AttemptAccount, claimAttempt, isRunning, nextGeneration } from '@redrive/core/stored';
import { type ActCommand, momentMs } from '../store/commands.ts';
import { isFinal, isFirstClaim, type JobLife, type JobState, type Lease } from './job.ts';
import type { Progress } from './progress.ts';
import type { Settlement } from './settlement.ts';
import {
  type AccountRule,
  type Given,
  type LeaseRule,
  type Rule,
  TRANSITIONS,
  type TransitionName,
  type TransitionRow,
  transitionRow,
} from './transition-table.ts';

/** The events of an existing job. `nowMs` is the store's time, read after the lock is held. */
export type JobEvent =
  | {
      readonly kind: 'claim';
      readonly worker: string;
      readonly leaseMs: number;
      readonly policyHash: string;
      /** See `Lease`. */
      readonly alone: boolean;
    }
  /** A heartbeat. */
  | {
      readonly kind: 'extend';
      readonly token: number;
      readonly leaseMs: number;
      readonly progress?: Progress | undefined;
    }
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** The time of a scheduled job has come. Physical: no record, no token. */
  | { readonly kind: 'promote' }
  /** A parked job's time has come, or somebody lets it go (`byHand`). */
  | { readonly kind: 'unpark'; readonly byHand: boolean }
  /** Somebody wants a scheduled job now. */
  | { readonly kind: 'run_now' }
  /** An enqueue with the same unique key gives it another payload, due time and deadline. Without a due time: now. */
  | {
      readonly kind: 'replace';
      readonly dueAtMs?: number | undefined;
      readonly deadlineMs?: number | undefined;
    }
  | { readonly kind: 'cancel' }
  /** The deadline has passed before an attempt started. */
  | { readonly kind: 'expire' }
  | { readonly kind: 'requeue'; readonly deadlineMs?: number | undefined }
  /** Fresh attempts, where it is: a new generation that changes nothing else. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'purge' }
  | { readonly kind: 'restore' }
  /** A dead letter moves to another cause. */
  | { readonly kind: 'regroup'; readonly fingerprint: string };

export type Refusal =
  /** The token is not the newest: the lease ended, somebody else may have it. */
  | 'stale_token'
  /** The rescue came while the lease was alive. */
  | 'lease_alive'
  /** Not yet time. */
  | 'not_due'
  /** This cannot happen in the state that it is in. */
  | 'illegal';

export type Transition =
  | {
      readonly ok: true;
      readonly life: JobLife;
      /** Whether it has a record and so a revision. */
      readonly recorded: boolean;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** From which states each event may come. The other two conditions are the token and the time. */
export const LEGAL_FROM: Readonly<Record<JobEvent['kind'], readonly JobState[]>> = {
  ...mapRows(({ from = [] }) => from),
  cancel: [...TRANSITIONS.cancel.from, ...TRANSITIONS.request_cancel.from],
};

function mapRows<T>(of: (row: TransitionRow) => T): Record<TransitionName, T> {
  const rows = Object.entries(TRANSITIONS).map(([name, row]) => [name, of(row)]);
  // The same names.
  return Object.fromEntries(rows) as Record<TransitionName, T>;
}

/**
 * The life of a job: the one function that says what may happen to it and what it is afterwards. Pure: it interprets
 * `TRANSITIONS`. The in-memory store calls it; the others make their statements of the same table.
 */
export function transition(life: JobLife, event: JobEvent, nowMs: number): Transition {
  if (!LEGAL_FROM[event.kind].includes(life.state)) {
    const lateWrite = event.kind === 'settle' || event.kind === 'extend';
    return { ok: false, refusal: lateWrite ? 'stale_token' : 'illegal' };
  }
  const refusal = refusalOf(life, event, nowMs);
  if (refusal !== undefined) return { ok: false, refusal };
  const row = transitionRow(rowOf(life, event));
  const state = landing(life, event, nowMs, row);
  return {
    ok: true,
    recorded: row.recorded,
    life: lifeAfter(row, life, { state, given: givenBy(life, event), nowMs }),
  };
}

function rowOf({ state }: JobLife, { kind }: JobEvent): TransitionName {
  return kind === 'cancel' && state === 'leased' ? 'request_cancel' : kind;
}

/** Token and time. */
function refusalOf(life: JobLife, event: JobEvent, nowMs: number): Refusal | undefined {
  switch (event.kind) {
    case 'claim':
      return isPast(life.deadlineMs, nowMs) ? 'illegal' : undefined;
    case 'extend':
      // A lease that has run out is not revived: the rescue may be on its way.
      return event.token !== life.token || isPast(life.lease?.untilMs ?? nowMs, nowMs)
        ? 'stale_token'
        : undefined;
    case 'settle': {
      const { token, by, account } = event.settlement;
      if (token !== life.token) return 'stale_token';
      // Only the rescue asks for the time. A late worker whose lease nobody has taken may still write: it lost nothing.
      if (by === 'expired' && !isPast(life.lease?.untilMs, nowMs)) return 'lease_alive';
      return isRunning(account) ? 'illegal' : undefined;
    }
    case 'promote':
      return isPast(life.dueAtMs, nowMs) ? undefined : 'not_due';
    case 'unpark':
      return event.byHand || isPast(life.dueAtMs, nowMs) ? undefined : 'not_due';
    case 'expire':
      return isPast(life.deadlineMs, nowMs) ? undefined : 'not_due';
    default:
      return undefined;
  }
}

/** The state that the job is in afterwards. */
function landing(life: JobLife, event: JobEvent, nowMs: number, { to }: TransitionRow): JobState {
  switch (event.kind) {
    case 'settle': {
      const { dueInMs = 0 } = event.settlement;
      const next = isOverruled(life, event.settlement) ? 'cancelled' : event.settlement.to;
      return next === 'scheduled' && dueInMs <= 0 ? 'ready' : next;
    }
    case 'replace':
      return dueState(event.dueAtMs, nowMs);
    case 'restore':
      return life.purgedFrom ?? 'dead';
    default:
      return to === 'same' ? life.state : (to[0] ?? life.state);
  }
}

/** Where a job waits for its due time. Without one it is due now. */
export function dueState(dueAtMs: number | undefined, nowMs: number): JobState {
  return dueAtMs !== undefined && dueAtMs > nowMs ? 'scheduled' : 'ready';
}

/** A job that somebody cancelled does not run again, whatever the outcome of its attempt, unless it is finished. */
function isOverruled({ cancelRequested }: JobLife, { to }: Settlement): boolean {
  return cancelRequested && !isFinal(to);
}

type GivenValues = { readonly [N in Given]?: unknown };

function givenBy(life: JobLife, event: JobEvent): GivenValues {
  // Their values have the names of the table.
  if (event.kind !== 'settle') return event as GivenValues;
  const { settlement } = event;
  return {
    ...settlement,
    // It may be made on demand, and is kept.
    attempts: { kept: settlement.attempts.kept, omitted: settlement.attempts.omitted },
    dueInMs: settlement.dueInMs ?? 0,
    reason: isOverruled(life, settlement) ? 'cancelled' : settlement.reason,
    fingerprint: settlement.group?.fingerprint,
  };
}

/** The input of a row's rules. */
interface Applied {
  /** The state afterwards. */
  readonly state: JobState;
  readonly given: GivenValues;
  readonly nowMs: number;
}

/** The life after an event: every rule of its row applied to the life before. */
export function lifeAfter(row: TransitionRow, life: JobLife, how: Applied): JobLife {
  const after: Record<string, unknown> = { ...life, state: how.state };
  for (const [field, rule] of Object.entries(row.set)) {
    // Names of a life's fields.
    after[field] = applyRule(rule, life[field as keyof JobLife], life, how);
  }
  if (row.account !== undefined) after.account = accountAfter(row.account, life.account, how);
  if (row.lease !== undefined) after.lease = leaseAfter(row.lease, life, how);
  if (row.recorded) after.revision = life.revision + 1;
  // The table has a rule of the right type for each field; the tests of `transition()` compare every one.
  return after as unknown as JobLife;
}

function accountAfter(rule: AccountRule, before: AttemptAccount, { given }: Applied): unknown {
  if (rule === 'given') return given.account;
  return rule === 'claimed' ? claimAttempt(before) : nextGeneration(before);
}

function leaseAfter(rules: LeaseRule, life: JobLife, how: Applied): unknown {
  if (rules === 'ended') return undefined;
  const lease: Record<string, unknown> = { ...life.lease };
  for (const [field, rule] of Object.entries(rules)) {
    // Names of a lease's fields.
    const value = applyRule(rule, life.lease?.[field as keyof Lease], life, how);
    if (value !== undefined) lease[field] = value;
  }
  return lease;
}

function applyRule(rule: Rule, before: unknown, life: JobLife, how: Applied): unknown {
  const { state, given, nowMs } = how;
  switch (rule.rule) {
    case 'literal':
      return rule.value ?? undefined;
    case 'given':
      return given[rule.name];
    case 'given_or_kept':
      return given[rule.name] ?? before;
    case 'increment':
      return Number(before) + 1;
    case 'now':
      return nowMs;
    case 'now_plus':
      return nowMs + Number(given[rule.name]);
    case 'at_least_now_plus':
      return Math.max(Number(before), nowMs + Number(given[rule.name]));
    case 'now_at_first_claim':
      return isFirstClaim(life.account) ? nowMs : before;
    case 'state_before':
      return life.state;
    case 'only_in':
      return rule.states.includes(state) ? applyRule(rule.then, before, life, how) : undefined;
  }
}

function isPast(timeMs: number | undefined, nowMs: number): boolean {
  return timeMs !== undefined && timeMs <= nowMs;
}

/** The event that an operator's act is to its job. */
export function actEvent(
  { act, deadline, group }: Pick<ActCommand, 'act' | 'deadline' | 'group'>,
  nowMs: number,
): JobEvent {
  switch (act) {
    case 'regroup':
      return { kind: act, fingerprint: group?.fingerprint ?? '' };
    case 'unpark':
      return { kind: act, byHand: true };
    case 'requeue':
      return { kind: act, deadlineMs: deadline && momentMs(deadline, nowMs) };
    default:
      return { kind: act };
  }
}
