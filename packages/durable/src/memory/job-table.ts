import { isFinal, type Job, type JobState } from '../job/job.ts';
import { ReadyQueue } from './ready-queue.ts';
import { TimeIndex } from './time-index.ts';

/** All jobs, with what finds them. A job is never changed in place: `put` takes the new one. */
export class JobTable {
  readonly ready = new ReadyQueue();
  /** By the time they are due. */
  readonly scheduled = new TimeIndex((job) => whenIn(job, 'scheduled', job.dueAtMs));
  /** By the time they are released. */
  readonly parked = new TimeIndex((job) => whenIn(job, 'parked', job.dueAtMs));
  /** By the end of their lease. */
  readonly leased = new TimeIndex((job) => job.lease?.untilMs);
  /** What waits, by its deadline. */
  readonly deadlines = new TimeIndex((job) => (waits(job.state) ? job.deadlineMs : undefined));
  readonly finished = new TimeIndex((job) => job.finishedAtMs);
  readonly submitted = new TimeIndex((job) => job.submittedAtMs);
  readonly #jobs = new Map<string, Job>();
  /** Unique key to the id of the unfinished job that has it. */
  readonly #holders = new Map<string, string>();
  /** Leased jobs per handler and limit key. */
  readonly #leasedPerKey = new Map<string, number>();
  /** How the jobs were that a step has changed. Only during one. */
  #undo: Map<string, Job | undefined> | undefined;

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  [Symbol.iterator](): Iterator<Job> {
    return this.#jobs.values();
  }

  /** The id of the unfinished job with this unique key. */
  holderOf(uniqueKey: string): string | undefined {
    return this.#holders.get(uniqueKey);
  }

  leasedWith(handler: string, limitKey: string): number {
    return this.#leasedPerKey.get(limitName(handler, limitKey)) ?? 0;
  }

  put(job: Job): void {
    this.#change(job.id, job);
  }

  delete(id: string): void {
    this.#change(id, undefined);
  }

  /** Does all of `step` or, when it throws, nothing of it. */
  atomically<T>(step: () => T): T {
    const undo = new Map<string, Job | undefined>();
    this.#undo = undo;
    try {
      return step();
    } catch (error) {
      this.#undo = undefined;
      for (const [id, job] of undo) this.#change(id, job);
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  #change(id: string, after: Job | undefined): void {
    const before = this.#jobs.get(id);
    if (this.#undo?.has(id) === false) this.#undo.set(id, before);
    if (before !== undefined) this.#forget(before);
    for (const index of this.#timeIndexes()) index.change(before, after);
    if (after === undefined) this.#jobs.delete(id);
    else this.#remember(after);
  }

  #timeIndexes(): readonly TimeIndex[] {
    const { scheduled, parked, leased, deadlines, finished, submitted } = this;
    return [scheduled, parked, leased, deadlines, finished, submitted];
  }

  #remember(job: Job): void {
    this.#jobs.set(job.id, job);
    if (job.state === 'ready') this.ready.add(job);
    if (job.uniqueKey !== undefined && !isFinal(job.state))
      this.#holders.set(job.uniqueKey, job.id);
    this.#countLease(job, 1);
  }

  #forget(job: Job): void {
    if (job.state === 'ready') this.ready.remove(job);
    if (job.uniqueKey !== undefined && this.#holders.get(job.uniqueKey) === job.id) {
      this.#holders.delete(job.uniqueKey);
    }
    this.#countLease(job, -1);
  }

  #countLease({ state, handler, limitKey }: Job, by: 1 | -1): void {
    if (state !== 'leased' || limitKey === undefined) return;
    const count = this.leasedWith(handler, limitKey) + by;
    if (count === 0) this.#leasedPerKey.delete(limitName(handler, limitKey));
    else this.#leasedPerKey.set(limitName(handler, limitKey), count);
  }
}

function whenIn(job: Job, state: JobState, timeMs: number | undefined): number | undefined {
  return job.state === state ? timeMs : undefined;
}

function waits(state: JobState): boolean {
  return state === 'scheduled' || state === 'ready' || state === 'parked';
}

function limitName(handler: string, limitKey: string): string {
  return JSON.stringify([handler, limitKey]);
}
