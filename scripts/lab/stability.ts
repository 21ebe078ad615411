import { type Experiment, type Figure, FULL_JITTER, runs } from './figure.ts';

const STALL_AT = 30;
const WATCHED = 540;
const THREE_RETRIES = { ...FULL_JITTER, base_delay: 0.1, max_delay: 10, attempt_timeout: 1 };

/** A server of 100 calls a second that stalls for 10 s. */
function stalled(
  load: number,
  attempts: number,
  expired: string,
  budget: object | undefined,
  seeds: number,
) {
  const results = runs(
    {
      arrivals: { rate: 100 * load, for: STALL_AT + 10 + WATCHED + 15 },
      after: 0,
      dependency: {
        capacity: 100,
        expired,
        outages: [{ from: STALL_AT, for: 10, kind: 'stalls' }],
      },
      callers: {
        processes: 1,
        layers: [{ ...THREE_RETRIES, max_attempts: attempts }],
        ...(budget && { budget }),
      },
    },
    seeds,
  );
  return results.map(({ goodputAfterMs = Infinity }) => goodputAfterMs / 1_000);
}

const LOADS = [0.1, 0.2, 0.22, 0.3, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.9] as const;
const ATTEMPTS = [1, 2, 3, 4] as const;
const NEEDED = 42;

/** The rule: a server that executes expired calls recovers if utilisation × attempts is below 1. */
export const STABILITY: Experiment = {
  name: 'stability rule',
  slow: true,
  run: () => {
    const cells = LOADS.flatMap((load) => ATTEMPTS.map((attempts) => ({ load, attempts })));
    const wrong = cells.filter(({ load, attempts }) => {
      const [recoveryS = Infinity] = stalled(load, attempts, 'executed', undefined, 1);
      return recoveryS <= WATCHED !== load * attempts < 1;
    });
    const agree = cells.length - wrong.length;
    const which = wrong.map(({ load, attempts }) => `${load} × ${attempts}`).join(', ');
    return [
      {
        experiment: 'stability rule',
        row: `${cells.length} cells of load and attempts`,
        expected: `at least ${NEEDED} agree`,
        measured: `${agree} agree${which && `; not ${which}`}`,
        holds: agree >= NEEDED,
      },
    ];
  },
};

/** A budget and dropped calls are complements. */
export const STALL: Experiment = {
  name: 'stall',
  slow: false,
  run: () =>
    [0.5, 0.7, 0.8].flatMap((load): Figure[] => {
      const budget = { ratio: 0.1, floor_per_second: 0, burst: 50 };
      const guarded = Math.max(...stalled(load, 4, 'dropped', budget, 3));
      const naive = Math.min(...stalled(load, 4, 'executed', undefined, 1));
      const row = `${load * 100} % load`;
      const text = (seconds: number) => (seconds === Infinity ? 'never' : `${seconds} s`);
      return [
        {
          experiment: 'stall',
          row: `${row}, budget, expired calls dropped`,
          expected: 'at most 2 s',
          measured: text(guarded),
          holds: guarded <= 2,
        },
        {
          experiment: 'stall',
          row: `${row}, four attempts, executed`,
          expected: `not within ${WATCHED} s`,
          measured: text(naive),
          holds: naive > WATCHED,
        },
      ];
    }),
};
