import {
  type AttemptAccount,
  claimAttempt,
  nextGeneration,
  openAccount,
  settleAttempt,
} from '@redrive/core/stored';
import { describe, expect, it } from 'vitest';
import { EXPIRED_GROUP } from '../dead-letter/fingerprint.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import { type AttemptLog, NO_ATTEMPTS } from './attempt-log.ts';
import type { JobLife } from './job.ts';
import { newLife } from './new-life.ts';
import type { SettledState } from './settlement.ts';
import { type JobEvent, transition } from './transition.ts';
import { ACCOUNT_CHANGES, type Rule, TRANSITIONS } from './transition-table.ts';

const USED: AttemptAccount = {
  generation: 3,
  claims: 7,
  entries: {
    succeeded: 1,
    failed: 2,
    rate_limited: 3,
    interrupted: 4,
    blocked: 5,
    cancelled: 6,
    lease_lost: 7,
    process_lost: 8,
  },
  executions: 11,
  freeWaits: 2,
  freeWaitMs: 300,
  lastDelayMs: 40,
  unchargedSinceMs: 5_000,
  clearedLosses: 6,
};

/** What statements make of one number of an account. */
function numberAfter(rule: Rule | undefined, before: number): unknown {
  if (rule === undefined) return before;
  return rule.rule === 'literal' ? rule.value : rule.rule === 'increment' ? before + 1 : undefined;
}

function accountAfter(changes: (typeof ACCOUNT_CHANGES)['claimed']): unknown {
  const { generation, claims, executions, entries, ...others } = USED;
  const rest = (numbers: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [name, numberAfter(changes.rest, value)]),
    );
  return {
    generation: numberAfter(changes.generation, generation),
    claims: numberAfter(changes.claims, claims),
    executions: numberAfter(changes.executions, executions),
    entries: rest(entries),
    ...rest(others),
  };
}

describe('the rules for the numbers of an account', () => {
  it('do what core does', () => {
    expect(accountAfter(ACCOUNT_CHANGES.claimed)).toEqual(claimAttempt(USED));
    expect(accountAfter(ACCOUNT_CHANGES.fresh)).toEqual(nextGeneration(USED));
    expect(nextGeneration(USED)).toEqual({ ...openAccount(), generation: 4, executions: 11 });
  });
});

const NOW = 1_000;
const CLAIMED = { ...openAccount(), claims: 1, executions: 1 };
const SETTLED = settleAttempt(CLAIMED, 'failed', 7);
const LOG: AttemptLog = { ...NO_ATTEMPTS, omitted: 1 };

/** A life in which no field is empty, so that each one that is cleared or kept shows. */
const FULL: JobLife = {
  state: 'ready',
  revision: 4,
  token: 6,
  account: openAccount(),
  generationAtMs: 1,
  deadlineMs: 2_000,
  dueAtMs: 2,
  cause: 'breaker_open',
  lease: { worker: 'w', sinceMs: 3, untilMs: 1_010, policyHash: 'p', alone: false },
  cancelRequested: false,
  retryCount: 5,
  errorClass: 'retryable',
  reason: 'retryable_error',
  attempts: NO_ATTEMPTS,
  finishedAtMs: 8,
  fingerprint: 'fp1:9',
  purgedFrom: 'dead',
  purgedAtMs: 10,
  result: '"before"',
  resultOmittedBytes: 11,
};

const settlement = (to: SettledState): JobEvent => ({
  kind: 'settle',
  settlement: {
    id: 'job',
    token: 6,
    by: 'held',
    to,
    dueInMs: 30,
    cause: 'gate',
    account: SETTLED,
    retryCount: 6,
    errorClass: 'final',
    reason: 'final_error',
    attempts: LOG,
    group: { fingerprint: 'fp1:x', pattern: 'x' },
    result: '1',
    resultOmittedBytes: 12,
    detail: '{}',
  },
});

/** What every settlement changes. */
const ENDED = {
  revision: 5,
  token: 7,
  account: SETTLED,
  lease: undefined,
  dueAtMs: undefined,
  cause: undefined,
  retryCount: 6,
  errorClass: 'final',
  reason: 'final_error',
  attempts: LOG,
  finishedAtMs: undefined,
  fingerprint: undefined,
  result: undefined,
  resultOmittedBytes: undefined,
} as const;
const FRESH = {
  revision: 5,
  token: 7,
  account: nextGeneration(openAccount()),
  generationAtMs: NOW,
  retryCount: 0,
};
const LEASED = { state: 'leased', account: CLAIMED } as const;
const LATE = { deadlineMs: NOW };

/** Every transition, written down a second time, on purpose: what it changes in that life, and nothing else. */
const CHANGES: readonly [JobEvent, Partial<JobLife>, Partial<JobLife>][] = [
  [
    { kind: 'claim', worker: 'v', leaseMs: 20, policyHash: 'q', alone: true },
    { state: 'ready' },
    {
      state: 'leased',
      revision: 5,
      token: 7,
      account: CLAIMED,
      generationAtMs: NOW,
      dueAtMs: undefined,
      lease: { worker: 'v', sinceMs: NOW, untilMs: NOW + 20, policyHash: 'q', alone: true },
    },
  ],
  [
    { kind: 'extend', token: 6, leaseMs: 20 },
    LEASED,
    { lease: { worker: 'w', sinceMs: 3, untilMs: NOW + 20, policyHash: 'p', alone: false } },
  ],
  [
    settlement('succeeded'),
    LEASED,
    { ...ENDED, state: 'succeeded', finishedAtMs: NOW, result: '1', resultOmittedBytes: 12 },
  ],
  [settlement('scheduled'), LEASED, { ...ENDED, state: 'scheduled', dueAtMs: NOW + 30 }],
  [settlement('ready'), LEASED, { ...ENDED, state: 'ready' }],
  [settlement('parked'), LEASED, { ...ENDED, state: 'parked', dueAtMs: NOW + 30, cause: 'gate' }],
  [
    settlement('dead'),
    LEASED,
    { ...ENDED, state: 'dead', finishedAtMs: NOW, fingerprint: 'fp1:x' },
  ],
  [settlement('cancelled'), LEASED, { ...ENDED, state: 'cancelled', finishedAtMs: NOW }],
  [{ kind: 'promote' }, { state: 'scheduled' }, { state: 'ready', dueAtMs: undefined }],
  [
    { kind: 'unpark', byHand: false },
    { state: 'parked' },
    { state: 'ready', revision: 5, dueAtMs: undefined, cause: undefined },
  ],
  [
    { kind: 'run_now' },
    { state: 'scheduled' },
    { state: 'ready', revision: 5, dueAtMs: undefined },
  ],
  [
    { kind: 'replace', dueAtMs: NOW + 40, deadlineMs: 3_000 },
    { state: 'parked' },
    { state: 'scheduled', revision: 5, dueAtMs: NOW + 40, deadlineMs: 3_000, cause: undefined },
  ],
  [
    { kind: 'replace', dueAtMs: NOW },
    { state: 'scheduled' },
    { state: 'ready', revision: 5, dueAtMs: undefined, deadlineMs: undefined, cause: undefined },
  ],
  [
    { kind: 'cancel' },
    { state: 'parked' },
    {
      state: 'cancelled',
      revision: 5,
      reason: 'cancelled',
      finishedAtMs: NOW,
      dueAtMs: undefined,
      cause: undefined,
    },
  ],
  [{ kind: 'cancel' }, LEASED, { revision: 5, cancelRequested: true }],
  [
    { kind: 'expire' },
    { state: 'scheduled', ...LATE },
    {
      state: 'dead',
      revision: 5,
      reason: 'ttl_exceeded',
      finishedAtMs: NOW,
      dueAtMs: undefined,
      cause: undefined,
      fingerprint: EXPIRED_GROUP.fingerprint,
    },
  ],
  [
    { kind: 'requeue', deadlineMs: 3_000 },
    { state: 'dead', cancelRequested: true },
    {
      ...FRESH,
      state: 'ready',
      deadlineMs: 3_000,
      errorClass: undefined,
      reason: undefined,
      finishedAtMs: undefined,
      fingerprint: undefined,
      cancelRequested: false,
    },
  ],
  [{ kind: 'reset' }, { state: 'parked' }, FRESH],
  [
    { kind: 'purge' },
    { state: 'cancelled' },
    { state: 'purged', revision: 5, purgedFrom: 'cancelled', purgedAtMs: NOW },
  ],
  [
    { kind: 'restore' },
    { state: 'purged' },
    { state: 'dead', revision: 5, purgedFrom: undefined, purgedAtMs: undefined },
  ],
  [
    { kind: 'regroup', fingerprint: 'fp-2' },
    { state: 'dead' },
    { revision: 5, fingerprint: 'fp-2' },
  ],
];

describe('the rules for the fields of a life', () => {
  it.each(CHANGES)('%o changes these fields and no others', (event, before, changes) => {
    const life = { ...FULL, ...before };
    const answer = transition(life, event, NOW);
    expect(answer).toStrictEqual({
      ok: true,
      recorded: event.kind !== 'promote' && event.kind !== 'extend',
      life: { ...life, ...changes },
    });
  });

  it('a new life has these fields', () => {
    const job = {} as EnqueueCommand['job'];
    const actor = { name: 'test' };
    const command = {
      kind: 'enqueue',
      actor,
      job,
      onConflict: 'refuse',
      account: SETTLED,
    } as const;
    const life = {
      state: 'ready',
      revision: 1,
      token: 0,
      account: SETTLED,
      generationAtMs: NOW,
      deadlineMs: undefined,
      dueAtMs: undefined,
      cancelRequested: false,
      retryCount: 1,
      errorClass: undefined,
      attempts: NO_ATTEMPTS,
    };
    expect(newLife(command, NOW)).toStrictEqual(life);
    const due = { atMs: NOW + 1 };
    const deadline = { inMs: 50 };
    const more = { due, deadline, errorClass: 'retryable', attempts: LOG } as const;
    expect(newLife({ ...command, ...more }, NOW)).toStrictEqual({
      ...life,
      state: 'scheduled',
      dueAtMs: NOW + 1,
      deadlineMs: NOW + 50,
      errorClass: 'retryable',
      attempts: LOG,
    });
  });
});

describe('the states before and after', () => {
  it('every transition comes from these states and leads to those', () => {
    const rows = Object.entries(TRANSITIONS).map(([name, row]) => [
      name,
      `${'from' in row ? row.from.join(' ') : '-'} > ${row.to === 'same' ? 'same' : row.to.join(' ')}${row.recorded ? '' : ', no record'}`,
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      enqueue: '- > scheduled ready',
      enqueue_dead: '- > dead',
      replace: 'scheduled ready parked > scheduled ready',
      promote: 'scheduled > ready, no record',
      claim: 'ready > leased',
      extend: 'leased > same, no record',
      settle: 'leased > succeeded scheduled ready parked dead cancelled',
      unpark: 'parked > ready',
      run_now: 'scheduled > ready',
      cancel: 'scheduled ready parked > cancelled',
      request_cancel: 'leased > same',
      expire: 'scheduled ready parked > dead',
      requeue: 'dead cancelled > ready',
      reset: 'scheduled ready parked dead cancelled > same',
      purge: 'succeeded dead cancelled > purged',
      restore: 'purged > succeeded dead cancelled',
      regroup: 'dead > same',
      prune: 'succeeded dead cancelled purged > purged',
    });
  });
});
