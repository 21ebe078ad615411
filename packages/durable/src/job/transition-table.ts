import { EXPIRED_GROUP } from '../dead-letter/fingerprint.ts';
import type { JobLife, JobState, Lease } from './job.ts';

/** A value that an event brings along. */
export type Given =
  | 'account'
  | 'alone'
  | 'attempts'
  | 'cause'
  | 'deadlineMs'
  | 'dueAtMs'
  | 'dueInMs'
  | 'errorClass'
  | 'fingerprint'
  | 'leaseMs'
  | 'policyHash'
  | 'progress'
  | 'reason'
  | 'result'
  | 'resultOmittedBytes'
  | 'retryCount'
  | 'worker';

/**
 * How an event changes one field. The set is closed, so that each store can write every rule as SQL. A field without a rule
 * keeps its value.
 */
export type Rule =
  /** A constant; null: the field is absent afterwards. */
  | { readonly rule: 'literal'; readonly value: string | number | boolean | null }
  | { readonly rule: 'given'; readonly name: Given }
  /** The given value; without one, the value stays. */
  | { readonly rule: 'given_or_kept'; readonly name: Given }
  | { readonly rule: 'increment' }
  | { readonly rule: 'now' }
  | { readonly rule: 'now_plus'; readonly name: Given }
  /** The later one of the value and now + the given time. */
  | { readonly rule: 'at_least_now_plus'; readonly name: Given }
  /** Now, if no claim of this generation has cost anything yet (`isFirstClaim`). Otherwise the value stays. */
  | { readonly rule: 'now_at_first_claim' }
  /** The state before the event. */
  | { readonly rule: 'state_before' }
  /** `then` where the job is in one of these states after the event; absent otherwise. */
  | { readonly rule: 'only_in'; readonly states: readonly JobState[]; readonly then: Rule };

/** How an event changes the attempt account: see `ACCOUNT_CHANGES`. */
export type AccountRule = 'given' | 'claimed' | 'fresh';

/** How an event changes the lease: field by field, or it ends. */
export type LeaseRule = 'ended' | { readonly [F in keyof Lease]?: Rule };

/** Fields of a life with a rule each. `state` follows from `to`, and `revision` from `recorded`. */
export type LifeField = Exclude<keyof JobLife, 'state' | 'revision' | 'account' | 'lease'>;

/** One row of the table. */
export interface TransitionRow {
  /** Absent: the job does not exist before. */
  readonly from?: readonly JobState[];
  /** Where it leads. Several: the event decides. `same`: the job stays where it is. */
  readonly to: readonly JobState[] | 'same';
  /** Whether it has an audit record, and so a revision. */
  readonly recorded: boolean;
  readonly set: { readonly [F in LifeField]?: Rule };
  readonly account?: AccountRule;
  readonly lease?: LeaseRule;
}

const literal = (value: string | number | boolean | null): Rule => ({ rule: 'literal', value });
const given = (name: Given): Rule => ({ rule: 'given', name });
const nowPlus = (name: Given): Rule => ({ rule: 'now_plus', name });
const onlyIn = (states: readonly JobState[], then: Rule): Rule => ({
  rule: 'only_in',
  states,
  then,
});
const NONE = literal(null);
const INCREMENT: Rule = { rule: 'increment' };
const NOW: Rule = { rule: 'now' };

const WAITING = ['scheduled', 'ready', 'parked'] as const;
const ENDED = ['succeeded', 'dead', 'cancelled'] as const;

/** The job finishes without an attempt. */
const finished = (reason: string) => ({
  reason: literal(reason),
  finishedAtMs: NOW,
  dueAtMs: NONE,
  cause: NONE,
});

/** Fresh attempts. */
const RENEWED = { token: INCREMENT, generationAtMs: NOW, retryCount: literal(0) };

/**
 * Everything that can happen to a job: from which states, where it leads, and which fields change how. `transition()`
 * interprets it; both stores make their statements and audit records of it. Two conditions are not part of it: the
 * token, and the time.
 */
export const TRANSITIONS = {
  /** A job is accepted. */
  enqueue: {
    to: ['scheduled', 'ready'],
    recorded: true,
    account: 'given',
    set: {
      token: literal(0),
      generationAtMs: NOW,
      deadlineMs: given('deadlineMs'),
      dueAtMs: onlyIn(['scheduled'], given('dueAtMs')),
      cancelRequested: literal(false),
      retryCount: given('retryCount'),
      errorClass: given('errorClass'),
      attempts: given('attempts'),
    },
  },
  /** A job is given up before it can run. */
  enqueue_dead: {
    to: ['dead'],
    recorded: true,
    account: 'given',
    set: {
      token: literal(0),
      generationAtMs: NOW,
      deadlineMs: given('deadlineMs'),
      cancelRequested: literal(false),
      retryCount: given('retryCount'),
      errorClass: given('errorClass'),
      attempts: given('attempts'),
      reason: given('reason'),
      fingerprint: given('fingerprint'),
      finishedAtMs: NOW,
    },
  },
  /** An enqueue with the same unique key. */
  replace: {
    from: WAITING,
    to: ['scheduled', 'ready'],
    recorded: true,
    set: {
      dueAtMs: onlyIn(['scheduled'], given('dueAtMs')),
      deadlineMs: given('deadlineMs'),
      cause: NONE,
    },
  },
  /** The time of a scheduled job has come. */
  promote: { from: ['scheduled'], to: ['ready'], recorded: false, set: { dueAtMs: NONE } },
  claim: {
    from: ['ready'],
    to: ['leased'],
    recorded: true,
    account: 'claimed',
    lease: {
      worker: given('worker'),
      sinceMs: NOW,
      untilMs: nowPlus('leaseMs'),
      policyHash: given('policyHash'),
      alone: given('alone'),
    },
    set: { token: INCREMENT, generationAtMs: { rule: 'now_at_first_claim' }, dueAtMs: NONE },
  },
  /** A heartbeat. */
  extend: {
    from: ['leased'],
    to: 'same',
    recorded: false,
    lease: {
      untilMs: { rule: 'at_least_now_plus', name: 'leaseMs' },
      progress: { rule: 'given_or_kept', name: 'progress' },
    },
    set: {},
  },
  /** An attempt has finished. Its record is `settle`, or `lease_lost` where the rescue wrote it. */
  settle: {
    from: ['leased'],
    to: ['succeeded', 'scheduled', 'ready', 'parked', 'dead', 'cancelled'],
    recorded: true,
    account: 'given',
    lease: 'ended',
    set: {
      token: INCREMENT,
      dueAtMs: onlyIn(['scheduled', 'parked'], nowPlus('dueInMs')),
      cause: onlyIn(['parked'], given('cause')),
      retryCount: given('retryCount'),
      errorClass: given('errorClass'),
      reason: given('reason'),
      attempts: given('attempts'),
      finishedAtMs: onlyIn(ENDED, NOW),
      fingerprint: onlyIn(['dead'], given('fingerprint')),
      result: onlyIn(['succeeded'], given('result')),
      resultOmittedBytes: onlyIn(['succeeded'], given('resultOmittedBytes')),
    },
  },
  /** A parked job's time has come, or somebody releases it. */
  unpark: {
    from: ['parked'],
    to: ['ready'],
    recorded: true,
    set: { dueAtMs: NONE, cause: NONE },
  },
  run_now: { from: ['scheduled'], to: ['ready'], recorded: true, set: { dueAtMs: NONE } },
  cancel: { from: WAITING, to: ['cancelled'], recorded: true, set: finished('cancelled') },
  /** A cancellation while an attempt runs. Its record is `cancel`, too. */
  request_cancel: {
    from: ['leased'],
    to: 'same',
    recorded: true,
    set: { cancelRequested: literal(true) },
  },
  /** The deadline has passed before an attempt started. */
  expire: {
    from: WAITING,
    to: ['dead'],
    recorded: true,
    set: { ...finished('ttl_exceeded'), fingerprint: literal(EXPIRED_GROUP.fingerprint) },
  },
  requeue: {
    from: ['dead', 'cancelled'],
    to: ['ready'],
    recorded: true,
    account: 'fresh',
    set: {
      ...RENEWED,
      deadlineMs: given('deadlineMs'),
      errorClass: NONE,
      reason: NONE,
      finishedAtMs: NONE,
      fingerprint: NONE,
      cancelRequested: literal(false),
    },
  },
  /** Fresh attempts, where the job is. */
  reset: {
    from: ['scheduled', 'ready', 'parked', 'dead', 'cancelled'],
    to: 'same',
    recorded: true,
    account: 'fresh',
    set: RENEWED,
  },
  purge: {
    from: ENDED,
    to: ['purged'],
    recorded: true,
    set: { purgedFrom: { rule: 'state_before' }, purgedAtMs: NOW },
  },
  restore: {
    from: ['purged'],
    to: ENDED,
    recorded: true,
    set: { purgedFrom: NONE, purgedAtMs: NONE },
  },
  /** A dead letter moves to another cause, because people corrected the causes or the rules are newer. */
  regroup: {
    from: ['dead'],
    to: 'same',
    recorded: true,
    set: { fingerprint: given('fingerprint') },
  },
  /** Deleted for good. The record is all that is left. */
  prune: { from: [...ENDED, 'purged'], to: ['purged'], recorded: true, set: {} },
} as const satisfies Readonly<Record<string, TransitionRow>>;

export type TransitionName = keyof typeof TRANSITIONS;

/** Each row by its name, as the type that all rows have. */
export function transitionRow(name: TransitionName): TransitionRow {
  return TRANSITIONS[name];
}

/**
 * The numbers of an account, as the rules change them. In code core's `claimAttempt` and `nextGeneration` do the same;
 * a test compares them. `rest`: all other numbers.
 */
export const ACCOUNT_CHANGES: Readonly<
  Record<
    Exclude<AccountRule, 'given'>,
    { readonly [N in 'generation' | 'claims' | 'executions' | 'rest']?: Rule }
  >
> = {
  claimed: { claims: INCREMENT, executions: INCREMENT },
  fresh: { generation: INCREMENT, claims: literal(0), rest: literal(0) },
};
