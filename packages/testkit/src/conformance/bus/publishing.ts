import { deepEqual, equal, ok } from 'node:assert/strict';
import { Collector } from './collector.ts';
import type { RegisterTest } from './place.ts';

export function publishing(test: RegisterTest): void {
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
    deepEqual(reasons, ['published', 'unroutable', 'published']);
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
