import { setTimeout as sleep } from 'node:timers/promises';
import type { JobSummary } from '@redrive/durable';
import { mostUncharged } from '../../../packages/testkit/src/conformance/poison.ts';
import { allJobs } from '../../../packages/testkit/src/conformance/store/invariants.ts';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import { type Facts, readEvidence } from '../evidence.ts';
import { latenciesOf, percentile } from '../latencies.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import { nthJob, POISON_ATTEMPTS } from '../workload.ts';

export interface PoisonOptions {
  readonly seed: number;
  /** Healthy ones, before the first poison and again beside it. */
  readonly jobs: number;
  /** Jobs that end their process: by `process.exit`, by SIGKILL and by using up its memory, in turns. */
  readonly poisons: number;
  readonly perSecond: number;
  /** So many times may the 99th percentile of healthy jobs rise. */
  readonly slowdown: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  readonly fencing: boolean;
}

export const POISON: PoisonOptions = {
  seed: 1,
  jobs: 3_000,
  poisons: 6,
  perSecond: 50,
  slowdown: 3,
  workers: 4,
  concurrency: 4,
  leaseMs: 1_500,
  sweepMs: 300,
  slackMs: 1_000,
  fencing: true,
};

const BUNCH_MS = 100;

/** Some jobs end the process of whoever runs them. First a run without them, to compare with. */
export async function poison(place: Place, options: PoisonOptions): Promise<Report> {
  const { seed, jobs, poisons, perSecond } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const workload = { kind: 'poison', first: jobs + 1, every: Math.floor(jobs / poisons) } as const;
  const crew = new Crew(place, { ...options, jobs: jobs * 2, workload, mortal: true });
  const submit = async (from: number, to: number): Promise<void> => {
    for (let upTo = from; upTo < to; upTo += (perSecond * BUNCH_MS) / 1_000) {
      crew.allow(Math.ceil(upTo));
      await sleep(BUNCH_MS);
    }
    await crew.finish(to);
  };
  try {
    await crew.ready();
    await submit(0, jobs);
    await submit(jobs, jobs * 2);
  } finally {
    await crew.stop();
  }
  const facts = readEvidence(place.directory);
  const store = await openTarget(place.target);
  const stored = await allJobs(store);
  await store.close();
  checkPoison(stored, facts, options, findings);
  const isOfRun = (run: 1 | 2) => (key: string) => {
    const n = Number(key.slice(1));
    const { handler } = nthJob({ ...options, longShare: 0, workload }, n);
    return handler === 'work' && n > jobs === (run === 2);
  };
  checkHealthy(latenciesOf(facts, isOfRun(1)), latenciesOf(facts, isOfRun(2)), options, findings);
  await checkEverything(place, { ...options, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'poison', store: place.kind, seed, figures, violations };
}

/**
 * Each poison is dead after its attempts, and has ended no more processes than those and the few that it shared. Some end
 * fewer: another one in the same process came first. Healthy jobs have as few attempts, and lose none to it.
 */
function checkPoison(
  stored: readonly JobSummary[],
  facts: Facts,
  { concurrency }: PoisonOptions,
  findings: Findings,
): void {
  const shared = mostUncharged(concurrency);
  const poisons = stored.filter(({ handler }) => handler === 'poison');
  const wrong: string[] = [];
  for (const { id, idempotencyKey, state } of poisons) {
    const runs = facts.deeds.filter(
      ({ what, key }) => what === 'start' && key === idempotencyKey,
    ).length;
    if (state !== 'dead' || runs > POISON_ATTEMPTS + shared)
      wrong.push(`${id}: ${state}, ${runs} runs`);
  }
  findings.figures.poisons = poisons.length;
  findings.none('poisons that are not dead after their attempts', wrong);
  findings.none(
    'healthy jobs that have not succeeded',
    stored
      .filter(({ handler, state }) => handler === 'work' && state !== 'succeeded')
      .map(({ id, state }) => `${id} is ${state}`),
  );
}

function checkHealthy(
  before: readonly number[],
  beside: readonly number[],
  { slowdown }: PoisonOptions,
  findings: Findings,
): void {
  const p99Before = percentile(before, 0.99);
  findings.figures['healthy p99 without poison, ms'] = p99Before;
  findings.figures['healthy longest beside poison, ms'] = beside.at(-1) ?? 0;
  const p99 = percentile(beside, 0.99);
  findings.atMost('healthy p99 beside poison, ms', p99, p99Before * slowdown);
}
