import type { ControlOverview } from '../control/control-overview.ts';
import type { ParkedJobs } from '../control/parked-causes.ts';
import type { DeadGroup } from '../dead-letter/dead-letter-store.ts';
import { fingerprintOf } from '../dead-letter/fingerprint.ts';
import { rulesIn } from '../dead-letter/rules/rule-documents.ts';
import { failingJobOf } from '../job/job-summary.ts';
import type { FullStore } from '../store/full-store.ts';
import { MAX_FAILING_SCAN } from '../store/store.ts';
import {
  type DeadSample,
  type Failure,
  groupFailures,
  type ParkedSample,
  RATE_MINUTES,
} from './group-failures.ts';

/** The causes that fail now. */
export interface FailuresNow {
  readonly nowMs: number;
  /** By cause, the one with the most jobs first. */
  readonly failures: readonly Failure[];
  /** Jobs that wait for their next attempt were read up to `MAX_FAILING_SCAN`, and there are more. */
  readonly sampled: boolean;
  /** There are more causes: dead letters of the last hour have more than are read. */
  readonly more: boolean;
}

/** A cause with a dead letter of this age fails now, even if no job waits for its next attempt. */
const ACTIVE_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Causes that are read. A store with more of them has no common cause. */
const MAX_CAUSES = 50;
/** Jobs of one cause that are read for its handlers and its errors. */
const SAMPLE = 100;

/**
 * The causes that fail now, since when, how much and how often: jobs that wait for their next attempt, parked jobs and dead
 * letters of the last hour. Every read is bounded: a million jobs cost no more than 10,000.
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function failuresNow(
  store: FullStore,
  control: ControlOverview,
): Promise<FailuresNow> {
  const { nowMs } = control;
  const [{ jobs, bounded }, controls, parked] = await Promise.all([
    store.failing({ atMost: MAX_FAILING_SCAN }),
    store.controls(),
    Promise.all(failedParks(control).map((park) => parkedSample(store, control, park))),
  ]);
  const retrying = jobs.filter(({ state }) => state !== 'parked');
  const facts = { nowMs, retrying, sampled: bounded, parked, rules: rulesIn(controls) };
  const living = groupFailures({ ...facts, dead: [] });
  const { samples, more } = await deadSamples(store, living.slice(0, MAX_CAUSES), nowMs);
  const failures = groupFailures({ ...facts, dead: samples });
  return { nowMs, failures: failures.map(dependencyNames(control)), sampled: bounded, more };
}

/** Causes with a failure behind them. A kill switch or a forced breaker is an operator's decision. */
function failedParks({ parked, breakers }: ControlOverview): readonly ParkedJobs[] {
  const isForced = ({ waitsFor }: ParkedJobs): boolean =>
    waitsFor.kind === 'breaker' &&
    breakers.some((each) => each.dependency === waitsFor.dependency && each.forced !== undefined);
  return parked
    .filter((park) => ['breaker', 'gate', 'time'].includes(park.waitsFor.kind) && park.count > 0)
    .filter((park) => !isForced(park))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_CAUSES);
}

async function parkedSample(
  store: FullStore,
  { breakers }: ControlOverview,
  park: ParkedJobs,
): Promise<ParkedSample> {
  const { waitsFor, cause } = park;
  const dependency = 'dependency' in waitsFor ? waitsFor.dependency : undefined;
  const breaker =
    waitsFor.kind === 'breaker'
      ? breakers.find((each) => each.dependency === dependency)
      : undefined;
  const { jobs } = await store.failing({ cause, atMost: SAMPLE });
  return { park, dependency, lastError: breaker?.breaker.lastError, jobs };
}

/** Groups of dead letters that fail now: those of the last hour, and those of jobs that are still tried. */
async function deadSamples(
  store: FullStore,
  living: readonly Failure[],
  nowMs: number,
): Promise<{ readonly samples: readonly DeadSample[]; readonly more: boolean }> {
  const page = { limit: MAX_CAUSES };
  const [newest, today, lately] = await Promise.all([
    store.deadGroups({ diedAfterMs: nowMs - ACTIVE_MS }, page),
    store.deadGroups({ diedAfterMs: nowMs - DAY_MS }, page),
    store.deadGroups({ diedAfterMs: nowMs - RATE_MINUTES * 60_000 }, page),
  ]);
  const fingerprints = new Set([
    ...newest.groups.map(({ fingerprint }) => fingerprint),
    ...living.map(({ fingerprint }) => fingerprint),
  ]);
  const samples = [...fingerprints].map(async (fingerprint): Promise<DeadSample[]> => {
    const [all, letters] = await Promise.all([
      store.deadGroups({ fingerprint }, { limit: 1 }),
      store.deadLetters({ fingerprint }, { limit: SAMPLE }),
    ]);
    const ofCause = (groups: readonly DeadGroup[]) =>
      groups.find((group) => group.fingerprint === fingerprint);
    const firstFailedMs = await firstFailure(store, ofCause(today.groups));
    return all.groups.map((group) => ({
      group,
      firstFailedMs,
      lately: ofCause(lately.groups)?.count ?? 0,
      letters: letters.jobs,
    }));
  });
  return { samples: (await Promise.all(samples)).flat(), more: newest.next !== undefined };
}

/** The first failure of the first job that died within a day: the trouble began with its attempts. */
async function firstFailure(
  store: FullStore,
  today: DeadGroup | undefined,
): Promise<number | undefined> {
  if (today === undefined) return undefined;
  const { fingerprint, firstDiedAtMs } = today;
  const filter = { fingerprint, diedAfterMs: firstDiedAtMs };
  const { jobs } = await store.deadLetters(filter, { limit: 1, first: 'oldest' });
  const job = jobs[0] && (await store.job(jobs[0].id));
  return (job && failingJobOf(job).firstFailedAtMs) ?? firstDiedAtMs;
}

/** Names the dependency of a cause also while nothing is parked: by the last error of its breaker. */
function dependencyNames({ breakers }: ControlOverview): (failure: Failure) => Failure {
  const byCause = new Map<string, string>();
  for (const { dependency, breaker } of breakers.filter((each) => each.breaker.failures > 0)) {
    if (byCause.size === MAX_CAUSES) break;
    if (breaker.lastError === undefined) continue;
    byCause.set(fingerprintOf(breaker.lastError).fingerprint, dependency);
  }
  // A breaker is not one handler's, so its error is compared without one.
  return (failure) => ({
    ...failure,
    dependency:
      failure.dependency ??
      (failure.lastError && byCause.get(fingerprintOf(failure.lastError).fingerprint)),
  });
}
