import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { seededRandom } from '@redrive/testkit';
import { until } from '@redrive/testkit/services';
import { allJobs } from '../../../packages/testkit/src/conformance/store/invariants.ts';
import { checkStore } from '../check-store.ts';
import { checkSweep } from '../check-sweep.ts';
import { Fleet, type Member } from '../fleet.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import type { SenderSettings } from '../sender-process.ts';
import { SentEvents } from '../sent-events.ts';
import { clocksOf, shiftClocks } from '../shifted-clock.ts';
import { reachedStops, SWEEP_STEPS, type SweepStop } from '../sweep-steps.ts';
import type { SweepAnswer, SweeperSettings, SweepOrder } from '../sweeper-process.ts';
import {
  type DocumentsUrl,
  insertDocuments,
  plannedDocuments,
  storedDocuments,
  WINDOW_MS,
} from '../swept-documents.ts';

export interface SweepFaultOptions {
  readonly seed: number;
  readonly documents: number;
  /** Sweepers killed after each of the five steps, and senders killed between confirmation and the end of their job. */
  readonly kills: number;
  /** Sweepers paused past their lease, after each step in turn. */
  readonly pauses: number;
  /** `false`: without the compare-and-set, and the harness must find out. */
  readonly fencing: boolean;
}

export const SWEEP: SweepFaultOptions = {
  seed: 1,
  documents: 10_000,
  kills: 20,
  pauses: 20,
  fencing: true,
};

/** Where documents and events are. */
export interface SweepPlace {
  readonly documents: DocumentsUrl;
  /** URL of RabbitMQ. Absent: the store is the bus. */
  readonly bus?: string | undefined;
  /** The events that have arrived. Default: those of the store's own source. */
  readonly received?: () => Promise<ReturnType<typeof SentEvents.all>>;
}

/** Of a claim, by the clock of the documents, and a second. */
const CLAIM_LEASE_MS = 61_000;
const SENDER = { concurrency: 4, leaseMs: 800 };
/** Of the documents, how many are swept while sweepers are killed; three sweep the others at full speed. */
const SHARE_IN_ROUNDS = 0.8;
const TIMEOUT_MS = 120_000;
/** Of a sweeper that does not come to its stop. */
const MOST_SWEEPS = 20;

/** Three sweepers at once, of which one dies or is paused after a step, round by round, while senders die too. */
export async function sweep(
  place: Place,
  options: SweepFaultOptions,
  where: SweepPlace = documentsIn(place),
): Promise<Report> {
  const { seed, documents: count, kills, pauses } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const planned = plannedDocuments(count);
  const store = await openTarget(place.target);
  const run = new SweepRun(place, store, where, options);
  await insertDocuments(where.documents, planned, run.clock);
  const random = seededRandom(seed);
  const stops = [...killsOf(kills), ...pausesOf(pauses)]
    .map((stop) => ({ stop, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ stop }) => stop);
  // Three sweepers a round, and two more sweeps while one is paused.
  const limit = Math.max(
    1,
    Math.floor((count * SHARE_IN_ROUNDS) / (stops.length * 3 + pauses * 2)),
  );
  try {
    await run.start();
    const sending = run.send(kills, random);
    for (const [round, stop] of stops.entries()) await run.round(stop, stops[round + 1], limit);
    await run.finish();
    await sending;
    await run.sent();
  } finally {
    await run.stop();
  }
  findings.figures['clock of the documents, minutes ahead'] = Math.round(run.shiftMs / 60_000);
  if (run.shiftMs >= WINDOW_MS) findings.violation('window', 'The run was longer than the window');
  checkStops(place, options, findings);
  Object.assign(findings.figures, run.figures);
  const stored = await storedDocuments(where.documents, planned, run.clock);
  const published = SentEvents.all(place.directory, 'published');
  const received = (await where.received?.()) ?? SentEvents.all(place.directory, 'received');
  const mostDuplicates = kills * SENDER.concurrency;
  const jobs = await allJobs(store);
  checkSweep({ planned, stored, jobs, published, received, mostDuplicates }, findings);
  await checkStore(store, place, findings);
  await store.close();
  findings.none('failed processes', run.failures);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'sweep', store: place.kind, seed, figures, violations };
}

/** In a database of the store's own kind. */
function documentsIn({ kind, directory, target }: Place): SweepPlace {
  return { documents: kind === 'sqlite' ? `sqlite:${join(directory, 'documents.db')}` : target };
}

function killsOf(times: number): readonly SweepStop[] {
  return SWEEP_STEPS.flatMap((after) =>
    Array.from({ length: times }, () => ({ after, signal: 'SIGKILL' }) as const),
  );
}

function pausesOf(times: number): readonly SweepStop[] {
  return Array.from({ length: times }, (_, n) => {
    return { after: SWEEP_STEPS[n % SWEEP_STEPS.length] ?? 'find', signal: 'SIGSTOP' } as const;
  });
}

function checkStops({ directory }: Place, options: SweepFaultOptions, findings: Findings): void {
  const reached = reachedStops(directory);
  const count = (signal: string, after?: string) =>
    reached.filter((stop) => stop.signal === signal && (after ?? stop.after) === stop.after).length;
  for (const after of SWEEP_STEPS)
    findings.figures[`killed after ${after}`] = count('SIGKILL', after);
  findings.figures['paused past the lease'] = count('SIGSTOP');
  const expected = options.kills * SWEEP_STEPS.length + options.pauses;
  if (reached.length < expected)
    findings.violation('stop not reached', `${reached.length} of ${expected}`);
}

class SweepRun {
  readonly clock;
  shiftMs = 0;
  readonly #place: Place;
  readonly #store: FullStore;
  readonly #where: SweepPlace;
  readonly #options: SweepFaultOptions;
  readonly #clockFile: string;
  readonly #fleet = new Fleet();
  readonly #totals = { claimed: 0, changed: 0, finished: 0 };
  readonly #healthy: Member[] = [];
  #next: Member | undefined;
  #senderKills = 0;
  #failed = 0;

  constructor(place: Place, store: FullStore, where: SweepPlace, options: SweepFaultOptions) {
    this.#place = place;
    this.#store = store;
    this.#where = where;
    this.#options = options;
    this.#clockFile = join(place.directory, 'clock.json');
    this.#shift(0);
    this.clock = clocksOf(this.#clockFile).worker;
  }

  get failures(): readonly string[] {
    return this.#fleet.failures;
  }

  get figures(): Readonly<Record<string, number>> {
    const { claimed, changed, finished } = this.#totals;
    return {
      'killed after the confirmation of an event': this.#senderKills,
      'claimed, as the survivors count': claimed,
      'lost to another sweeper before the claim': changed,
      'claims of others finished': finished,
      'failed sweeps, completed by later ones': this.#failed,
    };
  }

  async start(): Promise<void> {
    this.#healthy.push(this.#sweeper(), this.#sweeper());
    await Promise.all(this.#healthy.map(({ ready }) => ready));
    this.#fleet.checkAlive();
  }

  /** Senders that die one after the other, and at last one that lives. */
  async send(kills: number, random: () => number): Promise<void> {
    for (let kill = 0; kill < kills; kill += 1) {
      const dying = this.#sender(1 + Math.floor(random() * SENDER.concurrency));
      if ((await dying.ended) === 'SIGKILL') this.#senderKills += 1;
    }
    await this.#sender().ready;
  }

  /** Three sweeps at once. One sweeper stops; after its lease the others go on with what it left. */
  async round(stop: SweepStop, following: SweepStop | undefined, limit: number): Promise<void> {
    const victim = this.#next ?? this.#sweeper(stop);
    // Its start takes longer than a round.
    this.#next = following && this.#sweeper(following);
    await victim.ready;
    const stopping = this.#sweepToStop(victim, limit);
    await Promise.all(this.#healthy.map((each) => this.#sweep(each, limit)));
    const { own } = await stopping;
    if (stop.signal === 'SIGSTOP') {
      this.#shift(CLAIM_LEASE_MS);
      await Promise.all(this.#healthy.map((each) => this.#sweep(each, limit)));
      this.#fleet.resume(victim);
      await own;
    }
    await this.#fleet.kill(victim);
    this.#fleet.checkAlive();
    this.#shift(CLAIM_LEASE_MS);
  }

  /** Three sweepers sweep the rest at full speed, and then what dead ones have left. */
  async finish(): Promise<void> {
    this.#healthy.push(this.#sweeper());
    await Promise.all(this.#healthy.map(({ ready }) => ready));
    let good = 0;
    for (let again = 0; good < 3 && again < MOST_SWEEPS; again += 1) {
      const before = this.#failed;
      await Promise.all(this.#healthy.map((each) => this.#sweep(each)));
      this.#shift(CLAIM_LEASE_MS);
      good = this.#failed === before ? good + 1 : 0;
    }
  }

  /** Waits until every job has its result. */
  async sent(): Promise<void> {
    const isDone = async (): Promise<boolean> => {
      this.#fleet.checkAlive();
      const { groups } = await this.#store.counts();
      return groups.every(({ state, count }) => count === 0 || FINAL.has(state));
    };
    await until(isDone, { timeoutMs: TIMEOUT_MS, everyMs: 100 });
  }

  stop(): Promise<void> {
    return this.#fleet.stop();
  }

  /** Sweeps until it stops: the others may claim every document that it has found. `own`: the sweep in which it stopped. */
  async #sweepToStop(victim: Member, limit: number): Promise<{ readonly own: Promise<void> }> {
    const hasStopped = () =>
      reachedStops(this.#place.directory).some(({ worker }) => worker === victim.name);
    for (let again = 0; ; again += 1) {
      let isOver = false;
      const own = this.#sweep(victim, limit).finally(() => {
        isOver = true;
      });
      await until(() => isOver || hasStopped(), { timeoutMs: TIMEOUT_MS, everyMs: 5 });
      if (hasStopped() || again === MOST_SWEEPS) return { own };
    }
  }

  /** One sweep. Never settles where the sweeper dies. */
  async #sweep({ child }: Member, limit?: number): Promise<void> {
    const answered = new Promise<SweepAnswer>((resolve) => child.once('message', resolve));
    child.send({ limit } satisfies SweepOrder);
    const { error, ...numbers } = await answered;
    // A busy machine answers late: the sweep counts as failed, and a later one completes it.
    if (error !== undefined) this.#failed += 1;
    for (const name of ['claimed', 'changed', 'finished'] as const)
      this.#totals[name] += numbers[name];
  }

  #sweeper(stop?: SweepStop): Member {
    return this.#fleet.start('sweeper-process', (name): SweeperSettings => {
      return { ...this.#common(name), fencing: this.#options.fencing, stop };
    });
  }

  #sender(diesAfter?: number): Member {
    return this.#fleet.start('sender-process', (name): SenderSettings => {
      return { ...this.#common(name), ...SENDER, bus: this.#where.bus, diesAfter };
    });
  }

  #common(name: string) {
    const { target, directory } = this.#place;
    const { documents } = this.#where;
    return { target, directory, name, documents, clockFile: this.#clockFile };
  }

  /** Lets time pass for the documents. */
  #shift(ms: number): void {
    this.shiftMs += ms;
    shiftClocks(this.#clockFile, { storeMs: 0, workerMs: this.shiftMs });
  }
}

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled', 'purged']);
