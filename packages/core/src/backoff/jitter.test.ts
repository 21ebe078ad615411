import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { definePolicy } from '../policy/define-policy.ts';
import { sessionRandom } from '../random/session-random.ts';
import {
  type DelayRange,
  drawDelayMs,
  type Jitter,
  type JitterShape,
  jitterRange,
  nominalDelayMs,
} from './delay.ts';

const shape: JitterShape = {
  jitter: 'full',
  jitterAmount: 1,
  baseDelayMs: 1_000,
  maxDelayMs: 30_000,
};
const kinds: Jitter[] = ['none', 'full', 'equal', 'decorrelated', 'proportional'];

/** The largest number below 1: the upper end of what a uniform number can be. */
const ALMOST_1 = 1 - 2 ** -53;
const randoms = fc.oneof(
  fc.double({ min: 0, max: ALMOST_1, noNaN: true }),
  fc.constantFrom(0, ALMOST_1),
);
const delays = fc.oneof(
  fc.nat(120_000),
  fc.double({ min: 0, max: MAX_DURATION_MS, noNaN: true }),
  fc.constantFrom(0, MAX_DURATION_MS),
);
/** All that a valid policy can ask for, and a delay that is within its cap. */
const cases = fc
  .record({
    jitter: fc.constantFrom(...kinds),
    jitterAmount: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1)),
    baseDelayMs: delays,
    maxDelayMs: delays,
    nominalMs: delays,
    lastMs: delays,
    random: randoms,
  })
  .map((any) => {
    const maxDelayMs = Math.max(any.maxDelayMs, any.baseDelayMs);
    return { ...any, maxDelayMs, nominalMs: Math.min(any.nominalMs, maxDelayMs) };
  });
const runs = { numRuns: 10_000 };

describe('jitterRange', () => {
  it.each<[Jitter, number, DelayRange]>([
    ['none', 1, { minMs: 4_000, maxMs: 4_000 }],
    ['full', 1, { minMs: 0, maxMs: 4_000 }],
    ['full', 0.1, { minMs: 3_600, maxMs: 4_000 }],
    ['full', 0, { minMs: 4_000, maxMs: 4_000 }],
    ['equal', 1, { minMs: 2_000, maxMs: 4_000 }],
    ['equal', 0.1, { minMs: 3_800, maxMs: 4_000 }],
    ['equal', 0, { minMs: 4_000, maxMs: 4_000 }],
    ['proportional', 1, { minMs: 0, maxMs: 8_000 }],
    ['proportional', 0.1, { minMs: 3_600, maxMs: 4_400 }],
    ['proportional', 0, { minMs: 4_000, maxMs: 4_000 }],
    ['decorrelated', 1, { minMs: 1_000, maxMs: 6_000 }],
    ['decorrelated', 0, { minMs: 1_000, maxMs: 6_000 }],
  ])('%s, amount %d, of 4 s after 2 s', (jitter, jitterAmount, range) => {
    expect(jitterRange({ ...shape, jitter, jitterAmount }, 4_000, 2_000)).toEqual(range);
  });

  it.each<[string, number, DelayRange]>([
    ['starts from the base', 0, { minMs: 1_000, maxMs: 3_000 }],
    ['stays below the cap', 20_000, { minMs: 1_000, maxMs: 30_000 }],
    // A stored item takes the policy in force at each claim, which may have another base than the one before.
    ['never waits less than the base', 10, { minMs: 1_000, maxMs: 3_000 }],
  ])('decorrelated %s', (_, lastDelayMs, range) => {
    const decorrelated = { ...shape, jitter: 'decorrelated' } as const;
    expect(jitterRange(decorrelated, 4_000, lastDelayMs)).toEqual(range);
  });

  it('has nothing to spread where the schedule says at once', () => {
    for (const jitter of kinds) {
      expect(jitterRange({ ...shape, jitter }, 0, 5_000)).toEqual({ minMs: 0, maxMs: 0 });
    }
  });

  it('still spreads at the cap, because the cap comes first', () => {
    const policy = definePolicy({ maxDelayMs: 30_000 });
    const atTheCap = nominalDelayMs(policy, 50);
    const widths = {
      none: 0,
      full: 30_000,
      equal: 15_000,
      decorrelated: 29_000,
      proportional: 6_000,
    };
    for (const jitter of kinds) {
      const jitterAmount = jitter === 'proportional' ? 0.1 : 1;
      const range = jitterRange({ ...policy, jitter, jitterAmount }, atTheCap, atTheCap);
      const drawn = Array.from({ length: 5_000 }, (_, n) =>
        drawDelayMs(range, sessionRandom(`session ${n}`, 50)),
      );
      // The deviation of a uniform distribution is its width over the root of 12.
      expect(deviation(drawn) * Math.sqrt(12)).toBeCloseTo(widths[jitter], -3);
    }
  });
});

describe('drawDelayMs', () => {
  it('draws whole milliseconds', () => {
    const range = { minMs: 0.25, maxMs: 10 };
    expect([0, 0.5, ALMOST_1].map((random) => drawDelayMs(range, random))).toEqual([0, 5, 10]);
  });

  it('is whole, finite and within the documented bounds, for any valid policy', () => {
    fc.assert(
      fc.property(cases, ({ nominalMs, lastMs, random, ...any }) => {
        const delayMs = drawDelayMs(jitterRange(any, nominalMs, lastMs), random);
        const { minMs, maxMs } = documented(any, nominalMs, lastMs);
        // Rounding to a whole millisecond moves it by half of one at most.
        const isWithin = delayMs >= Math.floor(minMs) && delayMs <= Math.ceil(maxMs);
        if (!Number.isSafeInteger(delayMs) || !isWithin) {
          expect.fail(`${delayMs} is not a whole number from ${minMs} to ${maxMs}`);
        }
      }),
      runs,
    );
  });

  it('passes the cap for proportional jitter only, and then by its factor', () => {
    fc.assert(
      fc.property(cases, ({ nominalMs, lastMs, random, ...any }) => {
        const factor = any.jitter === 'proportional' ? 1 + any.jitterAmount : 1;
        const delayMs = drawDelayMs(jitterRange(any, nominalMs, lastMs), random);
        if (delayMs > Math.ceil(any.maxDelayMs * factor)) expect.fail(`${delayMs}`);
      }),
      runs,
    );
  });

  it('keeps decorrelated waits from the base to three times the wait before, however many follow', () => {
    const bases = fc.integer({ min: 1, max: 10_000 });
    const draws = fc.array(randoms, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(bases, fc.nat(600_000), draws, (baseDelayMs, room, randoms) => {
        const maxDelayMs = baseDelayMs + room;
        const decorrelated = { ...shape, jitter: 'decorrelated', baseDelayMs, maxDelayMs } as const;
        let lastMs = 0;
        for (const random of randoms) {
          const delayMs = drawDelayMs(jitterRange(decorrelated, baseDelayMs, lastMs), random);
          const most = Math.min(maxDelayMs, 3 * (lastMs || baseDelayMs));
          if (delayMs < baseDelayMs || delayMs > most) expect.fail(`${delayMs} after ${lastMs}`);
          lastMs = delayMs;
        }
      }),
      runs,
    );
  });
});

/** The bounds as the documentation words them. */
function documented(s: JitterShape, d: number, previous: number): DelayRange {
  const a = s.jitterAmount;
  const from = (minMs: number, maxMs: number) => ({ minMs, maxMs });
  const base = s.baseDelayMs;
  return {
    none: from(d, d),
    full: from(d * (1 - a), d),
    equal: from(d * (1 - a / 2), d),
    proportional: from(d * (1 - a), d * (1 + a)),
    decorrelated:
      d === 0 ? from(0, 0) : from(base, Math.min(s.maxDelayMs, 3 * Math.max(base, previous))),
  }[s.jitter];
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
