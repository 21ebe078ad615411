import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface KillAndPauseOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly kills: number;
  readonly pauses: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Share of the jobs that take longer than a lease. */
  readonly longShare: number;
  readonly sweepMs: number;
  /** What a busy machine may take for a recovery, besides lease and sweep. */
  readonly slackMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  readonly fencing: boolean;
  readonly ledger: boolean;
  /** One pause at a time, which ends when another worker has started a job of the paused one. Default `false`. */
  readonly pauseUntilTaken?: boolean;
}

export const KILL_AND_PAUSE: KillAndPauseOptions = {
  seed: 1,
  jobs: 3_000,
  kills: 200,
  pauses: 30,
  workers: 4,
  concurrency: 4,
  leaseMs: 1_500,
  longShare: 0.1,
  sweepMs: 300,
  slackMs: 1_000,
  fencing: true,
  ledger: true,
};

/** Longest wait between two blows. */
const GAP_MS = 200;
/** Every so many kills, the process that submits is killed too. */
const SUBMITTER_TURN = 10;

/** Kills workers at random moments, and pauses some for longer than their leases, while jobs come in. */
export async function killAndPause(place: Place, options: KillAndPauseOptions): Promise<Report> {
  const { seed, jobs, kills, pauses, leaseMs } = options;
  const random = seededRandom(seed);
  const crew = new Crew(place, options);
  const startedMs = performance.now();
  const resumed: Promise<void>[] = [];
  try {
    const blows = kills + pauses;
    let pausesLeft = pauses;
    for (let blow = 0; blow < blows; blow++) {
      // What is left of both decides, so that they are spread over the whole run.
      const isPause = random() < pausesLeft / (blows - blow);
      crew.allow(Math.ceil((jobs * (blow + 1)) / blows));
      await sleep(10 + random() * GAP_MS);
      if (isPause) {
        pausesLeft -= 1;
        const pauseMs = leaseMs * (1.4 + 0.6 * random());
        if (options.pauseUntilTaken) await crew.pauseUntilTaken(pauseMs);
        else resumed.push(crew.pauseFor(await crew.pickBusy(random()), pauseMs));
      } else {
        await crew.kill(await crew.pick(random()));
        if (blow % SUBMITTER_TURN === 0) await crew.killSubmitter();
      }
    }
    await Promise.all(resumed);
    await crew.finish();
  } finally {
    await crew.stop();
  }
  const findings = new Findings();
  await checkEverything(place, { ...options, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'kill and pause', store: place.kind, seed, figures, violations };
}
