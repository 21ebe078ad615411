import { MAX_PARK_COUNT, type Park } from '../control/control-store.ts';
import type { Job } from '../job/job.ts';
import { compareText } from './compare-text.ts';
import { SortedList } from './sorted-list.ts';

/** Parked jobs by their cause, in the order in which they are released. */
export class ParkedJobs {
  readonly #byCause = new Map<string, SortedList<Job>>();

  add(job: Job): void {
    const { cause } = job;
    if (job.state !== 'parked' || cause === undefined) return;
    const jobs = this.#byCause.get(cause) ?? new SortedList(byOrder);
    jobs.add(job);
    this.#byCause.set(cause, jobs);
  }

  remove(job: Job): void {
    const { cause = '' } = job;
    const jobs = job.state === 'parked' ? this.#byCause.get(cause) : undefined;
    jobs?.remove(job);
    if (jobs?.size === 0) this.#byCause.delete(cause);
  }

  first(cause: string, limit: number): Job[] {
    const first: Job[] = [];
    for (const job of this.#byCause.get(cause) ?? []) {
      if (first.length === limit) break;
      first.push(job);
    }
    return first;
  }

  /** By due time alone, whatever their priority. */
  inTurn(cause: string, limit: number): Job[] {
    return [...(this.#byCause.get(cause) ?? [])].sort(byTurn).slice(0, limit);
  }

  has(cause: string): boolean {
    return this.#byCause.has(cause);
  }

  parks(): Park[] {
    const parks = [...this.#byCause].map(([cause, { size }]) => {
      return { cause, count: Math.min(size, MAX_PARK_COUNT), bounded: size > MAX_PARK_COUNT };
    });
    return parks.sort((a, b) => compareText(a.cause, b.cause));
  }
}

function byOrder(a: Job, b: Job): number {
  return b.priority - a.priority || byTurn(a, b);
}

function byTurn(a: Job, b: Job): number {
  return dueAtMs(a) - dueAtMs(b) || compareText(a.id, b.id);
}

function dueAtMs(job: Job): number {
  return job.dueAtMs ?? 0; // A parked job has one.
}
