import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from './session-random.ts';

interface Vector {
  readonly session: string;
  readonly execution: number;
  readonly random: number;
}

const page = readFileSync(new URL('../../../../docs/reference/jitter.md', import.meta.url), 'utf8');
const [, json = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
const vectors: Vector[] = JSON.parse(json);

const BINS = 100;
// With 99 degrees of freedom a fair generator is in here 998 times in 1,000. The draws never change, so neither does
// the answer.
const FAIR = { min: 60, max: 149 };

describe('sessionRandom', () => {
  it('has enough published vectors', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(12);
  });

  it.each(vectors)('agrees with the published vector $session, $execution', (vector) => {
    expect(sessionRandom(vector.session, vector.execution)).toBe(vector.random);
  });

  it('is the same for the same session and execution, and in [0, 1)', () => {
    for (let n = 0; n < 10_000; n++) {
      const random = sessionRandom(`session_${n % 100}`, n);
      if (!(random >= 0 && random < 1)) expect.fail(`${random}`);
      expect(sessionRandom(`session_${n % 100}`, n)).toBe(random);
    }
  });

  const series: [string, number, (n: number) => number][] = [
    ['first executions of sequential sessions', 200_000, (n) => sessionRandom(`job_${n}`, 1)],
    ['fifth executions of ids with equal ends', 100_000, (n) => sessionRandom(`${n}_timeout`, 5)],
    ['sequential executions of one session', 200_000, (n) => sessionRandom('job_1', n)],
    [
      'eight executions each of sequential sessions',
      400_000,
      (n) => sessionRandom(`job_${n >>> 3}`, n & 7),
    ],
  ];

  describe.each(series)('%s', (_, count, draw) => {
    const draws = Float64Array.from({ length: count }, (_, n) => draw(n));

    it('is uniform', () => {
      expectFair(draws.map((random) => Math.floor(random * BINS)));
    });

    it('is uniform in its lowest bits', () => {
      // The remainder of the 53-bit whole number by 100 is uniform too, to within 2^-46.
      expectFair(draws.map((random) => (random * 2 ** 53) % BINS));
    });

    it.each([1, 2, 3, 8])('does not follow the draw %d before it', (lag) => {
      expect(Math.abs(correlation(draws, lag))).toBeLessThan(3.5 / Math.sqrt(count));
    });

    it('never repeats', () => {
      expect(new Set(draws).size).toBe(count);
    });
  });
});

/** A chi-square test over numbers from 0 to 99. */
function expectFair(numbers: Float64Array): void {
  const counts = new Array<number>(BINS).fill(0);
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  const expected = numbers.length / BINS;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeGreaterThan(FAIR.min);
  expect(chiSquare).toBeLessThan(FAIR.max);
}

/** Of each number with the one `lag` before it; the mean of uniform numbers is 1/2, their variance 1/12. */
function correlation(draws: Float64Array, lag: number): number {
  let sum = 0;
  for (let n = lag; n < draws.length; n++) {
    sum += ((draws[n] ?? 0) - 0.5) * ((draws[n - lag] ?? 0) - 0.5);
  }
  return (12 * sum) / (draws.length - lag);
}
