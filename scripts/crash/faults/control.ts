import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationStatus } from '@redrive/durable/control';
import { seededRandom } from '@redrive/testkit';
import { until } from '@redrive/testkit/services';
import { checkControl } from '../check-control.ts';
import { checkEverything } from '../check-everything.ts';
import { Crew } from '../crew.ts';
import { type DependencyState, HEALTHY, setDependency } from '../dependency.ts';
import { openTarget } from '../open-target.ts';
import { Operator } from '../operator.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface ControlOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly kills: number;
  readonly pauses: number;
  /** Times that the operator stops something, or the dependency is in trouble. */
  readonly episodes: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** So long after a stop has begun, nothing starts any more. */
  readonly seenWithinMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  readonly fencing: boolean;
  readonly ledger: boolean;
}

export const CONTROL: ControlOptions = {
  seed: 1,
  jobs: 3_000,
  kills: 100,
  pauses: 15,
  episodes: 40,
  workers: 4,
  concurrency: 4,
  leaseMs: 1_500,
  sweepMs: 300,
  slackMs: 3_000,
  seenWithinMs: 1_000,
  fencing: true,
  ledger: true,
};

/** About how long an episode takes: blows are spread over all of them. */
const EPISODE_MS = 1_300;
/** Longest wait between two episodes. */
const GAP_MS = 200;
/** When so much of the run is over, what made jobs die is mended, and they are sent back. */
const MENDED_AT = 0.5;
/** Of the jobs that come in before anything happens. */
const FIRST_SHARE = 0.2;
const OPERATION = 'send-back';
/** A paused process may hold the one write lock of SQLite, and the harness must not give up before it wakes up. */
const PATIENCE_MS = 30_000;
const OPERATION_TIMEOUT_MS = 120_000;
const STOPS = 'stops';

/**
 * Kills and pauses workers while an operator throws kill switches and pauses the queue, a dependency limits, fails and
 * comes back, and a bulk operation is carried out.
 */
export async function control(place: Place, options: ControlOptions): Promise<Report> {
  const { seed, workers, concurrency } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const dependencyFile = join(place.directory, 'dependency');
  setDependency(dependencyFile, HEALTHY);
  const store = await openTarget(place.target, { timeoutMs: PATIENCE_MS });
  const operator = new Operator(store, join(place.directory, STOPS));
  const workload = { kind: 'control' } as const;
  const crew = new Crew(place, { ...options, dependencyFile, workload, longShare: 0 });
  const trouble = new Trouble(operator, dependencyFile, seededRandom(seed + 1));
  try {
    await crew.ready();
    // Somebody must have died before there is anything to send back.
    crew.allow(Math.ceil(options.jobs * FIRST_SHARE));
    const hasDead = async () => (await store.countDead({ handler: 'fragile' }, 1)).count > 0;
    await until(hasDead, { timeoutMs: OPERATION_TIMEOUT_MS, everyMs: 50 });
    const struck = strike(crew, options).finally(() => trouble.end());
    await Promise.all([struck, trouble.run(options.episodes)]);
    trouble.heal();
    const isActedOn = async () => (await operationStatus(store, OPERATION))?.state === 'finished';
    // What was not done in time is found by the checks.
    await until(isActedOn, { timeoutMs: OPERATION_TIMEOUT_MS, everyMs: 200 });
    await crew.finish();
  } finally {
    await crew.stop();
  }
  findings.figures.episodes = trouble.episodes;
  findings.figures.interrupts = trouble.interrupts;
  const bounds = { ...options, stops: STOPS, operation: OPERATION };
  await checkControl(store, place.directory, bounds, findings);
  await store.close();
  // Handlers here listen to no signal: an attempt that was interrupted runs on, and its job is run again.
  const losses = { losses: trouble.interrupts, extraRunsPerLoss: workers * concurrency };
  await checkEverything(place, { ...options, ...losses, failures: crew.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'control', store: place.kind, seed, figures, violations };
}

/** Kills workers, and pauses some for longer than their leases, while jobs come in. */
async function strike(crew: Crew, options: ControlOptions): Promise<void> {
  const { seed, jobs, kills, pauses, episodes, leaseMs } = options;
  const random = seededRandom(seed);
  const resumed: Promise<void>[] = [];
  const blows = kills + pauses;
  const gapMs = (episodes * EPISODE_MS) / blows;
  let pausesLeft = pauses;
  for (let blow = 0; blow < blows; blow++) {
    const isPause = random() < pausesLeft / (blows - blow);
    crew.allow(Math.ceil(jobs * Math.max(FIRST_SHARE, (blow + 1) / blows)));
    await sleep(gapMs * (0.5 + random()));
    const victim = await crew.pick(random());
    if (isPause) {
      pausesLeft -= 1;
      resumed.push(crew.pauseFor(victim, leaseMs * (1.4 + 0.6 * random())));
    } else {
      await crew.kill(victim);
    }
  }
  await Promise.all(resumed);
}

/** One trouble after the other, each of which ends. */
class Trouble {
  readonly #operator: Operator;
  readonly #file: string;
  readonly #random: () => number;
  #state: DependencyState = HEALTHY;
  #interrupts = 0;
  #episodes = 0;
  #isEnding = false;

  constructor(operator: Operator, file: string, random: () => number) {
    this.#operator = operator;
    this.#file = file;
    this.#random = random;
  }

  /** Kill switches that interrupted what ran. */
  get interrupts(): number {
    return this.#interrupts;
  }

  get episodes(): number {
    return this.#episodes;
  }

  /** So many at least, and as long as workers are struck: on a slow machine that takes longer. */
  async run(episodes: number): Promise<void> {
    let requeued: Promise<void> | undefined;
    for (let episode = 0; episode < episodes || !this.#isEnding; episode++) {
      this.#episodes += 1;
      if (requeued === undefined && episode >= episodes * MENDED_AT) {
        this.#set({ isMended: true });
        requeued = this.#operator.requeue(OPERATION, 'fragile');
      }
      const kind = KINDS[episode % KINDS.length] ?? 'down';
      await this.#carryOut(kind);
      await sleep(this.#random() * GAP_MS);
    }
    await requeued;
  }

  /** Nobody is struck any more. */
  end(): void {
    this.#isEnding = true;
  }

  heal(): void {
    this.#set({ answers: 'ok' });
  }

  async #carryOut(kind: (typeof KINDS)[number]): Promise<void> {
    const chance = this.#random;
    switch (kind) {
      case 'limited':
        return this.#dependency({ answers: 'limited', hintMs: 300 + chance() * 500 }, 400);
      case 'down':
        return this.#dependency({ answers: 'down' }, 800 + chance() * 1_200);
      case 'pause':
        return this.#operator.pause('default', 1_100 + chance() * 700);
      default: {
        const mode = chance() < 0.3 ? 'interrupt' : 'finish';
        if (mode === 'interrupt') this.#interrupts += 1;
        const target =
          kind === 'all' ? ({ scope: 'all' } as const) : { scope: kind, name: NAMES[kind] };
        const forMs = 1_100 + chance() * 700;
        return this.#operator.kill(target, { mode, forMs, paced: chance() < 0.5 });
      }
    }
  }

  async #dependency(state: Partial<DependencyState>, forMs: number): Promise<void> {
    this.#set(state);
    await sleep(forMs);
    this.#set({ answers: 'ok' });
  }

  #set(state: Partial<DependencyState>): void {
    this.#state = { ...this.#state, ...state };
    setDependency(this.#file, this.#state);
  }
}

/** In turns, so that a short run has all of them. */
const KINDS = ['all', 'limited', 'down', 'queue', 'pause', 'operation', 'tenant'] as const;
const NAMES = { queue: 'default', operation: 'call', tenant: 't1' } as const;
