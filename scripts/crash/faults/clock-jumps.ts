import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { trailsOf } from '../../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkEverything } from '../check-everything.ts';
import { checkDurations, checkNeverEarly, type LatestTime } from '../check-times.ts';
import { Crew } from '../crew.ts';
import { type Facts, readEvidence } from '../evidence.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import { ShiftedTimes, shiftClocks } from '../shifted-clock.ts';

export interface ClockJumpOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly jumps: number;
  /** Between two of them. */
  readonly everyMs: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly fencing: boolean;
}

export const CLOCK_JUMPS: ClockJumpOptions = {
  seed: 1,
  jobs: 2_000,
  jumps: 50,
  everyMs: 1_000,
  workers: 4,
  concurrency: 4,
  leaseMs: 3_000,
  sweepMs: 300,
  fencing: true,
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHIFTS_MS = [0, HOUR_MS, -HOUR_MS, 25 * DAY_MS];
/** Beyond everything that has become due under any of them, and within the time for which the ledger keeps its keys. */
const LAST_SHIFT_MS = 26 * DAY_MS;

/** A job is there before its submitter has the answer. */
const ANSWER_MS = 60_000;

/** Sets the clocks of the store and of the workers, each for itself, forward and back by an hour and on by 25 days. */
export async function clockJumps(place: Place, options: ClockJumpOptions): Promise<Report> {
  const { seed, jobs, jumps, everyMs, workers, concurrency } = options;
  const startedMs = performance.now();
  const random = seededRandom(seed);
  const findings = new Findings();
  const clockFile = join(place.directory, 'clocks');
  const shift = (): number => SHIFTS_MS[Math.floor(random() * SHIFTS_MS.length)] ?? 0;
  const times = new ShiftedTimes();
  const jumpTo = (storeMs: number, workerMs: number): void => {
    times.add(storeMs);
    shiftClocks(clockFile, { storeMs, workerMs });
  };
  jumpTo(0, shift());
  const crew = new Crew(place, { ...options, clockFile, workload: { kind: 'waits' } });
  try {
    await crew.ready();
    for (let jump = 1; jump <= jumps; jump++) {
      crew.allow(Math.ceil((jobs * jump) / jumps));
      await sleep(everyMs * (0.5 + random()));
      jumpTo(shift(), shift());
    }
    // What became due under a clock that was ahead would otherwise wait for weeks.
    jumpTo(LAST_SHIFT_MS, 0);
    await crew.finish();
  } finally {
    await crew.stop();
  }
  findings.figures.jumps = jumps;
  const store = await openTarget(place.target);
  const trails = await trailsOf(store);
  await store.close();
  checkNeverEarly(trails, latestTimes(readEvidence(place.directory), times), findings);
  checkDurations(trails, performance.now() - startedMs, findings);
  // A jump forward ends all leases.
  const losses = { losses: jumps + 1, extraRunsPerLoss: workers * concurrency };
  const timing = { ...options, slackMs: Number.POSITIVE_INFINITY, failures: crew.failures };
  await checkEverything(place, { ...timing, ...losses }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'clock jumps', store: place.kind, seed, figures, violations };
}

/** By what handlers and submitters have noted. Between two runs of a job lies everything that made it ready. */
function latestTimes({ accepted, deeds }: Facts, times: ShiftedTimes): LatestTime {
  const starts = new Map<string, { readonly token: number; readonly atMs: number }[]>();
  for (const { key, id = '', atMs } of accepted) {
    const runs = deeds.filter((deed) => deed.what === 'start' && deed.key === key);
    starts.set(id, [{ token: 0, atMs: atMs - ANSWER_MS }, ...runs]);
  }
  return (id, token) => {
    const runs = starts.get(id) ?? [];
    const index = runs.findIndex((run) => run.token === token);
    const [before, run] = [runs[index - 1], runs[index]];
    return before && run && times.latestMs(before.atMs, run.atMs);
  };
}
