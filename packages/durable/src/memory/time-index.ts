import type { Job } from '../job/job.ts';
import { compareText } from './compare-text.ts';
import { SortedList } from './sorted-list.ts';

interface Entry {
  readonly atMs: number;
  readonly id: string;
}

/** The jobs that have a certain time, by it and then by id. */
export class TimeIndex implements Iterable<string> {
  readonly #entries = new SortedList<Entry>((a, b) => a.atMs - b.atMs || compareText(a.id, b.id));
  readonly #timeOf: (job: Job) => number | undefined;

  /** `timeOf` answers `undefined` for a job that does not belong in here. */
  constructor(timeOf: (job: Job) => number | undefined) {
    this.#timeOf = timeOf;
  }

  /** Follows a change of one job; `undefined`: it does not exist. */
  change(before: Job | undefined, after: Job | undefined): void {
    const was = before && this.#entryOf(before);
    const is = after && this.#entryOf(after);
    if (was?.atMs === is?.atMs) return;
    if (was !== undefined) this.#entries.remove(was);
    if (is !== undefined) this.#entries.add(is);
  }

  #entryOf(job: Job): Entry | undefined {
    const atMs = this.#timeOf(job);
    return atMs === undefined ? undefined : { atMs, id: job.id };
  }

  get earliestMs(): number | undefined {
    return this.#entries.first()?.atMs;
  }

  /** Ids whose time is `nowMs` or before, the earliest first. */
  dueBy(nowMs: number, limit = Number.POSITIVE_INFINITY): string[] {
    const ids: string[] = [];
    for (const { atMs, id } of this.#entries) {
      if (atMs > nowMs || ids.length >= limit) break;
      ids.push(id);
    }
    return ids;
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const { id } of this.#entries) yield id;
  }

  /** From the earliest on, beginning above `after`. */
  *earliestFirst(after?: Entry): Iterable<string> {
    for (const { id } of this.#entries.forwards(after)) yield id;
  }

  /** From the latest back, beginning below `before`. */
  *latestFirst(before?: Entry): Iterable<string> {
    for (const { id } of this.#entries.backwards(before)) yield id;
  }
}
