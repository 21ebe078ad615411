import { trailsOf } from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import { readEvidence } from '../evidence.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import { nthJob } from '../workload.ts';

export interface StallOptions {
  readonly seed: number;
  readonly jobs: number;
  /** Every so many jobs, one stalls. */
  readonly every: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  readonly fencing: boolean;
  readonly ledger: boolean;
}

export const STALL: StallOptions = {
  seed: 1,
  jobs: 1_000,
  every: 20,
  workers: 3,
  concurrency: 4,
  leaseMs: 1_500,
  sweepMs: 300,
  slackMs: 1_000,
  fencing: true,
  ledger: true,
};

/** Handlers keep the event loop of their worker past the lease, until another worker has their job; then they go on. */
export async function stall(place: Place, options: StallOptions): Promise<Report> {
  const { seed, jobs, every, concurrency } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const workload = { kind: 'stalls', every } as const;
  const crew = new Crew(place, { ...options, workload });
  try {
    await crew.ready();
    // One stall at a time: somebody must be there to take over.
    for (let upTo = every; upTo < jobs + every; upTo += every) {
      await crew.finish(Math.min(upTo, jobs));
    }
  } finally {
    await crew.stop();
  }
  const stalls = await checkStalls(place, options, findings);
  // A stall takes the leases of everything in its process.
  const losses = { losses: stalls, extraRunsPerLoss: concurrency };
  await checkEverything(place, { ...options, ...losses, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'stall', store: place.kind, seed, figures, violations };
}

/** Every attempt that stalled has lost its job to another worker. Answers how many did. */
async function checkStalls(
  place: Place,
  { seed, every, leaseMs }: StallOptions,
  findings: Findings,
): Promise<number> {
  const facts = readEvidence(place.directory);
  const workload = { kind: 'stalls', every } as const;
  const harmful = new Set(
    facts.attempted
      .map((_, index) => nthJob({ seed, leaseMs, longShare: 0, workload }, index + 1).work)
      .filter(({ harm }) => harm === 'stall')
      .map(({ key }) => key),
  );
  const store = await openTarget(place.target);
  const trails = await trailsOf(store);
  await store.close();
  const lost = facts.accepted.filter(
    ({ key, id = '' }) =>
      harmful.has(key) && trails.get(id)?.some(({ event }) => event === 'lease_lost'),
  );
  findings.figures.stalls = lost.length;
  const others = harmful.size - lost.length;
  if (others > 0) findings.violation('stalls', `${others} did not last past the lease`);
  return lost.length;
}
