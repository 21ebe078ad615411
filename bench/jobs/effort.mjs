// How much each workload is measured. The full run takes about half an hour on a quiet machine, the quick one
// less than two minutes; quick figures show the order of magnitude and whether the benchmark works, no more.

const full = [
  { jobs: 3000, rounds: 7 },
  { jobs: 20_000, rounds: 5 },
];

// Where some peers take half a minute for a round.
const fullSlow = [
  { jobs: 3000, rounds: 7 },
  { jobs: 20_000, rounds: 3 },
];

// A whole table in a quarter of an hour, for when the machine is quiet for no longer.
const brief = [
  { jobs: 3000, rounds: 3 },
  { jobs: 20_000, rounds: 2 },
];
const briefSlow = [
  { jobs: 3000, rounds: 3 },
  { jobs: 20_000, rounds: 1 },
];

// A difference of 3 % needs rounds, and rounds of about a second: each has a scrape at its start, and there is one a
// second.
const telemetryFull = [{ jobs: 60_000, rounds: 15 }];
const telemetryBrief = [{ jobs: 60_000, rounds: 7 }];

const quick = [{ jobs: 1000, rounds: 2 }];

export const efforts = {
  full: {
    'sqlite-enqueue': { sizes: full },
    'sqlite-enqueue-256': { sizes: fullSlow },
    'sqlite-process': { sizes: full },
    telemetry: { sizes: telemetryFull },
    'postgres-enqueue': { sizes: fullSlow },
    'postgres-process': { sizes: full },
    'fail-twice': { sizes: fullSlow },
    'idle-latency': { rounds: 8, jobs: 60, pauseMs: 30 },
    'claim-cost': { notDue: 1_000_000, due: 100_000, finished: 1_000_000, rounds: 5, claims: 40 },
    'held-transaction': { seconds: 60, freeSeconds: 30 },
    idle: { seconds: 60 },
    memory: { jobs: 200_000 },
  },
  brief: {
    'sqlite-enqueue': { sizes: brief },
    'sqlite-enqueue-256': { sizes: brief },
    'sqlite-process': { sizes: brief },
    telemetry: { sizes: telemetryBrief },
    'postgres-enqueue': { sizes: briefSlow },
    'postgres-process': { sizes: brief },
    'fail-twice': { sizes: briefSlow },
    'idle-latency': { rounds: 5, jobs: 60, pauseMs: 20 },
    'claim-cost': { notDue: 1_000_000, due: 100_000, finished: 250_000, rounds: 4, claims: 40 },
    'held-transaction': { seconds: 60, freeSeconds: 10, peers: false },
    idle: { seconds: 30 },
    memory: { jobs: 200_000 },
  },
  quick: {
    'sqlite-enqueue': { sizes: quick },
    'sqlite-enqueue-256': { sizes: quick },
    'sqlite-process': { sizes: quick },
    telemetry: { sizes: quick },
    'postgres-enqueue': { sizes: quick },
    'postgres-process': { sizes: quick },
    'fail-twice': { sizes: [{ jobs: 500, rounds: 2 }] },
    'idle-latency': { rounds: 2, jobs: 20, pauseMs: 10 },
    'claim-cost': { notDue: 20_000, due: 5000, finished: 10_000, rounds: 3, claims: 20 },
    'held-transaction': { seconds: 3, freeSeconds: 1.5, peers: false },
    idle: { seconds: 5 },
    memory: { jobs: 8000 },
  },
};
