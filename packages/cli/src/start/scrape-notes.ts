import type { Clock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { redact } from '@redrive/durable/store';
import type { Log } from '../log/worker-log.ts';
import type { Scrape } from './health-server.ts';

type Scraper = Omit<Scrape, 'accept'>;

interface Seen {
  /** Scrapes that are not on record yet. */
  scrapes: number;
  sinceMs: number;
  /** No record is written before. */
  nextMs: number;
}

const HOUR_MS = 3_600_000;
/** After a record that could not be written. */
const AGAIN_MS = 60_000;
/** Scrapers that have a record each; further ones share a record. */
const MAX_SCRAPERS = 20;
const MAX_NAME = 100;

/**
 * Records who reads the metrics, in the audit log: at the first scrape and then once an hour, with the number of scrapes
 * since the record before. A scrape does not wait for its record: metrics are most needed when a store is in trouble.
 */
export class ScrapeNotes {
  readonly #store: Pick<Store, 'apply'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #seen = new Map<string, Seen>();
  #isFailing = false;

  constructor(store: Pick<Store, 'apply'>, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  scraped(scraper: Scraper): void {
    const nowMs = this.#clock.now();
    const name = this.#nameOf(scraper);
    const seen = this.#seen.get(name) ?? { scrapes: 0, sinceMs: nowMs, nextMs: nowMs };
    this.#seen.set(name, seen);
    seen.scrapes += 1;
    // A clock that was set back does not silence it for longer than an hour.
    if (nowMs >= seen.nextMs || seen.nextMs - nowMs > HOUR_MS) void this.#write(name, seen, nowMs);
  }

  /** Writes the counts that are not on record yet. Never rejects. */
  async close(): Promise<void> {
    const open = [...this.#seen].filter(([, { scrapes }]) => scrapes > 0);
    const nowMs = this.#clock.now();
    await Promise.all(open.map(([name, seen]) => this.#write(name, seen, nowMs)));
  }

  #nameOf({ agent = 'unknown', address = 'unknown' }: Scraper): string {
    // Anybody may send any text as an agent.
    const name = `${String(redact(agent)).slice(0, MAX_NAME)}@${address}`;
    const isKnown = this.#seen.has(name) || this.#seen.size < MAX_SCRAPERS;
    return isKnown ? name : 'others';
  }

  async #write(name: string, seen: Seen, nowMs: number): Promise<void> {
    const { scrapes, sinceMs } = seen;
    seen.scrapes = 0;
    seen.sinceMs = nowMs;
    seen.nextMs = nowMs + HOUR_MS;
    const since = new Date(sinceMs).toISOString();
    const detail = JSON.stringify({ by: `scraper:${name}`, reads: 'metrics', scrapes, since });
    try {
      await this.#store.apply([{ kind: 'note', event: 'read', subject: '/metrics', detail }]);
      this.#isFailing = false;
    } catch (error) {
      seen.scrapes += scrapes;
      seen.sinceMs = sinceMs;
      seen.nextMs = nowMs + AGAIN_MS;
      if (this.#isFailing) return;
      this.#isFailing = true;
      const message = error instanceof Error ? error.message : String(error);
      const text = `Scrapes of the metrics could not be recorded; they are answered and counted: ${message}`;
      this.#log.warn({ event: 'metrics.not_noted', error: message }, text);
    }
  }
}
