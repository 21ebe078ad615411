import { once } from 'node:events';
import { connect as connectTcp, createServer } from 'node:net';
import { systemClock } from '@redrive/core';
import type { Bus, BusNotice, BusSource, Delivery } from '@redrive/durable/events';
import {
  type RabbitmqService,
  startRabbitmq,
  startTcpProxy,
  type TcpProxy,
} from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { rabbitmqBus } from './rabbitmq-bus.ts';

let server: RabbitmqService;
let proxy: TcpProxy;
let tests = 0;
let source: BusSource & { readonly queue: string };
/** Beside the proxy. */
let publisher: Bus;

beforeAll(async () => {
  server = await startRabbitmq();
}, 300_000);

afterAll(() => server?.stop());

beforeEach(async () => {
  tests += 1;
  source = { name: 'orders', queue: `orders-${tests}` };
  proxy = await startTcpProxy({ port: server.port });
  publisher = rabbitmqBus(server.url);
  await publisher.declare(source);
});

/** A short heartbeat: a silent connection is given up after two of them. */
function open(port = proxy.port): Bus {
  const bus = rabbitmqBus(`amqp://guest:guest@127.0.0.1:${port}?heartbeat=1`);
  onTestFinished(async () => {
    await bus.close();
    await publisher.close();
    await proxy.stop();
  });
  return bus;
}

const publish = (...texts: string[]) =>
  publisher.publish(texts.map((text) => ({ destination: source.queue, body: Buffer.from(text) })));

const textOf = ({ body, redelivered }: Delivery) =>
  `${new TextDecoder().decode(body)}${redelivered ? ' again' : ''}`;

test.each(['cut', 'stall'] as const)(
  'a connection that is lost (%s) while a batch is stored: the batch comes again, then all others, and the outage is reported',
  { timeout: 60_000 },
  async (fault) => {
    const taken: string[] = [];
    const notices: BusNotice['kind'][] = [];
    const took = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    const restored = Promise.withResolvers<void>();
    const last = Promise.withResolvers<void>();
    const notify = ({ kind }: BusNotice) => {
      notices.push(kind);
      (kind === 'lost' ? lost : restored).resolve();
    };
    const consumption = await open().consume(source, { prefetch: 10, notify }, async (batch) => {
      taken.push(...batch.map(textOf));
      took.resolve();
      await stored.promise;
      if (taken.includes('after')) last.resolve();
    });
    await publish('before');
    await took.promise;
    proxy[fault]();
    await lost.promise;
    await proxy.pass();
    stored.resolve();
    await restored.promise;
    await publish('after');
    await last.promise;
    await consumption.stop();
    expect(taken).toEqual(['before', 'before again', 'after']);
    expect(notices).toEqual(['lost', 'restored']);
    expect((await publisher.check(source)).waiting).toBe(0);
  },
);

test('a stalled connection does not hold up stop and close', async () => {
  const bus = open();
  const consumption = await bus.consume(source, { prefetch: 10 }, async () => {});
  proxy.stall();
  const startedMs = systemClock.monotonic();
  await consumption.stop();
  await bus.close();
  expect(systemClock.monotonic() - startedMs).toBeLessThan(6_000);
});

test('a committed batch is one acknowledgement, for all its messages', async () => {
  const sent: Buffer[] = [];
  // Between client and server, for a look at the frames.
  const relay = createServer((client) => {
    const upstream = connectTcp(server.port, '127.0.0.1');
    client.on('data', (bytes) => {
      sent.push(bytes);
      upstream.write(bytes);
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy()).on('error', () => {});
    upstream.on('close', () => client.destroy()).on('error', () => {});
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => void relay.close());
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on TCP');

  const texts = Array.from({ length: 50 }, (_, index) => String(index));
  await publish(...texts);
  const sizes: number[] = [];
  let count = 0;
  const all = Promise.withResolvers<void>();
  const consumption = await open(address.port).consume(source, { prefetch: 50 }, async (batch) => {
    sizes.push(batch.length);
    count += batch.length;
    if (count === texts.length) all.resolve();
  });
  await all.promise;
  await consumption.stop();
  const acknowledgements = acknowledgementsIn(Buffer.concat(sent));
  expect(acknowledgements).toHaveLength(sizes.length);
  expect(sizes.length).toBeLessThan(10);
  // Tags count from 1 on a channel: each one acknowledges all up to the last of its batch.
  let upTo = 0;
  expect(acknowledgements).toEqual(
    sizes.map((size) => {
      upTo += size;
      return { tag: upTo, multiple: true };
    }),
  );
  expect((await publisher.check(source)).waiting).toBe(0);
});

const BASIC_ACK = '003c0050';

/** `basic.ack` among the frames of AMQP 0-9-1: type, channel, size, payload, end. The greeting before has 8 bytes. */
function acknowledgementsIn(bytes: Buffer): readonly { tag: number; multiple: boolean }[] {
  const found: { tag: number; multiple: boolean }[] = [];
  for (let at = 8; at + 7 < bytes.length; ) {
    const size = bytes.readUInt32BE(at + 3);
    const payload = bytes.subarray(at + 7, at + 7 + size);
    if (bytes[at] === 1 && payload.subarray(0, 4).toString('hex') === BASIC_ACK) {
      found.push({ tag: Number(payload.readBigUInt64BE(4)), multiple: payload[12] === 1 });
    }
    at += size + 8;
  }
  return found;
}
