import { deepEqual, ok } from 'node:assert/strict';
import type { Bus, BusMessage, BusSource, Delivery } from '@redrive/durable/events';
import { Collector } from './collector.ts';

/** A broker under test. Names of sources must be unused: each test has a broker, or a prefix, of its own. */
export interface BusUnderTest {
  readonly bus: Bus;
  /** The source of this name, with the stream or queue that the broker needs. Default: its name and subject. */
  readonly source?: (name: string) => BusSource;
  /** The destination whose messages that source gets. Default: the source's subject. */
  readonly destination?: (name: string) => string;
  /** The messages of a source of a bus that does not deliver, in their order. Required there. */
  readonly arrived?: (name: string) => Promise<readonly Delivery[]>;
  /** Called when the test is over, also after a failure. */
  readonly close?: () => void | Promise<void>;
}

/** Registers one test, which gets a place of its own. */
export type RegisterTest = (name: string, body: (place: Place) => Promise<void>) => void;

/** One source on the bus under test, with short ways to publish to it and to take from it. */
export class Place {
  readonly bus: Bus;
  readonly source: BusSource;
  readonly destination: string;
  readonly #named: (name: string) => BusSource;
  readonly #arrived: BusUnderTest['arrived'];
  readonly #collectors: Collector[] = [];

  constructor(subject: BusUnderTest) {
    this.bus = subject.bus;
    this.#arrived = subject.arrived;
    this.#named = subject.source ?? ((name) => ({ name, subject: name }));
    this.source = this.#named('orders');
    this.destination = subject.destination?.('orders') ?? this.source.subject ?? 'orders';
  }

  other(name: string): BusSource {
    return this.#named(name);
  }

  message(text: string, more: Partial<BusMessage> = {}): BusMessage {
    return {
      destination: this.destination,
      body: new TextEncoder().encode(JSON.stringify(text)),
      ...more,
    };
  }

  async publish(...texts: string[]): Promise<void> {
    const results = await this.bus.publish(texts.map((text) => this.message(text)));
    deepEqual(
      results,
      texts.map(() => ({ published: true, duplicate: false })),
    );
  }

  async collect(prefetch = 100, prepare?: (collector: Collector) => void): Promise<Collector> {
    const collector = new Collector();
    prepare?.(collector);
    this.#collectors.push(collector);
    collector.consumption = await this.bus.consume(this.source, { prefetch }, (deliveries) =>
      collector.take(deliveries),
    );
    return collector;
  }

  /** The messages of the source: those that are stored, or the first `count` that a consumer gets. */
  async arrivals(count: number): Promise<readonly Delivery[]> {
    if (this.bus.capabilities.delivers)
      return (await (await this.collect()).count(count)).deliveries;
    ok(this.#arrived !== undefined, 'arrived is missing');
    return this.#arrived('orders');
  }

  /** The texts that are left for a consumer that comes now, up to one published last. */
  async rest(): Promise<readonly string[]> {
    if (!this.bus.capabilities.delivers) return (await this.arrivals(0)).map(Collector.textOf);
    await this.publish('the last');
    const collector = await this.collect();
    await collector.until(() => collector.texts.includes('the last'));
    await collector.consumption.stop();
    return collector.texts.slice(0, -1);
  }

  async close(): Promise<void> {
    for (const collector of this.#collectors) collector.open();
    await this.bus.close();
  }
}
