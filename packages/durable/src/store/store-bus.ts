import { type Clock, isRedriveError, RedriveError, systemClock } from '@redrive/core';
import {
  BUS_CAPABILITIES,
  type Bus,
  type BusCheck,
  type BusMessage,
  type BusSource,
  type Consumption,
  type Delivery,
  MAX_EVENT_BYTES,
  type PublishResult,
} from '../event/bus.ts';
import { type EventSource, type ResolvedSource, resolveSource } from '../event/event-source.ts';
import { type EventResult, storeEvents } from '../event/store-events.ts';
import type { FullStore } from './full-store.ts';

/**
 * The store itself as the bus, without a broker: `publish` stores a message as a job of each source whose subject is its
 * destination. So a published message is the job already, and `consume` has nothing to take.
 *
 * @param sources All sources of this bus. A process publishes to the sources that it knows.
 * @throws RedriveError `invalid_option` with every problem of a source at once.
 */
export function storeBus(
  store: FullStore,
  sources: readonly EventSource[],
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Bus {
  return new StoreBus(store, sources.map(resolveSource), clock);
}

class StoreBus implements Bus {
  readonly name: string;
  readonly capabilities = BUS_CAPABILITIES.store;
  readonly #store: FullStore;
  readonly #sources: readonly ResolvedSource[];
  readonly #clock: Clock;
  #closed = false;

  constructor(store: FullStore, sources: readonly ResolvedSource[], clock: Clock) {
    this.name = store.name;
    this.#store = store;
    this.#sources = sources;
    this.#clock = clock;
  }

  async publish(messages: readonly BusMessage[]): Promise<readonly PublishResult[]> {
    this.#checkOpen();
    const answers = new Map<BusMessage, EventResult[]>();
    for (const source of this.#sources) {
      const subject = source.subject ?? source.name;
      const own = messages.filter(
        ({ destination, body }) => destination === subject && body.length <= MAX_EVENT_BYTES,
      );
      const stored = await this.#storeAll(source, own);
      for (const [index, message] of own.entries())
        answers.set(message, [...(answers.get(message) ?? []), ...stored.slice(index, index + 1)]);
    }
    return messages.map((message) => resultOf(message, answers.get(message)));
  }

  async #storeAll(source: ResolvedSource, messages: readonly BusMessage[]): Promise<EventResult[]> {
    if (messages.length === 0) return [];
    const context = { source, clock: this.#clock, actor: { name: `source:${source.name}` } };
    const deliveries = messages.map(
      (message): Delivery => ({ ...message, headers: message.headers ?? {}, redelivered: false }),
    );
    try {
      return await storeEvents(this.#store, context, deliveries);
    } catch (error) {
      if (!isRedriveError(error, 'store_unavailable')) throw error;
      throw new RedriveError(
        'bus_unavailable',
        error.message,
        { bus: this.name },
        { cause: error },
      );
    }
  }

  async consume(source: BusSource): Promise<Consumption> {
    this.#checkOpen();
    this.#known(source);
    return { pause: async () => {}, resume: () => {}, stop: async () => {} };
  }

  /** Waiting in the store, as with any job: no message is anywhere else. */
  async check({ name }: BusSource): Promise<BusCheck> {
    this.#checkOpen();
    if (this.#find(name) !== undefined) return { problems: [] };
    return { problems: [{ severity: 'error', problem: unknown(name), remedy: REMEDY }] };
  }

  async declare(source: BusSource): Promise<readonly string[]> {
    this.#checkOpen();
    this.#known(source);
    return [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #find(name: string): ResolvedSource | undefined {
    return this.#sources.find((source) => source.name === name);
  }

  #known({ name }: BusSource): void {
    if (this.#find(name) !== undefined) return;
    const details = { bus: this.name, source: name };
    throw new RedriveError('bus_refused', `${unknown(name)}. ${REMEDY}`, details);
  }

  #checkOpen(): void {
    if (!this.#closed) return;
    throw new RedriveError('bus_unavailable', 'The store bus is closed', { bus: this.name });
  }
}

const unknown = (name: string) => `The store bus has no source ${name}`;
const REMEDY = 'Add it to events.sources, or to the sources of storeBus().';

function resultOf(
  { destination, body }: BusMessage,
  answers?: readonly EventResult[],
): PublishResult {
  if (answers !== undefined)
    return { published: true, duplicate: answers.every((answer) => answer === 'duplicate') };
  return body.length > MAX_EVENT_BYTES
    ? {
        published: false,
        reason: 'too_large',
        message: `The message has ${body.length} bytes, more than ${MAX_EVENT_BYTES}`,
      }
    : {
        published: false,
        reason: 'unroutable',
        message: `No source has the subject ${destination}`,
      };
}
