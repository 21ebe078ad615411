import { systemClock } from '@redrive/core';
import type { Bus, BusNotice, BusSource, Delivery } from '@redrive/durable/events';
import {
  type NatsService,
  startNats,
  startTcpProxy,
  type TcpProxy,
} from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { natsBus } from './nats-bus.ts';

let server: NatsService;
let proxy: TcpProxy;
let tests = 0;
let source: BusSource & { readonly subject: string };
/** Beside the proxy. */
let publisher: Bus;

beforeAll(async () => {
  server = await startNats();
}, 180_000);

afterAll(() => server?.stop());

beforeEach(async () => {
  tests += 1;
  source = { name: `orders-${tests}`, stream: `ORDERS-${tests}`, subject: `orders.${tests}` };
  proxy = await startTcpProxy({ port: server.port });
  publisher = natsBus(server.url);
  await publisher.declare(source);
});

function open(): Bus {
  const bus = natsBus(`nats://${proxy.host}:${proxy.port}`);
  onTestFinished(async () => {
    await bus.close();
    await publisher.close();
    await proxy.stop();
  });
  return bus;
}

const publish = (...texts: string[]) =>
  publisher.publish(
    texts.map((text) => ({ destination: source.subject, body: Buffer.from(text) })),
  );

const textsOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ body }) => new TextDecoder().decode(body));

test('a cut connection: a batch that is being stored is acknowledged on the next one, and the outage is reported', async () => {
  const taken: string[] = [];
  const notices: BusNotice['kind'][] = [];
  const took = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const restored = Promise.withResolvers<void>();
  const last = Promise.withResolvers<void>();
  const bus = open();
  const notify = ({ kind }: BusNotice) => {
    notices.push(kind);
    if (kind === 'restored') restored.resolve();
  };
  const consumption = await bus.consume(source, { prefetch: 10, notify }, async (deliveries) => {
    taken.push(...textsOf(deliveries));
    took.resolve();
    await stored.promise;
    if (taken.includes('after')) last.resolve();
  });
  await publish('before');
  await took.promise;
  proxy.cut();
  await restored.promise;
  stored.resolve();
  await publish('after');
  await last.promise;
  await consumption.stop();
  expect(taken).toEqual(['before', 'after']);
  expect(notices).toEqual(['lost', 'restored']);
  expect(await publisher.check(source)).toMatchObject({ waiting: 0, unacknowledged: 0 });
});

test('a cut connection of an idle consumer: later messages come', async () => {
  const restored = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<readonly string[]>();
  const notify = ({ kind }: BusNotice) => {
    if (kind === 'restored') restored.resolve();
  };
  const consumption = await open().consume(source, { prefetch: 10, notify }, async (deliveries) =>
    taken.resolve(textsOf(deliveries)),
  );
  proxy.cut();
  await restored.promise;
  await publish('after');
  expect(await taken.promise).toEqual(['after']);
  await consumption.stop();
});

test('messages that were lost on their way do not stop the others until ack_wait is over', async () => {
  const taken: string[] = [];
  const ready = Promise.withResolvers<void>();
  const after = Promise.withResolvers<void>();
  const restored = Promise.withResolvers<void>();
  const notify = ({ kind }: BusNotice) => {
    if (kind === 'restored') restored.resolve();
  };
  const consumption = await open().consume(source, { prefetch: 3, notify }, async (deliveries) => {
    taken.push(...textsOf(deliveries));
    ready.resolve();
    if (taken.includes('after')) after.resolve();
  });
  await publish('before');
  await ready.promise;
  proxy.stall();
  await publish('a', 'b', 'c');
  // The server has sent all that it may send without an acknowledgement.
  expect(await publisher.check(source)).toMatchObject({ unacknowledged: 3 });
  proxy.cut();
  await proxy.pass();
  await restored.promise;
  await publish('after');
  await after.promise;
  await consumption.stop();
});

test('messages of a process that is gone do not stop those of the next one until ack_wait is over', async () => {
  const took = Promise.withResolvers<void>();
  const after = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  await open().consume(source, { prefetch: 3 }, () => {
    took.resolve();
    return stored.promise;
  });
  await publish('a', 'b', 'c');
  await took.promise;
  proxy.stall();
  const next = natsBus(server.url);
  onTestFinished(() => next.close());
  const consumption = await next.consume(source, { prefetch: 3 }, async (deliveries) => {
    if (textsOf(deliveries).includes('after')) after.resolve();
  });
  await publish('after');
  await after.promise;
  await consumption.stop();
  stored.resolve();
});

test('a stalled connection: messages come when it moves again, each once', async () => {
  const taken: string[] = [];
  const first = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const consumption = await open().consume(source, { prefetch: 2 }, async (deliveries) => {
    taken.push(...textsOf(deliveries));
    first.resolve();
    if (taken.length >= 5) all.resolve();
  });
  await publish('a');
  await first.promise;
  proxy.stall();
  await publish('b', 'c', 'd', 'e');
  expect(await publisher.check(source)).toMatchObject({ waiting: expect.any(Number) });
  expect(taken).toEqual(['a']);
  await proxy.pass();
  await all.promise;
  await consumption.stop();
  expect(taken).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await publisher.check(source)).toMatchObject({ waiting: 0, unacknowledged: 0 });
});

test('a stalled connection does not hold up stop and close', async () => {
  const bus = open();
  const took = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const consumption = await bus.consume(source, { prefetch: 10 }, async () => {
    took.resolve();
    await stored.promise;
  });
  await publish('a');
  await took.promise;
  proxy.stall();
  stored.resolve();
  const startedMs = systemClock.monotonic();
  await consumption.stop();
  await bus.close();
  // Two seconds each for the end of the subscription and the last acknowledgement.
  expect(systemClock.monotonic() - startedMs).toBeLessThan(6_000);
});
