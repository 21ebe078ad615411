import { trailsOf } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import { allJobs } from '../../packages/testkit/src/conformance/store/invariants.ts';
import { checkCounters, checkRetryMetrics } from './check-counters.ts';
import { checkEffects } from './check-effects.ts';
import { checkJobs, checkRuns } from './check-jobs.ts';
import { checkRecovery } from './check-recovery.ts';
import { checkStore } from './check-store.ts';
import { effectRows } from './effects.ts';
import { readEvidence } from './evidence.ts';
import { openTarget } from './open-target.ts';
import type { Place } from './place.ts';
import type { Findings } from './report.ts';

export interface CheckOptions {
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  /** Other blows than kills and pauses after which attempts may run again, and how many of them. Default none. */
  readonly losses?: number;
  readonly extraRunsPerLoss?: number;
  /** What went wrong with the processes themselves. */
  readonly failures: readonly string[];
}

/** Opens the store as a new process would, and compares it with the evidence. */
export async function checkEverything(
  place: Place,
  options: CheckOptions,
  findings: Findings,
): Promise<void> {
  const { workers, concurrency, failures, losses = 0, extraRunsPerLoss = 0 } = options;
  const { lostBesides = 0 } = options;
  const facts = readEvidence(place.directory);
  const store = await openTarget(place.target);
  const state = { jobs: await allJobs(store), trails: await trailsOf(store) };
  const pausesStopAll = place.kind === 'sqlite';

  const kills = facts.blows.filter(({ kind }) => kind === 'kill').length;
  const pauses = facts.blows.filter(({ kind }) => kind === 'pause').length;
  findings.figures.kills = kills;
  findings.figures.pauses = pauses;
  checkJobs(state, facts, findings);
  const extraRuns = checkRuns(state, facts, findings);
  const losersPerPause = pausesStopAll ? workers : 1;
  const disturbed = (kills + pauses * losersPerPause) * concurrency;
  const bound = disturbed + losses * extraRunsPerLoss + lostBesides;
  findings.atMost('extra runs', extraRuns, bound);
  const rows = await effectRows(place);
  checkEffects({ jobs: state.jobs, deeds: facts.deeds, rows, gaps: bound }, findings);
  checkRecovery(state.trails, facts, { ...options, pausesStopAll }, findings);
  checkCounters(state.trails, facts.scrapes, findings);
  await checkRetryMetrics(store, state.trails, findings);
  await checkStore(store, place, findings);
  await store.close();

  const kinds = new Map<string, number>();
  for (const { kind } of facts.remarks) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  findings.figures.remarks = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  findings.none('failed processes', failures);
}
