import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { trailsOf } from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkEverything } from '../check-everything.ts';
import { checkSuspects } from '../check-suspects.ts';
import { Crew } from '../crew.ts';
import { readEvidence } from '../evidence.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface KillStormOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly kills: number;
  /** Between two kills. */
  readonly gapMs: number;
  readonly workers: number;
  readonly concurrency: number;
  /** Of a job, on average. */
  readonly workMs: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  /** What a busy machine may take for a recovery, besides lease and sweep. */
  readonly slackMs: number;
}

export const KILL_STORM: KillStormOptions = {
  seed: 1,
  jobs: 1_000,
  kills: 60,
  gapMs: 1_000,
  workers: 3,
  concurrency: 10,
  workMs: 1_000,
  leaseMs: 3_000,
  sweepMs: 1_000,
  slackMs: 1_000,
};

/** Kills workers faster than they finish their healthy jobs, so that many jobs lose two processes and more. */
export async function killStorm(place: Place, options: KillStormOptions): Promise<Report> {
  const { seed, jobs, kills, gapMs, workMs } = options;
  const random = seededRandom(seed);
  const workload = { kind: 'storm', workMs } as const;
  const crew = new Crew(place, { ...options, workload, fencing: true });
  const startedMs = performance.now();
  try {
    await crew.ready();
    crew.allow(jobs);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(gapMs);
      await crew.kill(await crew.pick(random()));
    }
    await crew.finish();
  } finally {
    await crew.stop();
  }
  const findings = new Findings();
  const store = await openTarget(place.target);
  checkSuspects(await trailsOf(store), readEvidence(place.directory), options, findings);
  await store.close();
  await checkEverything(place, { ...options, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'kill storm', store: place.kind, seed, figures, violations };
}
