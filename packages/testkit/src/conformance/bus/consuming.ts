import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Delivery } from '@redrive/durable/events';
import { Collector } from './collector.ts';
import type { RegisterTest } from './place.ts';

export function consuming(test: RegisterTest): void {
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

export function consumingNothing(test: RegisterTest): void {
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

const failing = (collector: Collector) => {
  collector.failNext = 'the store is away';
};
const positionOf = ({ position }: Delivery) => position;
