import { virtualClock } from '@redrive/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorClass } from '../classify/classification.ts';
import { type RetryBudgetOptions, retryBudget } from './retry-budget.ts';

function setUp(options: RetryBudgetOptions = {}) {
  const clock = virtualClock({ monotonicMs: 4_000 });
  return { clock, budget: retryBudget({ clock, ...options }) };
}

/** A budget that only deposits fill. */
const STILL = { floorPerSecond: 0 };

function drain(budget: ReturnType<typeof retryBudget>): number {
  let taken = 0;
  for (; taken < 1_000 && budget.allows('retryable'); taken++) budget.take('retryable');
  return taken;
}

describe('tokens', () => {
  test('full at the start: 100 retries, then none', () => {
    const { budget } = setUp();
    expect(budget.full).toBe(true);
    expect(drain(budget)).toBe(100);
    expect(budget.allows('retryable')).toBe(false);
    expect(budget.full).toBe(false);
  });

  test('five successes pay for one retry', () => {
    const { budget } = setUp(STILL);
    drain(budget);
    for (let i = 0; i < 4; i++) budget.deposit();
    expect(budget.allows('retryable')).toBe(false);
    budget.deposit();
    expect(drain(budget)).toBe(1);
  });

  test('ten deposits of 0.1 are one token, although they are less in binary', () => {
    const { budget } = setUp({ ...STILL, ratio: 0.1 });
    drain(budget);
    for (let i = 0; i < 10; i++) budget.deposit();
    expect(drain(budget)).toBe(1);
    expect(budget.tokens).toBe(0);
  });

  test('ten come by themselves each second, up to the burst and no further', () => {
    const { budget, clock } = setUp();
    drain(budget);
    clock.tick(99);
    expect(budget.allows('retryable')).toBe(false);
    clock.tick(1);
    expect(drain(budget)).toBe(1);
    clock.tick(5_000);
    expect(drain(budget)).toBe(50);
    clock.tick(3_600_000);
    expect(drain(budget)).toBe(100);
  });

  test('a deposit does not pass the burst', () => {
    const { budget } = setUp();
    for (let i = 0; i < 1_000; i++) budget.deposit();
    expect(budget.tokens).toBe(100);
  });

  test('a retry after a rate limit costs 5/14', () => {
    const { budget } = setUp({ ...STILL, burst: 5 });
    for (let i = 0; i < 14; i++) {
      expect(budget.allows('rate_limited')).toBe(true);
      budget.take('rate_limited');
    }
    expect(budget.allows('rate_limited')).toBe(false);
  });

  test('what was taken for a retry that never ran comes back', () => {
    const { budget } = setUp({ ...STILL, burst: 1 });
    budget.take('retryable');
    expect(budget.allows('rate_limited')).toBe(false);
    budget.giveBack('retryable');
    expect(budget.allows('retryable')).toBe(true);
  });

  test('what is not there cannot be taken', () => {
    const { budget } = setUp({ ...STILL, burst: 0.5 });
    budget.take('retryable');
    expect(budget.tokens).toBe(0);
  });
});

test('a deposit reads no clock', () => {
  const { clock } = setUp();
  let reads = 0;
  const monotonic = () => ++reads;
  const budget = retryBudget({ clock: { ...clock, monotonic } });
  reads = 0;
  budget.deposit();
  expect(reads).toBe(0);
});

test('a wall clock that is set back changes nothing', () => {
  const { budget, clock } = setUp();
  drain(budget);
  clock.setWall(-3_600_000);
  clock.tick(1_000);
  expect(drain(budget)).toBe(10);
});

test('names every wrong option at once', () => {
  const wrong = { ratio: -1, floorPerSecond: Number.NaN, burst: Infinity, floor: 3 };
  expect(() => retryBudget(wrong)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(/floor is unknown.*ratio.*floorPerSecond.*burst/),
    }),
  );
});

test('needs no options and takes the machine’s clock', () => {
  expect(retryBudget().tokens).toBe(100);
});

describe('property', () => {
  type Step =
    | { readonly do: 'deposit' }
    | { readonly do: 'pass'; readonly ms: number }
    | { readonly do: 'retry' | 'retry and abort'; readonly after: ErrorClass };

  const after = fc.constantFrom<ErrorClass>('retryable', 'rate_limited');
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('deposit' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(800) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('retry' as const), after }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('retry and abort' as const), after }) },
  );
  const options = fc.record({
    ratio: fc.constantFrom(0, 0.1, 0.2, 1),
    floorPerSecond: fc.constantFrom(0, 1, 10),
    burst: fc.constantFrom(0, 0.5, 1, 3, 8),
  });

  /** What all of the steps from one on have paid, and what could have come in at most. */
  interface Window {
    paid: number;
    income: number;
  }

  test('never below 0 or above the burst; no window pays more than burst, floor and deposits', () => {
    const property = fc.property(options, fc.array(step, { maxLength: 60 }), (given, steps) => {
      const { budget, clock } = setUp(given);
      const windows: Window[] = [];
      for (const one of steps) {
        const window = { paid: 0, income: given.burst };
        windows.push(window);
        let paid = 0;
        let income = 0;
        if (one.do === 'deposit') {
          budget.deposit();
          income = given.ratio;
        } else if (one.do === 'pass') {
          clock.tick(one.ms);
          income = (given.floorPerSecond * one.ms) / 1000;
        } else {
          const cost = one.after === 'rate_limited' ? 5 / 14 : 1;
          const before = budget.tokens;
          expect(budget.allows(one.after)).toBe(before > cost - 1e-9);
          if (!budget.allows(one.after)) continue;
          budget.take(one.after);
          expect(budget.tokens).toBeCloseTo(before - cost, 6);
          if (one.do === 'retry') paid = cost;
          else {
            budget.giveBack(one.after);
            expect(budget.tokens).toBeCloseTo(before, 6);
          }
        }
        for (const each of windows) {
          each.paid += paid;
          each.income += income;
          expect(each.paid).toBeLessThan(each.income + 1e-6);
        }
        expect(budget.tokens).toBeGreaterThanOrEqual(0);
        expect(budget.tokens).toBeLessThanOrEqual(given.burst);
      }
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});
