import { jobsOn } from '@redrive/durable';
import { until } from '@redrive/testkit/services';
import { trailsOf } from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkEverything } from '../check-everything.ts';
import { Evidence } from '../evidence.ts';
import { Fleet } from '../fleet.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import type { StarvationSettings } from '../starvation-process.ts';
import type { Work } from '../workload.ts';

export interface StarvationOptions {
  readonly seed: number;
  readonly handlers: number;
  readonly connections: number;
  /** Times that every handler has a job. */
  readonly rounds: number;
  readonly leaseMs: number;
  /** How long all handlers of a round take together, as a share of the lease. */
  readonly roundLeases: number;
  /** `false`: heartbeats wait behind the work, and the harness must find out. */
  readonly heartbeats: boolean;
}

export const STARVATION: StarvationOptions = {
  seed: 1,
  handlers: 50,
  connections: 2,
  rounds: 5,
  leaseMs: 3_000,
  roundLeases: 2,
  heartbeats: true,
};

const TIMEOUT_MS = 300_000;

/** Fifty handlers use up what the application has of the database. Leases must not suffer from it. */
export async function starvation(place: Place, options: StarvationOptions): Promise<Report> {
  const { seed, handlers, connections, rounds, leaseMs, roundLeases, heartbeats } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const evidence = new Evidence(place.directory);
  const store = await openTarget(place.target);
  const jobs = jobsOn(store, { work: (_: Work): void => {} });
  const roundMs = leaseMs * roundLeases;
  // On Postgres the handlers stand in line for the pool; on SQLite they are all at it at once.
  const workMs = place.kind === 'sqlite' ? roundMs : (roundMs * connections) / handlers;
  for (let n = 1; n <= handlers * rounds; n++) {
    const work: Work = { key: `k${n}`, workMs, failsFirst: false };
    evidence.attempted.write({ key: work.key, atMs: Date.now() });
    const { id } = await jobs.enqueue('work', work, { idempotencyKey: work.key });
    evidence.accepted.write({ key: work.key, id, atMs: Date.now() });
  }
  const { target, directory } = place;
  const settings: Omit<StarvationSettings, 'name'> = {
    ...{ target, directory, seed, leaseMs, longShare: 0, sweepMs: 300, pollMs: 200 },
    ...{ concurrency: handlers, timeoutMs: 10_000, fencing: true, connections, heartbeats },
  };
  const fleet = new Fleet();
  try {
    await fleet.start('starvation-process', (name) => ({ ...settings, name })).ready;
    const isDone = async (): Promise<boolean> => {
      fleet.checkAlive();
      const { groups } = await store.counts();
      return groups.every(({ state, count }) => count === 0 || state === 'succeeded');
    };
    await until(isDone, { timeoutMs: TIMEOUT_MS, everyMs: 200 });
  } finally {
    await fleet.stop();
  }
  const trails = await trailsOf(store);
  await store.close();
  findings.none(
    'leases lost',
    [...trails].filter(([, trail]) => trail.some(isLost)).map(([id]) => id),
  );
  const bounds = { workers: 1, concurrency: handlers, leaseMs, sweepMs: 300, slackMs: 1_000 };
  await checkEverything(place, { ...bounds, failures: fleet.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'starvation', store: place.kind, seed, figures, violations };
}

function isLost({ event }: { readonly event: string }): boolean {
  return event === 'lease_lost';
}
