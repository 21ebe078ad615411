import { seededRandom } from '@redrive/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CAUSE_DIMENSIONS,
  type CauseSample,
  gStatistic,
  rankCauses,
  suggestionFor,
} from './rank-causes.ts';

const count = fc.integer({ min: 0, max: 20_000 });

describe('gStatistic', () => {
  test('a table without association has about 0', () => {
    const side = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(side, side, side, side, (row, other, left, right) => {
        const g = gStatistic(row * left, row * right, other * left, other * right);
        expect(g).toBeCloseTo(0, 6);
      }),
    );
  });

  test('rows, columns, and rows with columns can be exchanged; never negative, never no number', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const g = gStatistic(a, b, c, d);
        expect(g).toBeGreaterThanOrEqual(0);
        expect(g).toBeLessThan(Infinity);
        for (const same of [gStatistic(c, d, a, b), gStatistic(b, a, d, c), gStatistic(a, c, b, d)])
          expect(Math.abs(same - g)).toBeLessThan(1e-6 * (1 + g));
      }),
    );
  });

  test('twice the jobs, twice the evidence', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const g = gStatistic(a, b, c, d);
        const twice = gStatistic(2 * a, 2 * b, 2 * c, 2 * d);
        expect(Math.abs(twice - 2 * g)).toBeLessThan(1e-6 * (1 + g));
      }),
    );
  });

  test('known values', () => {
    // All failed jobs have the value, and no other: 2 * 20 * ln 2.
    expect(gStatistic(10, 0, 0, 10)).toBeCloseTo(40 * Math.LN2, 10);
    expect(gStatistic(30, 10, 20, 40)).toBeCloseTo(17.261, 3);
  });
});

/** Values of five dimensions; the first of each is the most frequent. */
const SIZES = { handler: 4, tenant: 20, worker: 8, policy_version: 2, hour: 24 } as const;
const NAMES = ['handler', 'tenant', 'worker', 'policy_version', 'hour'] as const;

/** Every job that is drawn is one of these. */
const pool = ((random) =>
  Array.from({ length: 50_000 }, () => {
    const values = NAMES.map((name) => [name, `v${Math.floor(random() ** 1.5 * SIZES[name])}`]);
    return Object.fromEntries(values) as CauseSample; // it has the names of dimensions only
  }))(seededRandom(0));

/** Jobs; of these, a share has the planted values. */
function samples(length: number, random: () => number, planted: CauseSample = {}, share = 0) {
  const drawn = Array.from({ length }, () => pool[Math.floor(random() * pool.length)] ?? {});
  return drawn.map((job, at) => (at < share * length ? { ...job, ...planted } : job));
}

/** The best cause as text. */
function topOf(failed: readonly CauseSample[], succeeded: readonly CauseSample[]) {
  const [causes = []] = rankCauses([failed], succeeded);
  return causes[0]?.values.map(({ dimension, value }) => `${dimension}=${value}`).join(' & ');
}

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);

describe('rankCauses', () => {
  test('10,000 failures with one planted cause among five dimensions: the cause on top in 95 of 100 seeds', () => {
    const onTop = SEEDS.filter((seed) => {
      const random = seededRandom(seed);
      const name = NAMES[seed % NAMES.length] ?? 'tenant';
      const failed = samples(10_000, random, { [name]: 'v1' }, 0.5);
      return topOf(failed, samples(2_000, random)) === `${name}=v1`;
    });
    expect(onTop.length).toBeGreaterThanOrEqual(95);
  });

  test('a planted pair is on top in 95 of 100 seeds', () => {
    const onTop = SEEDS.filter((seed) => {
      const random = seededRandom(seed);
      const failed = samples(1_000, random, { handler: 'v2', worker: 'v3' }, 0.5);
      return topOf(failed, samples(2_000, random)) === 'handler=v2 & worker=v3';
    });
    expect(onTop.length).toBeGreaterThanOrEqual(95);
  });

  test.each([5, 20, 100, 1_000])(
    'pure noise, groups of %i: no cause is claimed in 95 of 100 seeds',
    (size) => {
      const silent = SEEDS.filter((seed) => {
        const random = seededRandom(seed);
        return topOf(samples(size, random), samples(2_000, random)) === undefined;
      });
      expect(silent.length).toBeGreaterThanOrEqual(95);
    },
  );

  test('each cause has the table that it rests on', () => {
    const failed = [...same(40, { tenant: 'acme', queue: 'a' }), ...same(10, { tenant: 'zoo' })];
    const succeeded = [...same(5, { tenant: 'acme', queue: 'a' }), ...same(95, { tenant: 'zoo' })];
    const [causes = []] = rankCauses([failed], succeeded);
    expect(causes[0]).toMatchObject({
      values: [{ dimension: 'queue', value: 'a' }],
      failed: { with: 40, without: 10 },
      succeeded: { with: 5, without: 95 },
      g: gStatistic(40, 10, 5, 95),
      score: gStatistic(40, 10, 5, 95),
    });
    // As certain as the queue; the pair of both says no more than each.
    expect(causes[1]?.values).toEqual([{ dimension: 'tenant', value: 'acme' }]);
    expect(causes).toHaveLength(2);
  });

  test('nothing is claimed of four failures, without successes, or of a small difference', () => {
    const acme = { tenant: 'acme' };
    const zoo = { tenant: 'zoo' };
    expect(rankCauses([same(4, acme), []], same(9_000, zoo))).toEqual([[], []]);
    expect(rankCauses([same(5, acme)], same(9_000, zoo))[0]).toHaveLength(1);
    expect(rankCauses([same(100, acme)], [])).toEqual([[]]);
    const half = [...same(5_000, acme), ...same(5_000, zoo)];
    expect(rankCauses([[...half, ...same(2_000, acme)]], half)).toEqual([[]]);
  });
});

function same(length: number, sample: CauseSample): CauseSample[] {
  return Array.from({ length }, () => sample);
}

test('every dimension has a suggestion for every error, and known errors a better one', () => {
  for (const dimension of CAUSE_DIMENSIONS)
    expect(suggestionFor({ values: [{ dimension, value: 'x' }] }, 'Error: odd')).not.toBe('');
  const worker = { values: [{ dimension: 'worker', value: 'w1' }] } as const;
  expect(suggestionFor(worker, 'Error: connect ECONNREFUSED <addr>')).toMatch(/network, DNS/);
  expect(suggestionFor(worker, 'HttpError: 403 Forbidden')).toMatch(/credentials/);
  expect(suggestionFor(worker, 'Error: odd')).toMatch(/Compare host, version/);
  expect(suggestionFor(worker, '')).toMatch(/Compare host, version/);
});
