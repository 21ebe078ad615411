import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { type BackoffShape, nominalDelayMs } from './delay.ts';

const shape: BackoffShape = {
  backoff: 'exponential',
  baseDelayMs: 1_000,
  maxDelayMs: 30_000,
  multiplier: 2,
  immediateFirstRetry: false,
};

const waits = (fields: Partial<BackoffShape>, count = 7) =>
  Array.from({ length: count }, (_, n) => nominalDelayMs({ ...shape, ...fields }, n + 1));

const attempts = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1_000_000 }));
const durations = fc.oneof(
  fc.nat(120_000),
  fc.double({ min: 0, max: MAX_DURATION_MS, noNaN: true }),
  fc.constantFrom(0, MAX_DURATION_MS),
);
/** All that a valid policy can ask for. */
const shapes: fc.Arbitrary<BackoffShape> = fc
  .record({
    backoff: fc.constantFrom('exponential', 'linear', 'fixed', 'immediate'),
    baseDelayMs: durations,
    maxDelayMs: durations,
    multiplier: fc.oneof(fc.double({ min: 1, max: 10, noNaN: true }), fc.constantFrom(1, 2, 1e6)),
    immediateFirstRetry: fc.boolean(),
  })
  .map((any) => ({ ...any, maxDelayMs: Math.max(any.maxDelayMs, any.baseDelayMs) }));
const runs = { numRuns: 10_000 };

describe('nominalDelayMs', () => {
  it.each<[string, Partial<BackoffShape>, number[]]>([
    ['exponential', {}, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
    ['exponential by 3', { multiplier: 3 }, [1_000, 3_000, 9_000, 27_000, 30_000, 30_000, 30_000]],
    ['exponential by 1', { multiplier: 1 }, Array(7).fill(1_000)],
    ['linear', { backoff: 'linear' }, [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000]],
    [
      'linear, capped',
      { backoff: 'linear', maxDelayMs: 2_500 },
      [1_000, 2_000, ...Array(5).fill(2_500)],
    ],
    ['fixed', { backoff: 'fixed' }, Array(7).fill(1_000)],
    ['immediate', { backoff: 'immediate' }, Array(7).fill(0)],
    [
      'schedule',
      { backoff: 'schedule', delaysMs: [3, 1, 2], baseDelayMs: 0 },
      [3, 1, 2, 2, 2, 2, 2],
    ],
    ['base 0', { baseDelayMs: 0 }, Array(7).fill(0)],
    ['base 0, linear', { baseDelayMs: 0, backoff: 'linear' }, Array(7).fill(0)],
    ['cap = base', { maxDelayMs: 1_000 }, Array(7).fill(1_000)],
  ])('%s', (_, fields, expected) => {
    expect(waits(fields)).toEqual(expected);
  });

  it('replaces only the first wait when the first retry is immediate', () => {
    const exponential = { immediateFirstRetry: true };
    expect(waits(exponential, 4)).toEqual([0, 2_000, 4_000, 8_000]);
    expect(waits({ ...exponential, backoff: 'linear' }, 4)).toEqual([0, 2_000, 3_000, 4_000]);
    expect(waits({ ...exponential, backoff: 'fixed' }, 4)).toEqual([0, 1_000, 1_000, 1_000]);
    const schedule = { ...exponential, backoff: 'schedule', delaysMs: [3, 1, 2] } as const;
    expect(waits(schedule, 4)).toEqual([0, 1, 2, 2]);
  });

  it('is 0 in a schedule without a list, which no policy can have', () => {
    expect(waits({ backoff: 'schedule' }, 2)).toEqual([0, 0]);
  });

  it('shifts nothing when the first retry is immediate', () => {
    fc.assert(
      fc.property(shapes, attempts, (any, attempt) => {
        const immediate = { ...any, immediateFirstRetry: true };
        const plain = { ...any, immediateFirstRetry: false };
        if (nominalDelayMs(immediate, 1) !== 0) expect.fail('not at once');
        const delayMs = nominalDelayMs(immediate, attempt + 1);
        if (delayMs !== nominalDelayMs(plain, attempt + 1)) expect.fail(`shifted to ${delayMs}`);
      }),
      runs,
    );
  });

  it('is from 0 to the cap and never falls, up to attempt 1,000,000, for any valid policy', () => {
    fc.assert(
      fc.property(shapes, attempts, (any, attempt) => {
        const delayMs = nominalDelayMs(any, attempt);
        const nextMs = nominalDelayMs(any, attempt + 1);
        if (!(delayMs >= 0 && delayMs <= nextMs && nextMs <= any.maxDelayMs)) {
          expect.fail(`${delayMs} then ${nextMs}`);
        }
      }),
      runs,
    );
  });

  it('stays a number where the power overflows', () => {
    for (const multiplier of [1.000001, 1.5, 2, 1_000_000]) {
      expect(nominalDelayMs({ ...shape, multiplier }, 1_000_000_000)).toBe(30_000);
      expect(nominalDelayMs({ ...shape, multiplier, baseDelayMs: 0 }, 1_000_000_000)).toBe(0);
    }
    expect(nominalDelayMs({ ...shape, multiplier: 1 }, 1_000_000_000)).toBe(1_000);
  });

  it('is the power that exact arithmetic gives, but for rounding', () => {
    // A multiplier in thousandths and a base in whole ms: the exact value is a fraction of whole numbers.
    const thousandths = fc.integer({ min: 1_000, max: 4_000 });
    fc.assert(
      fc.property(thousandths, fc.integer({ min: 1, max: 40 }), (m, attempt) => {
        const exponent = BigInt(attempt - 1);
        const uncapped = { ...shape, multiplier: m / 1_000, maxDelayMs: Number.MAX_VALUE };
        const exact = Number((1_000n * 1_000_000n * BigInt(m) ** exponent) / 1_000n ** exponent);
        const delayMs = nominalDelayMs(uncapped, attempt);
        if (Math.abs(delayMs * 1e6 - exact) > 1 + exact * 1e-13) expect.fail(`not ${exact / 1e6}`);
      }),
      runs,
    );
  });

  // Engines may round `**` differently; products they must round alike. These are the products, to the last bit.
  it.each<[number, Record<number, number>]>([
    [1.1, { 3: 1210.0000000000002, 11: 2593.742460100002, 31: 17449.402268886446 }],
    [1.5, { 3: 2250, 11: 57665.0390625, 31: 191751059.23288408, 101: 4.065611775352153e20 }],
    [1.618, { 3: 2617.9240000000004, 8: 29030.1727991961, 31: 1859325897.1073017 }],
    [Math.PI, { 3: 9869.604401089358, 8: 3020293.2277767914, 64: 2.0914234813555212e34 }],
    [3, { 3: 9_000, 16: 14348907000, 31: 2.05891132094649e17, 101: 5.153775207320114e50 }],
  ])('gives the same doubles on every engine: multiplier %d', (multiplier, golden) => {
    const endless = { ...shape, multiplier, maxDelayMs: Number.MAX_VALUE };
    const delays = Object.keys(golden).map((n) => [n, nominalDelayMs(endless, Number(n))]);
    expect(Object.fromEntries(delays)).toEqual(golden);
  });
});
