import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import { percentile } from '../latencies.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import { heading, lineOf, type Sample, Sampler } from './sample.ts';

/** How far something may rise and still be called flat. */
export interface Flatness {
  readonly heldMib: number;
  readonly openFiles: number;
  readonly walMib: number;
}

export interface SoakOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly killEveryMs: number;
  readonly sampleEveryMs: number;
  /** One in so many samples asks the worker to collect its garbage first. */
  readonly samplesPerCollection: number;
  readonly perSecond: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** So many times may the 99th percentile of the end be that of the beginning. */
  readonly slowdown: number;
  readonly flat: Flatness;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  readonly fencing: boolean;
  /** Gets a line per sample. */
  readonly print: (line: string) => void;
}

export const SOAK: SoakOptions = {
  seed: 1,
  seconds: 1_800,
  killEveryMs: 10_000,
  sampleEveryMs: 5_000,
  samplesPerCollection: 12,
  perSecond: 50,
  workers: 4,
  concurrency: 4,
  leaseMs: 3_000,
  sweepMs: 500,
  slackMs: 1_000,
  slowdown: 1.5,
  flat: { heldMib: 16, openFiles: 4, walMib: 64 },
  fencing: true,
  print: (line) => console.log(line),
};

const PACE_MS = 100;
/** The beginning and the end that are compared: so much of the whole time each. */
const PART = 1 / 6;

/** Half the load that the workers can bear, for long, with a kill now and then: nothing may pile up. */
export async function soak(place: Place, options: SoakOptions): Promise<Report> {
  const { seed, seconds, killEveryMs, sampleEveryMs, perSecond, print } = options;
  const startedMs = performance.now();
  const random = seededRandom(seed);
  const findings = new Findings();
  const store = await openTarget(place.target);
  const jobs = Math.round(seconds * perSecond);
  // Half of all handlers are at work.
  const workMs = (options.workers * options.concurrency * 1_000) / (2 * perSecond);
  const crew = new Crew(place, { ...options, jobs, workload: { kind: 'even', workMs } });
  const samples: Sample[] = [];
  const sampler = new Sampler(place, store);
  try {
    await crew.ready();
    const spared = crew.firstWorker;
    if (spared === undefined) throw new Error('There is no worker');
    const beganMs = performance.now();
    const passedMs = (): number => performance.now() - beganMs;
    print(heading());
    const sample = async (): Promise<void> => {
      const collects = samples.length % options.samplesPerCollection === 0;
      const taken = await sampler.take(spared.child, collects);
      samples.push(taken);
      print(lineOf(taken));
    };
    for (let nextKillMs = killEveryMs, nextSampleMs = 0; passedMs() < seconds * 1_000; ) {
      crew.allow(Math.ceil((passedMs() / 1_000) * perSecond));
      await sleep(PACE_MS);
      if (passedMs() >= nextSampleMs) {
        await sample();
        nextSampleMs += sampleEveryMs;
      }
      if (passedMs() >= nextKillMs) {
        await crew.kill(await crew.pick(random(), spared));
        nextKillMs += killEveryMs;
      }
    }
    await crew.finish();
    await sample();
  } finally {
    await crew.stop();
    await store.close();
  }
  checkFlat(samples, place, options, findings);
  await checkEverything(place, { ...options, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'soak', store: place.kind, seed, figures, violations };
}

/** Postgres keeps the files of its log, up to `max_wal_size`, and uses them again. */
const POSTGRES_WAL_MIB = 1_024;

function checkFlat(
  samples: readonly Sample[],
  { kind }: Place,
  { slowdown, flat }: SoakOptions,
  findings: Findings,
): void {
  const count = Math.max(1, Math.floor(samples.length * PART));
  // Whoever has just started is still growing.
  const first = samples.slice(1, 1 + count);
  const last = samples.slice(-count);
  findings.figures.samples = samples.length;
  findings.none(
    'states that do not add up',
    samples.flatMap(({ wrong }) => wrong ?? []),
  );
  const walMib = kind === 'postgres' ? POSTGRES_WAL_MIB : flat.walMib;
  const slacks = { ...flat, walMib };
  const middle = (some: readonly Sample[], name: keyof Flatness | 'memoryMib'): number =>
    medianOf(some.flatMap((each) => each[name] ?? []));
  for (const name of ['heldMib', 'openFiles', 'walMib'] as const) {
    findings.figures[`${name} at first`] = middle(first, name);
    findings.atMost(`${name} at last`, middle(last, name), middle(first, name) + slacks[name]);
  }
  findings.figures['memoryMib at first'] = middle(first, 'memoryMib');
  findings.figures['memoryMib at last'] = middle(last, 'memoryMib');
  const p99 = (some: readonly Sample[]): number =>
    percentile(
      some.flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
      0.99,
    );
  findings.figures['p99 at first, ms'] = p99(first);
  findings.atMost('p99 at last, ms', p99(last), p99(first) * slowdown);
}

function medianOf(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
