import { describe, expect, it } from 'vitest';
import type { AccountView } from './account.ts';
import { decide } from './decide.ts';
import { decideCall } from './decide-call.ts';
import type {
  AttemptEntry,
  AttemptOutcome,
  Decision,
  DecisionInput,
  DecisionPolicy,
} from './decision.ts';

// Every combination of everything that can tip a decision, against a second opinion: a list of rules in the order of
// their strength, of which the first that applies decides.

const BACKOFF_MS = 1_000;
const SPREAD_MS = 1_000;
const RANDOM = 0.5;
const policy: DecisionPolicy = {
  enabled: true,
  maxAttempts: 3,
  backoff: 'fixed',
  baseDelayMs: BACKOFF_MS,
  maxDelayMs: BACKOFF_MS,
  multiplier: 2,
  immediateFirstRetry: false,
  jitter: 'none',
  jitterAmount: 1,
  maxFreeWaits: 100,
  maxFreeWaitMs: 86_400_000,
};
const account: AccountView = { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 };

const causes = ['breaker_open', 'budget_exhausted', 'gate_closed', 'kill_switch'] as const;
const effects = ['none', 'unknown', 'applied'] as const;
const outcomes: AttemptOutcome[] = [
  { kind: 'success' },
  { kind: 'interrupted' },
  { kind: 'unstarted' },
  ...[1, 2].flatMap((times) => [
    { kind: 'lease_lost', times, alone: true } as const,
    { kind: 'lease_lost', times, alone: false } as const,
  ]),
  ...causes.map((cause) => ({ kind: 'blocked', cause, retryAfterMs: 5_000 }) as const),
  ...effects.flatMap((effect) => [
    { kind: 'failure', errorClass: 'ignored', effect } as const,
    { kind: 'failure', errorClass: 'final', effect } as const,
    { kind: 'failure', errorClass: 'final', effect, innerGaveUp: true } as const,
    ...(['breaker_open', 'budget_exhausted', 'kill_switch'] as const).flatMap((cause) =>
      [500, 5_000].map(
        (retryAfterMs) =>
          ({
            kind: 'failure',
            errorClass: 'retryable',
            effect,
            blockedBy: { cause, retryAfterMs },
          }) as const,
      ),
    ),
    // Without a hint, with one that is shorter than the back-off, one that is longer, and one that is very long.
    ...[undefined, 500, 2_000, 60_000].flatMap((retryAfterMs) => [
      { kind: 'failure', errorClass: 'retryable', effect, retryAfterMs } as const,
      { kind: 'failure', errorClass: 'rate_limited', effect, retryAfterMs } as const,
    ]),
  ]),
];

/** Limits stand at, just above and well away from the waits of 500, 1,000 and 2,100 ms that come out of the above. */
const dimensions: { readonly [Field in keyof DecisionInput]: readonly DecisionInput[Field][] } = {
  policy: [policy, { ...policy, enabled: false }],
  account: [1, 3].flatMap((charged) => [
    { ...account, charged },
    { ...account, charged, freeWaits: 100 },
    { ...account, charged, freeWaitMs: 86_400_000 - 2_100 },
  ]),
  outcome: outcomes,
  rung: ['call', 'event', 'job', 'document'],
  horizonMs: [Infinity, 2_100, 999],
  canHandOver: [true, false],
  timeLeftMs: [Infinity, 2_101, 2_100, 1_000, 500, 0],
  allowance: [Infinity, 0],
  budgetAllows: [true, false],
  breakerOpenMs: [0, 1_000, 30_000],
  probe: [undefined, true],
  unchargedForMs: [undefined, 86_400_000],
  onUnknown: ['retry', 'ask'],
  random: [RANDOM],
};

type Failure = AttemptOutcome & { kind: 'failure' };

interface Rule {
  readonly because: string;
  readonly when: (input: DecisionInput, failure: Failure) => boolean;
  readonly action: Decision['action'];
  readonly reason: Decision['reason'];
  readonly delayMs?: (input: DecisionInput, failure: Failure) => number;
  /** Default: `rate_limited` where the wait is free (of a probe `blocked`), else `failed`. */
  readonly entry?: AttemptEntry;
  /** A token of the budget, too. */
  readonly takesToken?: (input: DecisionInput, failure: Failure) => boolean;
}

const lostLeaseWhen =
  (alone: boolean, applies: (input: DecisionInput, times: number) => boolean) =>
  (input: DecisionInput) =>
    input.outcome.kind === 'lease_lost' &&
    input.outcome.alone === alone &&
    applies(input, input.outcome.times);
/** The first time costs no wait. From then on it is the back-off, for one of several a part of a second. */
const lostLeaseWaitMs = ({ outcome }: DecisionInput) => {
  if (outcome.kind !== 'lease_lost' || outcome.times === 1) return 0;
  return outcome.alone ? BACKOFF_MS : SPREAD_MS * RANDOM;
};

const hintedMs = ({ retryAfterMs = 0 }: Failure) => retryAfterMs + retryAfterMs * 0.1 * RANDOM;
/** A free wait is the hint alone; every other one is the back-off, and not less than the hint. */
const waitMs = (input: DecisionInput, failure: Failure) =>
  isFree(input, failure) ? hintedMs(failure) : Math.max(BACKOFF_MS, hintedMs(failure));
const openMs = ({ breakerOpenMs }: DecisionInput) => breakerOpenMs;
const isFree = (input: DecisionInput, failure: Failure) =>
  input.rung !== 'call' &&
  failure.errorClass === 'rate_limited' &&
  failure.retryAfterMs !== undefined &&
  (isFreeProbe(input) ||
    (input.account.freeWaits + 1 <= 100 &&
      input.account.freeWaitMs + hintedMs(failure) <= 86_400_000));
const isFreeProbe = (input: DecisionInput) =>
  input.probe === true && input.unchargedForMs === undefined;
/** A block inside, or a probe that found the dependency away, costs a stored item nothing for a day. */
const waitsFree = (input: DecisionInput, { blockedBy }: Failure) =>
  input.rung !== 'call' &&
  input.unchargedForMs === undefined &&
  (blockedBy !== undefined || (input.probe === true && input.breakerOpenMs > 0));
const blockedMs = ({ blockedBy }: Failure) => Math.max(BACKOFF_MS, blockedBy?.retryAfterMs ?? 0);
const isBlocked = (cause: string) => (input: DecisionInput) =>
  input.outcome.kind === 'blocked' && input.outcome.cause === cause && input.rung === 'call';
const isStoredAndBlocked = (cause: string) => (input: DecisionInput) =>
  input.outcome.kind === 'blocked' && input.outcome.cause === cause && input.rung !== 'call';
const isTooLong = (input: DecisionInput, failure: Failure) =>
  waitMs(input, failure) > input.horizonMs;
/** A probe that was charged waits for itself. */
const outlasts = (input: DecisionInput, failure: Failure) =>
  input.breakerOpenMs > waitMs(input, failure) && input.probe !== true;

const rules: Rule[] = [
  {
    because: 'it worked',
    when: ({ outcome }) => outcome.kind === 'success',
    action: 'succeed',
    reason: 'succeeded',
    delayMs: () => 0,
    entry: 'succeeded',
  },
  {
    because: 'a stop of the worker is not the operation’s fault',
    when: ({ outcome }) => outcome.kind === 'interrupted',
    action: 'retry',
    reason: 'interrupted',
    delayMs: () => 0,
    entry: 'interrupted',
  },
  ...causes.map(
    (reason): Rule => ({
      because: `a call that ${reason} keeps from running ends`,
      when: isBlocked(reason),
      action: 'give-up',
      reason,
      delayMs: () => 5_000,
      entry: 'blocked',
    }),
  ),
  ...causes.map(
    (reason): Rule => ({
      because: `a stored item that ${reason} keeps from running waits under it`,
      when: isStoredAndBlocked(reason),
      action: 'park',
      reason,
      delayMs: () => 5_000,
      entry: 'blocked',
    }),
  ),
  {
    because: 'it was claimed when its time was up',
    when: ({ outcome, timeLeftMs }) => outcome.kind === 'unstarted' && timeLeftMs === 0,
    action: 'give-up',
    reason: 'ttl_exceeded',
    entry: 'blocked',
  },
  {
    because: 'it was claimed once more than the newest policy allows',
    when: ({ outcome }) => outcome.kind === 'unstarted',
    action: 'give-up',
    reason: 'max_attempts_exceeded',
    entry: 'blocked',
  },
  ...[true, false].flatMap((alone): Rule[] => {
    const entry = alone ? 'lease_lost' : 'process_lost';
    const held = alone ? 'alone' : 'among others';
    return [
      ...(alone
        ? [
            {
              because: 'its holder had nothing else and went silent, and the policy is disabled',
              when: lostLeaseWhen(alone, (input) => !input.policy.enabled),
              action: 'give-up',
              reason: 'policy_disabled',
              entry,
            } as const,
          ]
        : []),
      {
        because: `its holder had it ${held} and went silent, and a person must find out what it did`,
        when: lostLeaseWhen(alone, (input) => input.onUnknown === 'ask'),
        action: 'give-up',
        reason: 'effect_unknown',
        entry,
      },
      {
        because: `its holder had it ${held} and went silent until the deadline had passed`,
        when: lostLeaseWhen(alone, (input) => input.timeLeftMs === 0),
        action: 'give-up',
        reason: 'ttl_exceeded',
        entry,
      },
      ...(alone
        ? [
            {
              because: 'its holder had nothing else and went silent in the last attempt',
              when: lostLeaseWhen(alone, (input) => input.account.charged === 3),
              action: 'give-up',
              reason: 'max_attempts_exceeded',
              delayMs: lostLeaseWaitMs,
              entry,
            } as const,
          ]
        : []),
      {
        because: `its holder had it ${held} and went silent, and the deadline comes before the wait ends`,
        when: lostLeaseWhen(alone, (input) => input.timeLeftMs <= lostLeaseWaitMs(input)),
        action: 'give-up',
        reason: 'ttl_exceeded',
        delayMs: lostLeaseWaitMs,
        entry,
      },
      {
        because: `its holder had it ${held} and went silent: it goes on`,
        when: lostLeaseWhen(alone, () => true),
        action: 'retry',
        reason: 'lease_lost',
        delayMs: lostLeaseWaitMs,
        entry,
      },
    ];
  }),
  {
    because: 'the caller wanted no more',
    when: (_, { errorClass }) => errorClass === 'ignored',
    action: 'give-up',
    reason: 'cancelled',
    entry: 'cancelled',
  },
  {
    because: 'an inner session has tried enough',
    when: (_, { errorClass, innerGaveUp }) => errorClass === 'final' && innerGaveUp === true,
    action: 'give-up',
    reason: 'inner_gave_up',
  },
  {
    because: 'trying again cannot help',
    when: (_, { errorClass }) => errorClass === 'final',
    action: 'give-up',
    reason: 'final_error',
  },
  {
    because: 'somebody switched retries off',
    when: (input, failure) => !input.policy.enabled && !waitsFree(input, failure),
    action: 'give-up',
    reason: 'policy_disabled',
    entry: 'failed',
  },
  {
    because: 'a person must find out whether it happened',
    when: (input, { effect }) => input.onUnknown === 'ask' && effect === 'unknown',
    action: 'give-up',
    reason: 'effect_unknown',
    entry: 'failed',
  },
  {
    because: 'it happened, and must not happen twice',
    when: (input, { effect }) => input.onUnknown === 'ask' && effect === 'applied',
    action: 'give-up',
    reason: 'effect_applied',
    entry: 'failed',
  },
  {
    because: 'the deadline has passed',
    when: (input) => input.timeLeftMs === 0,
    action: 'give-up',
    reason: 'ttl_exceeded',
    entry: 'failed',
  },
  {
    because: 'a kill switch stopped an inner session until the deadline',
    when: (input, failure) =>
      failure.blockedBy?.cause === 'kill_switch' &&
      waitsFree(input, failure) &&
      blockedMs(failure) >= input.timeLeftMs,
    action: 'give-up',
    reason: 'ttl_exceeded',
    delayMs: (_, failure) => blockedMs(failure),
    entry: 'blocked',
  },
  {
    because: 'a kill switch stopped an inner session',
    when: (input, failure) =>
      failure.blockedBy?.cause === 'kill_switch' && waitsFree(input, failure),
    action: 'retry',
    reason: 'kill_switch',
    delayMs: (_, failure) => blockedMs(failure),
    entry: 'blocked',
  },
  ...(['breaker_open', 'budget_exhausted'] as const).map(
    (cause): Rule => ({
      because: `an inner session ended with ${cause}`,
      when: (input, failure) => failure.blockedBy?.cause === cause && waitsFree(input, failure),
      action: 'park',
      reason: cause,
      delayMs: (_, failure) => blockedMs(failure),
      entry: 'blocked',
    }),
  ),
  {
    because: 'it tried for all that wait for the dependency',
    when: waitsFree,
    action: 'park',
    reason: 'breaker_open',
    delayMs: openMs,
    entry: 'blocked',
  },
  {
    because: 'all attempts are used up, and this wait is not free',
    when: (input, failure) => input.account.charged === 3 && !isFree(input, failure),
    action: 'give-up',
    reason: 'max_attempts_exceeded',
    delayMs: waitMs,
  },
  {
    because: 'the sessions around it have used up what they share',
    when: (input) => input.allowance === 0,
    action: 'give-up',
    reason: 'allowance_exhausted',
    delayMs: waitMs,
  },
  {
    because: 'the next attempt would start when the time is up',
    when: (input, failure) => input.timeLeftMs <= waitMs(input, failure),
    action: 'give-up',
    reason: 'ttl_exceeded',
    delayMs: waitMs,
  },
  {
    because: 'the next rung can wait that long',
    when: (input, failure) => isTooLong(input, failure) && input.canHandOver,
    action: 'hand-over',
    reason: 'beyond_horizon',
    delayMs: waitMs,
  },
  {
    because: 'nobody can wait that long',
    when: isTooLong,
    action: 'give-up',
    reason: 'beyond_horizon',
    delayMs: waitMs,
  },
  {
    because: 'the breaker would refuse the next attempt of a call',
    when: (input, failure) => outlasts(input, failure) && input.rung === 'call',
    action: 'give-up',
    reason: 'breaker_open',
    delayMs: openMs,
  },
  {
    because: 'the breaker would refuse the next attempt of a stored item',
    when: outlasts,
    action: 'park',
    reason: 'breaker_open',
    delayMs: openMs,
  },
  {
    because: 'the dependency’s budget is empty, for a call',
    when: (input) => !input.budgetAllows && input.rung === 'call',
    action: 'give-up',
    reason: 'budget_exhausted',
    delayMs: waitMs,
  },
  {
    because: 'the dependency’s budget is empty, for a stored item',
    when: (input) => !input.budgetAllows,
    action: 'park',
    reason: 'budget_exhausted',
    delayMs: waitMs,
  },
  {
    because: 'the other side asked for less',
    when: (_, { errorClass }) => errorClass === 'rate_limited',
    action: 'retry',
    reason: 'rate_limited',
    delayMs: waitMs,
    takesToken: (input, failure) => !isFree(input, failure),
  },
  {
    because: 'it may work the next time',
    when: () => true,
    action: 'retry',
    reason: 'retryable_error',
    delayMs: waitMs,
    takesToken: () => true,
  },
];

describe('decide', () => {
  it('answers every combination as the list of rules does, and as version 1 where no rule has changed', () => {
    const used = new Map(rules.map(({ because }) => [because, 0]));
    const total = forEachInput((input) => {
      // Only rules about failures look at it, and the rules about the rest come first.
      const failure = input.outcome as Failure;
      const rule = rules.find(({ when }) => when(input, failure));
      if (rule === undefined) expect.fail('no rule');
      used.set(rule.because, (used.get(rule.because) ?? 0) + 1);
      const answer = decide(input);
      const freeEntry = isFreeProbe(input) ? 'blocked' : 'rate_limited';
      const entry = rule.entry ?? (isFree(input, failure) ? freeEntry : 'failed');
      if (
        answer.action !== rule.action ||
        answer.reason !== rule.reason ||
        answer.delayMs !== rule.delayMs?.(input, failure) ||
        answer.charge.entry !== entry ||
        answer.charge.budget !== (rule.takesToken?.(input, failure) ?? false)
      ) {
        expect.fail(JSON.stringify({ because: rule.because, entry, input, answer }, null, 2));
      }
      if (isOfCall(input) && !isSameAnswer(decideCall(input), answer)) {
        expect.fail(JSON.stringify({ input, answer, ofCall: decideCall(input) }, null, 2));
      }
    });
    expect(total).toBeGreaterThan(1_000_000);
    expect([...used].filter(([, count]) => count === 0)).toEqual([]);
  });
});

/** What `retry` asks, by the part of `decide` that it carries. */
function isOfCall(input: DecisionInput): input is Parameters<typeof decideCall>[0] {
  const { rung, outcome, probe } = input;
  const isAsked = outcome.kind === 'failure' || outcome.kind === 'blocked';
  return rung === 'call' && isAsked && probe === undefined;
}

function isSameAnswer(a: Decision, b: Decision): boolean {
  return (
    a.action === b.action &&
    a.reason === b.reason &&
    a.delayMs === b.delayMs &&
    a.charge.entry === b.charge.entry &&
    a.charge.budget === b.charge.budget
  );
}

/** Calls back with each combination of the dimensions, in one object that is filled anew. Answers how many there are. */
function forEachInput(visit: (input: DecisionInput) => void): number {
  const fields = Object.entries(dimensions);
  const input: Record<string, unknown> = {};
  let total = 0;
  const fill = (depth: number): void => {
    const field = fields[depth];
    if (field === undefined) {
      total++;
      visit(input as unknown as DecisionInput); // Every field is filled at this depth.
    } else {
      for (const value of valuesOf(field, input)) {
        input[field[0]] = value;
        fill(depth + 1);
      }
    }
  };
  fill(0);
  return total;
}

/**
 * Leaves out what cannot tip the decision, so that the rest stays quick. Free blocks are decided about before anybody asks
 * for the horizon: with the first of its values they are seen often enough. Items that were lost together wait for less
 * than the others.
 */
function valuesOf(
  [field, values]: readonly [string, readonly unknown[]],
  input: Readonly<Partial<DecisionInput>>,
): readonly unknown[] {
  const { horizonMs, outcome, probe } = input;
  const isBlockedInside = outcome?.kind === 'failure' && outcome.blockedBy !== undefined;
  switch (field) {
    case 'horizonMs':
    case 'canHandOver':
    case 'budgetAllows':
      // Once it is charged, it is a failure like any other.
      if (isBlockedInside) return values.slice(0, 1);
      return values;
    case 'timeLeftMs':
      return outcome?.kind === 'lease_lost' ? [...values, 700] : values;
    case 'probe':
      return horizonMs === Infinity ? values : [undefined];
    case 'unchargedForMs':
      return probe === true || isBlockedInside ? values : [undefined];
    default:
      return values;
  }
}
