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
  #writing: Promise<unknown> = Promise.resolve();
  #isStopped = false;

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
    void this.#all().then(() => {
      if (!this.#isStopped) this.#timer = this.#clock.setTimer(EVERY_MS, () => this.start());
    });
  }

  /** Waits for no broker, only for reports that are being written: "gone" is the last one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#writing;
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
      if (this.#isStopped && state === undefined) return;
      const written = this.#report(name, consumer.status, state);
      this.#writing = Promise.all([this.#writing, written]);
      await written;
    };
    await Promise.all(this.#sources.map(report));
  }

  async #report(name: string, status: SourceStatus, state?: 'gone'): Promise<void> {
    const before = this.#reported.get(name);
    const more = (count: 'handled' | 'stored' | 'duplicates' | 'deadLettered') =>
      status[count] - (before?.[count] ?? 0);
    try {
      await reportSource(this.#store, name, {
        state: state ?? status.state,
        waiting: this.#waiting.get(name),
        handled: more('handled'),
        stored: more('stored'),
        duplicates: more('duplicates'),
        deadLettered: more('deadLettered'),
        lastError: status.lastError,
      });
      this.#reported.set(name, status);
    } catch {
      // The next report has these counts too. The worker logs a store that does not answer.
    }
  }
}
