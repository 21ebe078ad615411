import { type Experiment, FULL_JITTER, isWithin, mean, runs } from './figure.ts';

const SEEDS = 60;
const WITHIN = 0.1;

/** The experiment's first wait is twice its base of 5 ms, but for decorrelated jitter. */
const EXPONENTIAL = { max_attempts: 100_000, base_delay: 0.01, max_delay: 2 };
const POLICIES = {
  none: { ...EXPONENTIAL, backoff_type: 'immediate' },
  'exponential, no jitter': EXPONENTIAL,
  equal: { ...EXPONENTIAL, jitter_type: 'equal', jitter_amount: 1 },
  full: { ...EXPONENTIAL, ...FULL_JITTER },
  decorrelated: { ...EXPONENTIAL, base_delay: 0.005, jitter_type: 'decorrelated' },
} as const;

type Row = readonly [
  clients: number,
  policy: keyof typeof POLICIES,
  allDoneMs: number,
  medianMs: number,
  calls: number,
];

/** What AWS's simulator gives: the mean of 60 seeds. */
const PUBLISHED: readonly Row[] = [
  [50, 'none', 1_147, 540, 692],
  [50, 'exponential, no jitter', 36_518, 9_504, 627],
  [50, 'equal', 4_234, 973, 348],
  [50, 'full', 2_849, 619, 332],
  [50, 'decorrelated', 2_258, 590, 374],
  [100, 'none', 2_033, 949, 2_426],
  [100, 'exponential, no jitter', 63_447, 21_815, 1_867],
  [100, 'equal', 6_653, 1_946, 812],
  [100, 'full', 4_822, 1_181, 796],
  [100, 'decorrelated', 4_541, 1_065, 1_000],
];

/** N clients each write one row once: the experiment by which AWS made its kinds of jitter known. */
export const JITTER: Experiment = {
  name: 'jitter',
  slow: false,
  run: () =>
    PUBLISHED.map(([clients, policy, ...expected]) => {
      const results = runs(
        {
          arrivals: { at_once: clients },
          after: 3_600,
          dependency: { row: { network: { mean: 0.01, deviation: 0.002 } } },
          callers: { layers: [POLICIES[policy]] },
        },
        SEEDS,
      );
      const measured = [
        mean(results.map(({ drainedAfterMs }) => drainedAfterMs)),
        mean(results.map(({ latencyMs }) => latencyMs.p50)),
        mean(results.map(({ attempts }) => attempts)),
      ];
      return {
        experiment: 'jitter',
        row: `${clients} clients, ${policy}`,
        expected: textOf(expected),
        measured: textOf(measured),
        holds: measured.every((value, n) => isWithin(value, expected[n] ?? 0, WITHIN)),
      };
    }),
};

const textOf = ([allDoneMs = 0, medianMs = 0, calls = 0]: readonly number[]) =>
  `${allDoneMs.toFixed(0)} ms, median ${medianMs.toFixed(0)}, ${calls.toFixed(0)} calls`;
