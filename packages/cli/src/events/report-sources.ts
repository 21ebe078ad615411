import type { Clock, Timer } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { EventConsumer, SourceStatus } from '@redrive/durable/events';
import { reportSource } from '@redrive/durable/store';
import type { OpenSource } from './configured-sources.ts';

const EVERY_MS = 10_000;

export interface Reported extends OpenSource {
  readonly consumer: EventConsumer;
}

/** Writes the state of each source into the store, for `redrive status` in other processes. */
export class SourceReporter {
  readonly #store: FullStore;
  readonly #clock: Clock;
  readonly #sources: readonly Reported[];
  readonly #reported = new Map<string, SourceStatus>();
  readonly #waiting = new Map<string, number>();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(store: FullStore, clock: Clock, sources: readonly Reported[]) {
    this.#store = store;
    this.#clock = clock;
    this.#sources = sources;
  }

  /** Messages that waited in the broker at the last look. `undefined`: the broker does not say. */
  waiting(source: string): number | undefined {
    return this.#waiting.get(source);
  }

  start(): void {
    if (this.#sources.length === 0) return;
    this.#running = this.#all().then(() => {
      this.#timer = this.#clock.setTimer(EVERY_MS, () => this.start());
    });
  }

  async stop(): Promise<void> {
    await this.#running;
    this.#timer?.cancel();
    await this.#all('gone');
  }

  async #all(state?: 'gone'): Promise<void> {
    const report = async ({ source, bus, consumer }: Reported): Promise<void> => {
      const { name } = source;
      try {
        const waiting = state ? undefined : (await bus.check(source)).waiting;
        if (waiting === undefined) this.#waiting.delete(name);
        else this.#waiting.set(name, waiting);
      } catch {
        // The consumer reports a broker that does not answer.
        this.#waiting.delete(name);
      }
      await this.#report(name, consumer.status, state);
    };
    await Promise.all(this.#sources.map(report));
  }

  async #report(name: string, status: SourceStatus, state?: 'gone'): Promise<void> {
    const before = this.#reported.get(name);
    const more = (count: 'stored' | 'duplicates' | 'buried') =>
      status[count] - (before?.[count] ?? 0);
    try {
      await reportSource(this.#store, name, {
        state: state ?? status.state,
        waiting: this.#waiting.get(name),
        stored: more('stored'),
        duplicates: more('duplicates'),
        buried: more('buried'),
        lastError: status.lastError,
      });
      this.#reported.set(name, status);
    } catch {
      // The next report has these counts too. The worker logs a store that does not answer.
    }
  }
}
