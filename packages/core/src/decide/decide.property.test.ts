import { isDeepStrictEqual } from 'node:util';
import { seededRandom } from '@redrive/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { decide } from './decide.ts';
import type { AttemptOutcome, DecisionInput, DecisionPolicy } from './decision.ts';

const milliseconds = fc.oneof(
  fc.nat(120_000),
  fc.double({ min: 0, max: MAX_DURATION_MS, noNaN: true }),
);
const limits = fc.oneof(milliseconds, fc.constant(Infinity));
const share = fc.double({ min: 0, max: 1 - 2 ** -53, noNaN: true });

const policies: fc.Arbitrary<DecisionPolicy> = fc
  .record({
    enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    backoff: fc.constantFrom('exponential', 'linear', 'fixed', 'immediate'),
    baseDelayMs: milliseconds,
    maxDelayMs: milliseconds,
    multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
    immediateFirstRetry: fc.boolean(),
    jitter: fc.constantFrom('none', 'full', 'equal', 'decorrelated', 'proportional'),
    jitterAmount: share,
    maxFreeWaits: fc.nat(100),
    maxFreeWaitMs: milliseconds,
  })
  .map((any) => ({ ...any, maxDelayMs: Math.max(any.maxDelayMs, any.baseDelayMs) }));

const causes = fc.constantFrom('breaker_open', 'budget_exhausted', 'gate_closed', 'kill_switch');
const failures = fc.record(
  {
    kind: fc.constant('failure'),
    errorClass: fc.constantFrom('retryable', 'rate_limited', 'final', 'ignored'),
    effect: fc.constantFrom('none', 'unknown', 'applied'),
    retryAfterMs: fc.oneof(limits, fc.constant(undefined)),
    innerGaveUp: fc.boolean(),
    blockedBy: fc.record({
      cause: fc.constantFrom('breaker_open', 'budget_exhausted', 'kill_switch'),
      retryAfterMs: milliseconds.map(Math.ceil),
    }),
  },
  { requiredKeys: ['kind', 'errorClass', 'effect'] },
);
const outcomes: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  { weight: 8, arbitrary: failures },
  fc.record({ kind: fc.constant('blocked'), cause: causes, retryAfterMs: milliseconds }),
  fc.constant({ kind: 'success' } as const),
  fc.constant({ kind: 'interrupted' } as const),
  fc.constant({ kind: 'unstarted' } as const),
  fc.record({
    kind: fc.constant('lease_lost'),
    times: fc.integer({ min: 1, max: 4 }),
    alone: fc.boolean(),
  }),
);

const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  policy: policies,
  account: fc.record({
    charged: fc.integer({ min: 1, max: 20 }),
    freeWaits: fc.nat(100),
    freeWaitMs: milliseconds,
    lastDelayMs: milliseconds,
  }),
  outcome: outcomes,
  rung: fc.constantFrom('call', 'event', 'job', 'document'),
  horizonMs: limits,
  canHandOver: fc.boolean(),
  timeLeftMs: limits,
  allowance: fc.oneof(fc.nat(5), fc.constant(Infinity)),
  budgetAllows: fc.boolean(),
  breakerOpenMs: fc.oneof(fc.constant(0), milliseconds),
  probe: fc.constantFrom(undefined, true),
  unchargedForMs: fc.oneof(fc.constant(undefined), milliseconds),
  onUnknown: fc.constantFrom('retry', 'ask'),
  random: share,
});
const runs = { numRuns: 10_000 };

describe('decide', () => {
  it('is pure: equal input, equal answer, and the input stays as it is', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const copy = structuredClone(input);
        // A write to a frozen object throws.
        const answer = decide(deepFreeze(input));
        expect(decide(copy)).toStrictEqual(answer);
        expect(decide(input)).toStrictEqual(answer);
        if (!isDeepStrictEqual(copy, structuredClone(input))) expect.fail('the input has changed');
      }),
      runs,
    );
  });

  it('answers what was stored as JSON alike, once each null is Infinity again', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const stored = JSON.stringify(input);
        const read = JSON.parse(stored, (_, value) => (value === null ? Infinity : value));
        expect(decide(read)).toStrictEqual(decide(input));
      }),
      runs,
    );
  });

  it('waits whole milliseconds, and retries only before the deadline and within the horizon', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { action, delayMs, reason } = decide(input);
        if (delayMs === undefined || reason === 'interrupted') return;
        const own = input.outcome.kind === 'failure' || input.outcome.kind === 'lease_lost';
        if (own && reason !== 'breaker_open') {
          expect(Number.isSafeInteger(delayMs) && delayMs >= 0).toBe(true);
        }
        if (action === 'retry') {
          // Lost leases and inner kill switches are those of stored items, which go on where they are: no horizon.
          if (reason !== 'lease_lost' && reason !== 'kill_switch')
            expect(delayMs).toBeLessThanOrEqual(input.horizonMs);
          expect(delayMs).toBeLessThan(input.timeLeftMs);
        }
      }),
      runs,
    );
  });

  it('never answers a hint early, in a million cases', () => {
    const samples = fc
      .sample(policies, { numRuns: 1_000, seed: 1 })
      .map((policy) => ({ ...policy, enabled: true }));
    const random = seededRandom(1);
    // From a microsecond to 31 years: all sizes are equally likely.
    const someMs = () => 10 ** (random() * 15 - 3);
    const limit = () => (random() < 0.5 ? Infinity : someMs());
    const tally: Record<string, number> = { early: 0, late: 0 };
    const count = (what: string) => {
      tally[what] = (tally[what] ?? 0) + 1;
    };
    for (let n = 0; n < 1_000_000; n++) {
      const retryAfterMs = someMs();
      const errorClass = n % 2 === 0 ? 'retryable' : 'rate_limited';
      const sample = samples[n % samples.length] as DecisionPolicy; // Never beyond the end.
      const { action, delayMs = -1 } = decide({
        policy: sample,
        account: { charged: 1 + (n % 5), freeWaits: 0, freeWaitMs: 0, lastDelayMs: someMs() },
        outcome: { kind: 'failure', errorClass, effect: 'none', retryAfterMs },
        rung: random() < 0.5 ? 'call' : 'job',
        horizonMs: limit(),
        canHandOver: random() < 0.5,
        timeLeftMs: limit(),
        allowance: 1,
        budgetAllows: random() < 0.9,
        breakerOpenMs: random() < 0.9 ? 0 : someMs(),
        onUnknown: 'ask',
        random: random(),
      });
      count(action);
      // Not even the time that comes with giving up is earlier.
      const floorMs = Math.min(retryAfterMs, MAX_DURATION_MS);
      if (delayMs < floorMs) count('early');
      // At most a tenth later, unless the back-off itself, jitter included, is longer.
      const mostMs = Math.max(Math.ceil(floorMs * 1.1), Math.ceil(sample.maxDelayMs * 2));
      if (action === 'retry' && delayMs > mostMs) count('late');
    }
    expect(tally).toMatchObject({ early: 0, late: 0 });
    expect(tally.retry).toBeGreaterThan(100_000);
    expect(tally['hand-over']).toBeGreaterThan(50_000);
  });
});

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}
