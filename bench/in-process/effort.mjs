// How long each workload is measured. The full run takes about ten minutes, the quick one less than
// one; quick figures show the order of magnitude and whether the benchmark works, no more.

const fullCalls = {
  cpu: { processes: 3, rounds: 7, batchMs: 40 },
  bytes: { processes: 1, rounds: 3 },
};

// The slower peers, which need the longest to warm up.
const skip = ['p-retry', 'mollitia', 'async-retry', 'exponential-backoff', 'effect'];

const quickCalls = {
  cpu: { processes: 1, rounds: 4, batchMs: 20 },
  bytes: { processes: 1, rounds: 1 },
  skip,
};

export const efforts = {
  full: {
    success: fullCalls,
    'fail-twice': fullCalls,
    guarded: fullCalls,
    'waiting-heap': { waits: 100_000, repetitions: 1 },
    'waiting-lateness': { waits: 100_000, shortestMs: 2500, spanMs: 2500 },
    million: { waits: 1_000_000, spanMs: 5000 },
    bundle: {},
  },
  quick: {
    success: quickCalls,
    'fail-twice': quickCalls,
    guarded: quickCalls,
    'waiting-heap': { waits: 10_000, repetitions: 1, skip },
    'waiting-lateness': { waits: 10_000, shortestMs: 500, spanMs: 500, skip },
    million: { waits: 20_000, spanMs: 300 },
    bundle: {},
  },
};
