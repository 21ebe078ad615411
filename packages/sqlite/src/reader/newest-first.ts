import type { DatabaseSync } from 'node:sqlite';
import { compareText } from '@redrive/durable/store';
import { type Query, query } from '../database/statement.ts';

export type Found = readonly [n: number, submittedAt: number, id: string];

/** The times and the place before which the list begins. */
export interface Between {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  readonly after?: { readonly atMs: number; readonly id: string } | undefined;
}

const AT_ONCE = 500;

/** A range of row numbers, and its next jobs from the highest number down. */
interface Range {
  readonly from: number;
  to: number;
  jobs: readonly Found[];
  index: number;
}

/**
 * Jobs by their submission, the newest first, then by id from the last. No index is needed: a later job has a higher
 * number, so that the numbers are in the order of time. Where the clock was set back, a new range of numbers begins
 * (`clock_steps`), and the ranges are merged.
 */
export class NewestFirst {
  readonly #steps: Query<[n: number]>;
  readonly #last: Query<[n: number | null]>;
  readonly #next: Query<[n: number, submittedAt: number]>;
  readonly #jobs: Query<[...Found]>;

  constructor(db: DatabaseSync) {
    this.#steps = query(db, 'SELECT n FROM clock_steps ORDER BY n');
    this.#last = query(db, 'SELECT max(n) FROM jobs');
    this.#next = query(
      db,
      'SELECT n, submitted_at FROM jobs WHERE n >= ? AND n < ? ORDER BY n LIMIT 1',
    );
    this.#jobs = query(
      db,
      'SELECT n, submitted_at, id FROM jobs WHERE n >= ? AND n < ? ORDER BY n DESC LIMIT ?',
    );
  }

  *jobs({ fromMs, beforeMs, after }: Between): Generator<Found, void> {
    const untilMs = Math.min(beforeMs ?? Infinity, after === undefined ? Infinity : after.atMs + 1);
    const ranges = this.#ranges().map(([from, to]): Range => {
      const first = fromMs === undefined ? from : this.#firstSince(fromMs, from, to);
      const end = untilMs === Infinity ? to : this.#firstSince(untilMs, first, to);
      return { from: first, to: end, jobs: [], index: 0 };
    });
    for (;;) {
      let newest = -Infinity;
      for (const range of ranges) newest = Math.max(newest, this.#head(range)?.[1] ?? -Infinity);
      if (newest === -Infinity) return;
      const alike = ranges.flatMap((range) => this.#take(range, newest));
      alike.sort((a, b) => compareText(b[2], a[2]));
      for (const job of alike) {
        if (newest !== after?.atMs || compareText(job[2], after.id) < 0) yield job;
      }
    }
  }

  #ranges(): (readonly [from: number, to: number])[] {
    const end = (this.#last.get()?.[0] ?? 0) + 1;
    const starts = [0, ...this.#steps.all().map(([n]) => n)];
    return starts.map((from, index) => [from, starts[index + 1] ?? end]);
  }

  /** The first number from which on all jobs of a range were submitted at this time or later. */
  #firstSince(atMs: number, from: number, to: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [n, submittedAt] = this.#next.get(middle, high) ?? [high, Infinity];
      if (submittedAt >= atMs) high = middle;
      else low = n + 1;
    }
    return low;
  }

  #head(range: Range): Found | undefined {
    if (range.index === range.jobs.length) {
      range.jobs = this.#jobs.all(range.from, range.to, AT_ONCE);
      range.index = 0;
      range.to = range.jobs.at(-1)?.[0] ?? range.from;
    }
    return range.jobs[range.index];
  }

  #take(range: Range, submittedAt: number): Found[] {
    const taken: Found[] = [];
    for (let job = this.#head(range); job?.[1] === submittedAt; job = this.#head(range)) {
      taken.push(job);
      range.index += 1;
    }
    return taken;
  }
}
