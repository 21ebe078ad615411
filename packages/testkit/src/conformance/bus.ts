import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import type {
  Bus,
  BusCapabilities,
  BusMessage,
  BusSource,
  Delivery,
} from '@redrive/durable/events';
import { Collector } from './bus/collector.ts';
import type { TestRunner } from './ledger.ts';

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

/**
 * Registers the tests that every `Bus` must pass. `makeBus` is called once per test. Capabilities that the adapter's table
 * does not have are tested the other way round: without deduplication the second message must arrive too. A bus that does
 * not deliver has the source `orders` from the start, and none that is called `missing`.
 */
export function busConformance(
  makeBus: () => Promise<BusUnderTest>,
  { describe, it }: TestRunner,
  capabilities: Pick<BusCapabilities, 'delivers'> = { delivers: true },
): void {
  function test(name: string, body: (place: Place) => Promise<void>): void {
    it(name, async () => {
      const subject = await makeBus();
      const place = new Place(subject);
      try {
        await body(place);
      } finally {
        await place.close();
        await subject.close?.();
      }
    });
  }
  describe('publishing', () => publishing(test));
  describe('consuming', () => {
    if (capabilities.delivers) consuming(test);
    else consumingNothing(test);
  });
  describe('sources', () => sources(test));
  describe('closing', () => closing(test));
}

type RegisterTest = (name: string, body: (place: Place) => Promise<void>) => void;

/** One source on the bus under test, with short ways to publish to it and to take from it. */
class Place {
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

function publishing(test: RegisterTest): void {
  test('delivers bytes, headers, id and destination as they were given', async (place) => {
    await place.bus.declare(place.source);
    const body = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
    const headers = { 'content-type': 'application/json', 'x-note': 'a: b, c=d' };
    const [result] = await place.bus.publish([place.message('', { body, headers, id: 'm-1' })]);
    deepEqual(result, { published: true, duplicate: false });
    const [delivery] = await place.arrivals(1);
    ok(delivery !== undefined);
    deepEqual(new Uint8Array(delivery.body), body);
    equal(delivery.id, 'm-1');
    equal(delivery.destination, place.destination);
    equal(delivery.redelivered, false);
    equal(delivery.headers['content-type'], 'application/json');
    equal(delivery.headers['x-note'], 'a: b, c=d');
  });

  test('delivers an empty body and one of 256 KiB', async (place) => {
    await place.bus.declare(place.source);
    await place.bus.publish([
      place.message('', { body: new Uint8Array() }),
      place.message('', { body: new Uint8Array(262_144).fill(7) }),
    ]);
    const deliveries = await place.arrivals(2);
    deepEqual(
      deliveries.map(({ body }) => body.length).sort((a, b) => a - b),
      [0, 262_144],
    );
  });

  test('confirms a thousand messages at once and delivers each once, in their order', async (place) => {
    await place.bus.declare(place.source);
    const texts = Array.from({ length: 1_000 }, (_, index) => `message ${index}`);
    await place.publish(...texts);
    deepEqual((await place.arrivals(1_000)).map(Collector.textOf), texts);
  });

  test('resolves with nothing for no messages', async (place) => {
    deepEqual(await place.bus.publish([]), []);
  });

  test('resolves with unroutable for a destination that nothing takes, beside the others', async (place) => {
    await place.bus.declare(place.source);
    const lost = place.message('lost', { destination: `${place.destination}-of-nobody` });
    const results = await place.bus.publish([place.message('a'), lost, place.message('b')]);
    const reasons = results.map((result) => (result.published ? 'published' : result.reason));
    const second = place.bus.capabilities.unroutable ? 'unroutable' : 'published';
    deepEqual(reasons, ['published', second, 'published']);
    deepEqual(await place.rest(), ['a', 'b']);
  });

  test('recognises an id that was published before, where the broker can', async (place) => {
    await place.bus.declare(place.source);
    const message = place.message('once', { id: 'm-1' });
    await place.bus.publish([message]);
    const [again] = await place.bus.publish([message]);
    const { deduplicates } = place.bus.capabilities;
    deepEqual(again, { published: true, duplicate: deduplicates });
    deepEqual(await place.rest(), deduplicates ? ['once'] : ['once', 'once']);
  });
}

function consuming(test: RegisterTest): void {
  test('takes messages that are there and messages that come', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('before');
    const collector = await place.collect();
    await collector.count(1);
    await place.publish('after');
    await collector.count(2);
    deepEqual(collector.texts, ['before', 'after']);
  });

  test('takes at most prefetch messages per call, and never two calls at once', async (place) => {
    await place.bus.declare(place.source);
    await place.publish(...Array.from({ length: 25 }, (_, index) => `${index}`));
    const collector = await place.collect(10);
    await collector.count(25);
    equal(collector.mostAtOnce, 1);
    ok(Math.max(...collector.sizes) <= 10, `calls with ${collector.sizes.join(', ')} messages`);
  });

  test('does not deliver a message again that was acknowledged', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a', 'b');
    const collector = await place.collect();
    await collector.count(2);
    await collector.consumption.stop();
    deepEqual(await place.rest(), []);
  });

  test('acknowledges nothing before take has resolved', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a', 'b', 'c');
    const collector = await place.collect(100, failing);
    await collector.calls(1);
    await collector.consumption.stop();
    const rest = await place.rest();
    deepEqual([...rest].sort(), ['a', 'b', 'c']);
  });

  test('pauses after a take that rejected, and delivers the same messages again after resume', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a');
    const collector = await place.collect(100, failing);
    await collector.calls(1);
    await place.publish('b');
    await place.bus.check(place.source);
    equal(collector.sizes.length, 1);
    collector.consumption.resume();
    await collector.count(2);
    deepEqual([...collector.texts].sort(), ['a', 'b']);
    const again = collector.deliveries.find((delivery) => Collector.textOf(delivery) === 'a');
    equal(again?.redelivered, true);
  });

  test('gives a message the same position at each delivery, and each message another', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a', 'b');
    const collector = await place.collect(100, failing);
    await collector.calls(1);
    await collector.consumption.pause();
    const first = collector.seen.map(positionOf);
    collector.consumption.resume();
    await collector.count(2);
    const then = collector.deliveries.map(positionOf);
    if (place.bus.capabilities.positions) {
      equal(new Set(then).size, 2);
      for (const position of first) ok(then.includes(position), `${position} came again`);
    } else {
      deepEqual(then, [undefined, undefined]);
    }
  });

  test('takes nothing while it is paused, and everything after resume', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a');
    const collector = await place.collect();
    await collector.count(1);
    await collector.consumption.pause();
    await place.publish('b');
    const { waiting } = await place.bus.check(place.source);
    if (waiting !== undefined) equal(waiting, 1);
    deepEqual(collector.texts, ['a']);
    collector.consumption.resume();
    collector.consumption.resume();
    await collector.count(2);
    deepEqual(collector.texts, ['a', 'b']);
  });

  test('goes on after a resume that comes while pause waits for a take', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a');
    const collector = await place.collect(100, (made) => made.shut());
    await collector.calls(1);
    const paused = collector.consumption.pause();
    collector.consumption.resume();
    collector.open();
    await paused;
    await place.publish('b');
    await collector.count(2);
    deepEqual(collector.texts, ['a', 'b']);
  });

  test('acknowledges the messages of a take that is under way when it is stopped', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a');
    const collector = await place.collect(100, (made) => made.shut());
    await collector.calls(1);
    const stopped = collector.consumption.stop();
    collector.open();
    await stopped;
    await collector.consumption.stop();
    deepEqual(collector.texts, ['a']);
    deepEqual(await place.rest(), []);
  });

  test('gives each message to one of two consumptions', async (place) => {
    await place.bus.declare(place.source);
    const [one, two] = [await place.collect(5), await place.collect(5)];
    const texts = Array.from({ length: 200 }, (_, index) => `${index}`);
    await place.publish(...texts);
    const all = () => [...one.texts, ...two.texts];
    await Promise.race([
      one.until(() => all().length >= 200),
      two.until(() => all().length >= 200),
    ]);
    deepEqual(all().sort(), [...texts].sort());
  });
}

function consumingNothing(test: RegisterTest): void {
  test('calls take never, because publish has stored the messages', async (place) => {
    await place.publish('a');
    const collector = await place.collect();
    await place.publish('b');
    await collector.consumption.pause();
    collector.consumption.resume();
    await collector.consumption.stop();
    deepEqual([await place.rest(), collector.seen], [['a', 'b'], []]);
  });
}

function sources(test: RegisterTest): void {
  test('are declared once', async (place) => {
    const created = await place.bus.declare(place.source);
    equal(created.length > 0, place.bus.capabilities.delivers);
    deepEqual(await place.bus.declare(place.source), []);
  });

  test('are reported by check where they do not exist, with a remedy', async (place) => {
    const { problems } = await place.bus.check(place.other('missing'));
    const [problem] = problems.filter(({ severity }) => severity === 'error');
    ok(problem !== undefined, 'check reports an error');
    ok(problem.problem.length > 0 && problem.remedy.length > 0);
  });

  test('are refused by consume where they do not exist', async (place) => {
    await rejects(
      place.bus.consume(place.other('missing'), { prefetch: 1 }, async () => {}),
      (error: unknown) => isRedriveError(error, 'bus_refused'),
    );
  });

  test('have no errors after declare, and say how much waits', async (place) => {
    await place.bus.declare(place.source);
    await place.publish('a', 'b', 'c');
    const { problems, waiting } = await place.bus.check(place.source);
    deepEqual(
      problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    if (waiting !== undefined) equal(waiting, 3);
  });

  test('can be looked into without a trace, where the broker can', async (place) => {
    equal(place.bus.peek !== undefined, place.bus.capabilities.peek);
    if (place.bus.peek === undefined) return;
    await place.bus.declare(place.source);
    await place.publish('a', 'b', 'c');
    deepEqual((await place.bus.peek(place.source, 2)).map(Collector.textOf), ['a', 'b']);
    const collector = await place.collect();
    await collector.count(3);
    deepEqual(
      collector.deliveries.map(({ redelivered }) => redelivered),
      [false, false, false],
    );
  });
}

function closing(test: RegisterTest): void {
  test('stops consumptions, and may be done twice', async (place) => {
    await place.bus.declare(place.source);
    await place.collect();
    await place.bus.close();
    await place.bus.close();
  });

  test('makes later calls reject', async (place) => {
    await place.bus.declare(place.source);
    await place.bus.close();
    await rejects(place.bus.publish([place.message('late')]), (error: unknown) =>
      isRedriveError(error, 'bus_unavailable'),
    );
  });
}

const failing = (collector: Collector) => {
  collector.failNext = 'the store is away';
};
const positionOf = ({ position }: Delivery) => position;
