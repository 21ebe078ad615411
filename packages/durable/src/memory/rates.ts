import { MAX_PARK_COUNT, type WaitingRate } from '../control/control-store.ts';
import { countedValue, rateOfName, type UsedRate } from '../control/rules/rate.ts';
import type { RateRooms } from '../control/rules/rate-rooms.ts';
import { compareText } from './compare-text.ts';
import type { JobTable } from './job-table.ts';
import type { Journal } from './journal.ts';

interface Row extends UsedRate {
  readonly name: string;
  readonly value: string;
}

/** What was used of each rate. */
export class RateTable {
  readonly #rows = new Map<string, Row>();
  readonly #journal: Journal;
  readonly #table: JobTable;

  constructor(journal: Journal, table: JobTable) {
    this.#journal = journal;
    this.#table = table;
  }

  readonly get = (name: string, value: string): UsedRate | undefined =>
    this.#rows.get(keyOf(name, value));

  /** Keeps what a claim has used. Returns when the first job may start that it kept back; `Infinity`: none was. */
  keep(rooms: RateRooms): number {
    let firstMs = Infinity;
    for (const { rate, value, fullUs, sinceMs, refused, nextMs } of rooms.changes()) {
      const { name } = rate;
      this.#put(keyOf(name, value), { name, value, fullUs, sinceMs });
      if (refused) firstMs = Math.min(firstMs, nextMs);
    }
    return firstMs;
  }

  /** A rate whose burst is free again has nothing to say. */
  prune(nowMs: number): void {
    for (const [key, { fullUs, sinceMs }] of this.#rows) {
      if (fullUs <= nowMs * 1_000 && sinceMs === undefined) this.#put(key, undefined);
    }
  }

  waiting(): WaitingRate[] {
    const found: WaitingRate[] = [];
    for (const { name, value, sinceMs } of this.#rows.values()) {
      const rate = rateOfName(name);
      if (sinceMs === undefined || rate === undefined) continue;
      const jobs = this.#table.ready.count((job) => countedValue(rate, job) === value);
      if (jobs === 0) continue;
      const count = Math.min(jobs, MAX_PARK_COUNT);
      found.push({ name, value, sinceMs, count, bounded: jobs > MAX_PARK_COUNT });
    }
    return found.sort((a, b) => compareText(a.name, b.name) || compareText(a.value, b.value));
  }

  #put(key: string, after: Row | undefined): void {
    const before = this.#rows.get(key);
    this.#journal.changed(() => this.#put(key, before));
    if (after === undefined) this.#rows.delete(key);
    else this.#rows.set(key, after);
  }
}

function keyOf(name: string, value: string): string {
  return `${name}\u0001${value}`;
}
