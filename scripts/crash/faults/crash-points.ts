import { setTimeout as sleep } from 'node:timers/promises';
import { type FullStore, jobsOn } from '@redrive/durable';
import { seededRandom } from '@redrive/testkit';
import { until } from '@redrive/testkit/services';
import { checkEverything } from '../check-everything.ts';
import type { CrashPointSettings } from '../crash-point-process.ts';
import { CRASH_POINTS, type CrashPoint, DISK_POINTS, type DiskPoint } from '../crash-points.ts';
import { withDiskFault } from '../disk-fault.ts';
import { Evidence } from '../evidence.ts';
import { Fleet } from '../fleet.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';
import type { Work } from '../workload.ts';

export interface CrashPointOptions {
  readonly seed: number;
  readonly points: readonly CrashPoint[];
  /** Crashes at each point. */
  readonly times: number;
}

const LEASE_MS = 600;
const SWEEP_MS = 100;
/** Jobs of each crash. */
const JOBS = 3;
/** Crashes at once. */
const AT_ONCE = 4;
const FINISH_TIMEOUT_MS = 60_000;

/** All points that a store has. */
export function pointsOf(kind: Place['kind']): readonly CrashPoint[] {
  return kind === 'sqlite' ? [...CRASH_POINTS, ...DISK_POINTS] : CRASH_POINTS;
}

/** Lets a process die at each named point, again and again, and a healthy one take over what it left. */
export async function crashPoints(place: Place, options: CrashPointOptions): Promise<Report> {
  const { seed, points, times } = options;
  const startedMs = performance.now();
  const store = await openTarget(place.target);
  const run = new CrashRun(place, store, seed);
  const findings = new Findings();
  let crashes = 0;
  try {
    // A rescue takes all leases that have run out: two at a time would take each other's.
    const rescues = points.filter((point) => point.endsWith('rescue'));
    const others = points.filter((point) => !point.endsWith('rescue'));
    const reached = [
      ...(await run.crashAt(repeat(others, times), AT_ONCE)),
      ...(await run.crashAt(repeat(rescues, times), 1)),
    ];
    crashes = reached.length;
    for (const point of points) {
      const count = reached.filter((each) => each === point).length;
      findings.figures[point] = count;
      if (count < times) findings.violation('point not reached', `${point}: ${count} times`);
    }
    await run.recover();
  } finally {
    await run.stop();
    await store.close();
  }
  // Each crash costs at most what ran in its process; those of a rescue have killed two.
  const bounds = { workers: 1, concurrency: 1, losses: crashes * 2, extraRunsPerLoss: 1 };
  const timing = { leaseMs: LEASE_MS, sweepMs: SWEEP_MS, slackMs: Number.POSITIVE_INFINITY };
  await checkEverything(place, { ...bounds, ...timing, failures: run.failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'crash points', store: place.kind, seed, figures, violations };
}

class CrashRun {
  readonly #place: Place;
  readonly #store: FullStore;
  readonly #evidence: Evidence;
  readonly #random: () => number;
  readonly #fleet = new Fleet();
  #crashes = 0;

  constructor(place: Place, store: FullStore, seed: number) {
    this.#place = place;
    this.#store = store;
    this.#evidence = new Evidence(place.directory);
    this.#random = seededRandom(seed);
  }

  /** Lets a process die at each of the points. Answers at which ones they did. */
  async crashAt(points: readonly CrashPoint[], atOnce: number): Promise<readonly CrashPoint[]> {
    const left = [...points];
    const reached: CrashPoint[] = [];
    const lane = async (): Promise<void> => {
      for (let point = left.shift(); point !== undefined; point = left.shift()) {
        if (await this.#crash(point)) reached.push(point);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return reached;
  }

  async #crash(point: CrashPoint): Promise<boolean> {
    this.#crashes += 1;
    const queue = `q${this.#crashes}`;
    const heartbeats = point.endsWith('heartbeat');
    const works = Array.from(
      { length: JOBS },
      (_, n): Work => ({
        key: `${queue}-${n}`,
        workMs: heartbeats ? LEASE_MS * 2 : 5,
        failsFirst: false,
        hasNext: true,
      }),
    );
    if (point.endsWith('enqueue')) return this.#die(point, queue, works);
    await this.#submit(queue, works);
    if (point.endsWith('rescue')) {
      // The first claim finds a job for certain: a later one may find nothing, and then there is no lease to rescue.
      await this.#die('after claim', queue, [], 1);
      // Otherwise the jobs that are left would keep it busy.
      await sleep(LEASE_MS);
    }
    return this.#die(point, queue);
  }

  async #submit(queue: string, works: readonly Work[]): Promise<void> {
    const jobs = jobsOn(this.#store, { work: (_: Work): void => {} });
    for (const work of works) {
      this.#evidence.attempted.write({ key: work.key, atMs: Date.now() });
      const { id } = await jobs.enqueue('work', work, { queue, idempotencyKey: work.key });
      this.#evidence.accepted.write({ key: work.key, id, atMs: Date.now() });
    }
  }

  async #die(
    point: CrashPoint,
    queue: string,
    submits: readonly Work[] = [],
    nth = 1 + Math.floor(this.#random() * timesAt(point)),
  ): Promise<boolean> {
    const onDisk = DISK_POINTS.some((each) => each === point);
    const settings: Omit<CrashPointSettings, 'name'> = {
      ...this.#settings(),
      ...(onDisk ? {} : { point }),
      ...{ nth, queue, submits, duringMs: this.#random() * 3 },
    };
    // `onDisk` says so.
    const launcher = onDisk ? await diskLauncher(point as DiskPoint, nth) : undefined;
    const member = this.#fleet.start(
      'crash-point-process',
      (name) => ({ ...settings, name }),
      launcher === undefined ? {} : { launcher },
    );
    return (await member.ended) === 'SIGKILL';
  }

  /** A healthy worker ends what is left. */
  async recover(): Promise<void> {
    this.#fleet.start('worker-process', (name) => ({ ...this.#settings(), name, concurrency: 8 }));
    const isDone = async (): Promise<boolean> => {
      const { groups } = await this.#store.counts();
      return groups.every(({ state, count }) => count === 0 || state === 'succeeded');
    };
    await until(isDone, { timeoutMs: FINISH_TIMEOUT_MS, everyMs: 100 });
  }

  get failures(): readonly string[] {
    return this.#fleet.failures;
  }

  stop(): Promise<void> {
    return this.#fleet.stop();
  }

  #settings(): Omit<
    CrashPointSettings,
    'name' | 'point' | 'nth' | 'duringMs' | 'queue' | 'submits'
  > {
    const { target, directory } = this.#place;
    return {
      ...{ target, directory, leaseMs: LEASE_MS, sweepMs: SWEEP_MS, pollMs: 50 },
      ...{ seed: 0, longShare: 0, concurrency: 1, timeoutMs: 60_000, fencing: true },
    };
  }
}

function repeat<T>(list: readonly T[], times: number): readonly T[] {
  return list.flatMap((each) => Array.from({ length: times }, () => each));
}

/** How often a process comes to a point, at least. */
function timesAt(point: CrashPoint): number {
  switch (point.split(' ').at(-1)) {
    case 'policies':
    case 'rescue':
      return 1;
    case 'heartbeat':
      return 2;
    case 'sync':
      return 4;
    case 'write':
      return 20;
    default:
      return JOBS;
  }
}

function diskLauncher(point: DiskPoint, nth: number) {
  const call = point === 'at a write' ? 'pwrite64' : 'fsync,fdatasync';
  return withDiskFault(call, `signal=SIGKILL:when=${nth}`);
}
