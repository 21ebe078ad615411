import { RedriveError } from '@redrive/core';
import {
  BUS_CAPABILITIES,
  type Bus,
  type BusCheck,
  type BusMessage,
  type BusSource,
  type ConsumeOptions,
  type Consumption,
  type Delivery,
  type PublishResult,
  type Take,
} from '../event/bus.ts';

/** Ids that a second publish is compared with: as many as a broker's window of two minutes has in a busy test. */
const KEPT_IDS = 100_000;

/**
 * A broker in memory, for tests: the model that the conformance suite compares the others with. A message goes to every
 * declared source whose subject is its destination.
 */
export function memoryBus(): Bus {
  return new MemoryBus();
}

class MemoryBus implements Bus {
  readonly name = 'memory';
  readonly capabilities = BUS_CAPABILITIES.memory;
  readonly #sources = new Map<string, MemorySource>();
  readonly #ids = new Set<string>();
  #closed = false;

  async publish(messages: readonly BusMessage[]): Promise<readonly PublishResult[]> {
    this.#checkOpen();
    return messages.map((message) => this.#publishOne(message));
  }

  #publishOne(message: BusMessage): PublishResult {
    const takers = [...this.#sources.values()].filter(
      ({ subject }) => subject === message.destination,
    );
    if (takers.length === 0) {
      return {
        published: false,
        reason: 'unroutable',
        message: `No source has the subject ${message.destination}`,
      };
    }
    if (message.id !== undefined && this.#ids.has(message.id)) {
      return { published: true, duplicate: true };
    }
    if (message.id !== undefined) this.#keepId(message.id);
    for (const source of takers) source.add(message);
    return { published: true, duplicate: false };
  }

  #keepId(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > KEPT_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }

  async consume(source: BusSource, options: ConsumeOptions, take: Take): Promise<Consumption> {
    this.#checkOpen();
    const queue = this.#sources.get(source.name);
    if (queue === undefined) {
      throw new RedriveError(
        'bus_refused',
        `The memory bus has no source ${source.name}. Call declare() first.`,
        { bus: this.name, source: source.name },
      );
    }
    return queue.consume(options.prefetch, take);
  }

  async check(source: BusSource): Promise<BusCheck> {
    this.#checkOpen();
    const queue = this.#sources.get(source.name);
    if (queue === undefined) {
      const problem = `The memory bus has no source ${source.name}`;
      return { problems: [{ severity: 'error', problem, remedy: 'Call declare() first.' }] };
    }
    return { problems: [], waiting: queue.waiting, unacknowledged: queue.unacknowledged };
  }

  async declare(source: BusSource): Promise<readonly string[]> {
    this.#checkOpen();
    if (this.#sources.has(source.name)) return [];
    this.#sources.set(source.name, new MemorySource(source));
    return [`source ${source.name}`];
  }

  async peek(source: BusSource, limit: number): Promise<readonly Delivery[]> {
    this.#checkOpen();
    return this.#sources.get(source.name)?.peek(limit) ?? [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sources.values()].map((source) => source.stop()));
  }

  #checkOpen(): void {
    if (!this.#closed) return;
    throw new RedriveError('bus_unavailable', 'The memory bus is closed', { bus: this.name });
  }
}

/** The messages of one source, and the consumptions that share them. */
class MemorySource {
  readonly subject: string;
  readonly #name: string;
  readonly #consumptions = new Set<MemoryConsumption>();
  /** Messages without acknowledgement by their number. A message that is being taken stays in its place. */
  readonly #messages = new Map<number, Delivery>();
  readonly #taken = new Set<number>();
  #last = 0;

  constructor(source: BusSource) {
    this.#name = source.name;
    this.subject = source.subject ?? source.name;
  }

  get waiting(): number {
    return this.#messages.size - this.#taken.size;
  }

  get unacknowledged(): number {
    return this.#taken.size;
  }

  add(message: BusMessage): void {
    this.#last += 1;
    const position = `${this.#name}-${this.#last}`;
    const headers = { ...message.headers };
    this.#messages.set(this.#last, { ...message, headers, position, redelivered: false });
    this.wake();
  }

  wake(): void {
    for (const consumption of this.#consumptions) void consumption.run();
  }

  peek(limit: number): readonly Delivery[] {
    return [...this.#messages.values()].slice(0, limit);
  }

  /** The oldest messages that nobody is taking. */
  next(limit: number): ReadonlyMap<number, Delivery> {
    const batch = new Map<number, Delivery>();
    if (this.waiting === 0) return batch;
    for (const [number, message] of this.#messages) {
      if (batch.size === limit) break;
      if (!this.#taken.has(number)) batch.set(number, message);
    }
    for (const number of batch.keys()) this.#taken.add(number);
    return batch;
  }

  acknowledge(batch: ReadonlyMap<number, Delivery>): void {
    for (const number of batch.keys()) {
      this.#taken.delete(number);
      this.#messages.delete(number);
    }
  }

  giveBack(batch: ReadonlyMap<number, Delivery>): void {
    for (const [number, message] of batch) {
      this.#taken.delete(number);
      this.#messages.set(number, { ...message, redelivered: true });
    }
    this.wake();
  }

  consume(prefetch: number, take: Take): Consumption {
    const consumption = new MemoryConsumption(this, prefetch, take);
    this.#consumptions.add(consumption);
    void consumption.run();
    return consumption;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#consumptions].map((consumption) => consumption.stop()));
    this.#consumptions.clear();
  }
}

class MemoryConsumption implements Consumption {
  readonly #source: MemorySource;
  readonly #prefetch: number;
  readonly #take: Take;
  #state: 'taking' | 'paused' | 'stopped' = 'taking';
  #running: Promise<void> | undefined;

  constructor(source: MemorySource, prefetch: number, take: Take) {
    this.#source = source;
    this.#prefetch = prefetch;
    this.#take = take;
  }

  run(): Promise<void> {
    this.#running ??= this.#takeAll().finally(() => {
      this.#running = undefined;
      // A message that came after the last look and before this line has woken nobody.
      if (this.#state === 'taking' && this.#source.waiting > 0) void this.run();
    });
    return this.#running;
  }

  async #takeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#state === 'taking') {
      const batch = this.#source.next(this.#prefetch);
      if (batch.size === 0) return;
      try {
        await this.#take([...batch.values()]);
        this.#source.acknowledge(batch);
      } catch {
        if (this.#state === 'taking') this.#state = 'paused';
        this.#source.giveBack(batch);
      }
    }
  }

  async pause(): Promise<void> {
    if (this.#state === 'taking') this.#state = 'paused';
    await this.#running;
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'taking';
    void this.run();
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    await this.#running;
  }
}
