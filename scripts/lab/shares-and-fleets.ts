import {
  type Experiment,
  type Figure,
  FOUR_ATTEMPTS,
  isWithin,
  mean,
  percent,
  runs,
  times,
} from './figure.ts';

const SEEDS = 3;
const CALL = { latency: { fixed: 0.01 } };
const DEAD = { ...CALL, outages: [{ from: 0, for: 86_400 }] };
const BUDGET = { ratio: 0.1, floor_per_second: 0 };

/** Success and load of 100 clients with 10 calls a second each. */
function clients(share: number, attempts: number, budget?: object) {
  const results = runs(
    {
      arrivals: { rate: 1_000, for: 30 },
      dependency: { ...CALL, errors: [{ share }] },
      callers: {
        processes: 100,
        layers: [{ ...FOUR_ATTEMPTS, max_attempts: attempts }],
        ...(budget && { budget }),
      },
    },
    SEEDS,
  );
  return {
    success: mean(results.map(({ succeeded, sessions }) => succeeded / sessions)),
    load: mean(results.map(({ layers }) => layers[0]?.amplification)),
  };
}

function shareFigure(
  row: string,
  share: number,
  found: ReturnType<typeof clients>,
  success: number,
  load: number,
): Figure {
  return {
    experiment: 'failure shares',
    row: `${percent(share)} fail, ${row}`,
    expected: `${percent(success)} at ${times(load)}`,
    measured: `${percent(found.success)} at ${times(found.load)}`,
    holds: Math.abs(found.success - success) <= 0.01 && isWithin(found.load, load, 0.03),
  };
}

/** A share of all calls fails; the budget deposits on success. */
export const FAILURE_SHARES: Experiment = {
  name: 'failure shares',
  slow: false,
  run: () => {
    const budgeted = [
      [0.1, 0.98, 1.1],
      [0.2, 0.88, 1.1],
      [0.5, 0.53, 1.07],
      [1, 0, 1.02],
    ] as const;
    return budgeted.flatMap(([x, success, load]) => [
      shareFigure('one attempt', x, clients(x, 1), 1 - x, 1),
      shareFigure('four attempts', x, clients(x, 4), 1 - x ** 4, 1 + x + x ** 2 + x ** 3),
      shareFigure('budget, burst 5', x, clients(x, 4, { ...BUDGET, burst: 5 }), success, load),
    ]);
  },
};

function fleet(processes: number, budget: object): number {
  const arrivals = { rate: 100, for: 60 };
  const callers = { processes, budget, layers: [FOUR_ATTEMPTS] };
  const results = runs({ arrivals, dependency: DEAD, callers }, SEEDS);
  return mean(results.map(({ layers }) => layers[0]?.amplification));
}

/** Budgets of processes do not bind a fleet: 60 s of outage, 100 requests a second in all. */
export const FLEETS: Experiment = {
  name: 'fleets',
  slow: false,
  run: () => {
    const expected = [
      [10, 1.02],
      [100, 1.17],
      [1_000, 2.62],
      [5_000, 3.92],
    ] as const;
    const figure = (row: string, load: number, expectedLoad: number): Figure => ({
      experiment: 'fleets',
      row,
      expected: times(expectedLoad),
      measured: times(load),
      holds: isWithin(load, expectedLoad, 0.05),
    });
    return [
      ...expected.flatMap(([count, load]) => [
        figure(`${count} processes, burst 10 each`, fleet(count, { ...BUDGET, burst: 10 }), load),
        figure(
          `${count} processes, one budget of 100`,
          fleet(count, { ...BUDGET, burst: 100, scope: 'fleet' }),
          1.02,
        ),
      ]),
      // Core's default, 10 tokens a second for each process, is more than all the retries there are.
      figure('5000 processes, core’s default', fleet(5_000, {}), 4),
    ];
  },
};

/** Three services, each with four attempts, in an outage of a minute. */
export const LAYERS: Experiment = {
  name: 'three layers',
  slow: false,
  run: () => {
    const load = (callers: object) =>
      mean(
        runs(
          {
            arrivals: { rate: 100, for: 60 },
            dependency: DEAD,
            callers: { layers: [FOUR_ATTEMPTS, FOUR_ATTEMPTS, FOUR_ATTEMPTS], ...callers },
          },
          1,
        ).map(({ layers }) => layers[2]?.amplification),
      );
    const plain = load({});
    const guarded = load({
      carries: ['allowance', 'deadline'],
      budget: { ...BUDGET, burst: 100, scope: 'fleet' },
    });
    return [
      {
        experiment: 'three layers',
        row: 'nothing carried',
        expected: times(64),
        measured: times(plain),
        holds: isWithin(plain, 64, 0.001),
      },
      {
        experiment: 'three layers',
        row: 'one allowance and one budget',
        expected: 'at most 1.05x',
        measured: times(guarded),
        holds: guarded <= 1.05,
      },
    ];
  },
};
