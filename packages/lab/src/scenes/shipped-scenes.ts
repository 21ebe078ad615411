const FULL_JITTER = { backoff_type: 'exponential', jitter_type: 'full', jitter_amount: 1 };

/** Four attempts, as the notes on retries have them: 0.1 s at first, doubled, full jitter. */
const FOUR_ATTEMPTS = { ...FULL_JITTER, max_attempts: 4, base_delay: 0.1, max_delay: 2 };

/** Scenes to begin with, by name, as a file would write them. */
export const SHIPPED_SCENES = {
  herd: {
    name: 'herd',
    description:
      '100 clients each write one row once. A write succeeds if nobody wrote since the client read the row.',
    arrivals: { at_once: 100 },
    dependency: { row: { network: { mean: 0.01, deviation: 0.002 } } },
    callers: {
      layers: [{ ...FULL_JITTER, max_attempts: 10_000, base_delay: 0.01, max_delay: 2 }],
    },
  },
  'partial-failure': {
    name: 'partial-failure',
    description:
      'A fifth of all calls fails. 100 clients with 10 calls a second each, and a retry budget per client.',
    arrivals: { rate: 1_000, for: 30 },
    dependency: { latency: { fixed: 0.01 }, errors: [{ share: 0.2 }] },
    callers: {
      processes: 100,
      budget: { ratio: 0.1, floor_per_second: 0, burst: 5 },
      layers: [FOUR_ATTEMPTS],
    },
  },
  'outage-half-hour': {
    name: 'outage-half-hour',
    description:
      '10,000 jobs arrive while their dependency is down for half an hour. It can do 200 calls a second, and others use 100 of them.',
    arrivals: { rate: 10_000 / 1_800, for: 1_800, spacing: 'even' },
    after: 600,
    dependency: {
      capacity: 200,
      outages: [{ from: 0, for: 1_800 }],
      others: { rate: 100, timeout: 1 },
    },
    callers: {
      kind: 'jobs',
      processes: 2,
      concurrency: 100,
      layers: [
        {
          ...FULL_JITTER,
          dependency: 'api',
          max_attempts: 100_000,
          base_delay: 1,
          max_delay: 60,
          attempt_timeout: 1,
          enable_circuit_breaker: true,
        },
      ],
    },
  },
  layers: {
    name: 'layers',
    description:
      'Three services call one another, each with four attempts, and the dependency is down for a minute.',
    arrivals: { rate: 100, for: 60 },
    dependency: { latency: { fixed: 0.01 }, outages: [{ from: 0, for: 86_400 }] },
    callers: { layers: [FOUR_ATTEMPTS, FOUR_ATTEMPTS, FOUR_ATTEMPTS] },
  },
  fleet: {
    name: 'fleet',
    description:
      '1,000 processes with 100 calls a second together, each with a retry budget of its own, in an outage of a minute.',
    arrivals: { rate: 100, for: 60 },
    dependency: { latency: { fixed: 0.01 }, outages: [{ from: 0, for: 86_400 }] },
    callers: {
      processes: 1_000,
      budget: { ratio: 0.1, floor_per_second: 0, burst: 10 },
      layers: [FOUR_ATTEMPTS],
    },
  },
} as const;

export type ShippedScene = keyof typeof SHIPPED_SCENES;
