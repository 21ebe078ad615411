import type { Clock, Timer } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { Activity } from '../jobs/idle.ts';
import type { StopOptions } from '../jobs/jobs.ts';
import type { WorkerProblem } from './health.ts';
import type { Reporter } from './reporter.ts';
import type { Worker } from './worker.ts';

/** Attempts that still run after the grace time are released. Then they have this long to finish and to be written. */
const RELEASE_MS = 2_000;

/** At most a day: longer is a mistake of units. */
export const GRACE_MS = [30_000, { kind: 'number', min: 0, max: 86_400_000 }] as const;

const OPTIONS: OptionTable<StopOptions> = {
  mode: ['finish', { kind: 'choice', values: ['finish', 'release'] }],
  graceMs: GRACE_MS,
};

/** Starts and stops workers, one at a time. */
export class WorkerControl {
  readonly #clock: Clock;
  readonly #reporter: Reporter;
  readonly #prepare: () => Promise<void>;
  readonly #newWorker: () => Worker;
  current: Worker | undefined = undefined;
  #starting: Promise<void> | undefined;
  #stopping: Stopping | undefined;

  constructor(
    clock: Clock,
    reporter: Reporter,
    prepare: () => Promise<void>,
    newWorker: () => Worker,
  ) {
    this.#clock = clock;
    this.#reporter = reporter;
    this.#prepare = prepare;
    this.#newWorker = newWorker;
  }

  get activity(): Activity {
    if (this.current === undefined) return 'none';
    return this.current.isBusy() ? 'busy' : 'idle';
  }

  get problem(): WorkerProblem {
    if (this.#stopping !== undefined) return 'stopping';
    if (this.current !== undefined) return undefined;
    return this.#starting === undefined ? 'not started' : 'starting';
  }

  /** The worker. While it starts, this waits for it. */
  async started(): Promise<Worker | undefined> {
    if (this.current === undefined) await this.#starting?.catch(() => {});
    return this.current;
  }

  /** Harmless when it works already. While it stops, the next one starts afterwards. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    await this.#stopping?.done;
    if (this.current !== undefined) return;
    await this.#prepare();
    this.current = this.#newWorker();
    this.current.start();
  }

  /** A second call may be stricter than the first: then it counts from now. */
  async stop(given: StopOptions = {}): Promise<void> {
    const { mode, graceMs } = resolveOptions('stop', given, OPTIONS);
    // Where it cannot start, there is nothing to stop.
    if (this.current === undefined) await this.started();
    if (this.current === undefined) return;
    if (this.#stopping === undefined) {
      const { running } = this.current;
      this.#reporter.notify({ kind: 'stopping', mode, running });
      this.#stopping = new Stopping(this.#clock, this.current);
      void this.#stopping.done.then((abandoned) => {
        this.current = undefined;
        this.#stopping = undefined;
        this.#reporter.notify({ kind: 'stopped', abandoned });
      });
    }
    this.#stopping.releaseIn(mode === 'release' ? 0 : graceMs);
    await this.#stopping.done;
  }
}

/** Stops one worker: its attempts may finish, then they are released, then abandoned. */
class Stopping {
  /** How many attempts were abandoned. */
  readonly done: Promise<number>;
  readonly #clock: Clock;
  readonly #worker: Worker;
  #releaseAtMs = Infinity;
  #released = false;
  #timer: Timer | undefined;
  #abandoned = 0;
  #giveUp: () => void = () => {};

  constructor(clock: Clock, worker: Worker) {
    this.#clock = clock;
    this.#worker = worker;
    worker.quiesce();
    const tooLong = new Promise<void>((resolve) => {
      this.#giveUp = resolve;
    });
    this.done = Promise.race([worker.quiet(), tooLong]).then(async () => {
      this.#timer?.cancel();
      await worker.leave();
      worker.close();
      return this.#abandoned;
    });
  }

  releaseIn(delayMs: number): void {
    const releaseAtMs = this.#clock.monotonic() + delayMs;
    if (this.#released || releaseAtMs >= this.#releaseAtMs) return;
    this.#releaseAtMs = releaseAtMs;
    this.#in(delayMs, () => this.#release());
  }

  #release(): void {
    this.#released = true;
    this.#worker.interrupt();
    this.#in(RELEASE_MS, () => this.#abandon());
  }

  #abandon(): void {
    this.#abandoned = this.#worker.abandon();
    // A last chance to write finished attempts.
    this.#in(RELEASE_MS, () => this.#giveUp());
  }

  #in(delayMs: number, then: () => void): void {
    this.#timer?.cancel();
    if (delayMs === 0) then();
    else this.#timer = this.#clock.setTimer(delayMs, then);
  }
}
