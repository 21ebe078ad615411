import type { Consumption, Delivery } from '@redrive/durable/events';

/** Takes messages of a bus under test, remembers them, and lets a test wait for them without polling. */
export class Collector {
  /** Set by the test when `consume` has resolved. */
  consumption!: Consumption;
  /** The next call rejects with this message. */
  failNext: string | undefined;
  /** Messages of calls that resolved. */
  readonly deliveries: Delivery[] = [];
  /** Messages of all calls. */
  readonly seen: Delivery[] = [];
  /** How many messages each call had. */
  readonly sizes: number[] = [];
  mostAtOnce = 0;
  #atOnce = 0;
  #gate: PromiseWithResolvers<void> | undefined;
  readonly #waiting = new Set<{ readonly met: () => boolean; readonly resolve: () => void }>();

  static textOf(this: void, { body }: Delivery): string {
    return JSON.parse(new TextDecoder().decode(body));
  }

  get texts(): readonly string[] {
    return this.deliveries.map(Collector.textOf);
  }

  async take(deliveries: readonly Delivery[]): Promise<void> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    this.sizes.push(deliveries.length);
    this.seen.push(...deliveries);
    this.#look();
    // A turn of the event loop, so that a second call at once would be seen.
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    await this.#gate?.promise;
    this.#atOnce -= 1;
    const fault = this.failNext;
    this.failNext = undefined;
    if (fault !== undefined) throw new Error(fault);
    this.deliveries.push(...deliveries);
    this.#look();
  }

  /** Calls from now on wait for `open`. */
  shut(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  open(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  until(met: () => boolean): Promise<void> {
    if (met()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ met, resolve }));
  }

  async count(count: number): Promise<this> {
    await this.until(() => this.deliveries.length >= count);
    return this;
  }

  /** Until this many calls have begun. */
  async calls(count: number): Promise<void> {
    await this.until(() => this.sizes.length >= count);
  }

  #look(): void {
    for (const entry of this.#waiting) {
      if (!entry.met()) continue;
      this.#waiting.delete(entry);
      entry.resolve();
    }
  }
}
