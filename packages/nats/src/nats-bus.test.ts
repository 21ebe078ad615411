import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { isRedriveError, type RetryRecord, syncSink } from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import type { Bus, BusNotice, BusSource } from '@redrive/durable/events';
import { freePorts, type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { natsBus } from './nats-bus.ts';

/** All that were made: those of the bus too. */
const connections = vi.hoisted((): NatsConnection[] => []);

vi.mock(import('@nats-io/transport-node'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    connect: async (options) => {
      const connection = await original.connect(options);
      connections.push(connection);
      return connection;
    },
  };
});

let server: NatsService;
let address: string;
let tests = 0;
let source: BusSource & { readonly stream: string; readonly subject: string };

beforeAll(async () => {
  server = await startNats({
    config: 'max_payload: 65536\nauthorization { user: app, password: "s3cret" }',
  });
  address = `${server.host}:${server.port}`;
}, 180_000);

afterAll(() => server?.stop());

beforeEach(() => {
  tests += 1;
  source = { name: `orders-${tests}`, stream: `ORDERS-${tests}`, subject: `orders.${tests}` };
});

function open(manager?: RetryManager, credentials = 'app:s3cret@'): Bus {
  const bus = natsBus(`nats://${credentials}${address}`, { manager });
  onTestFinished(() => bus.close());
  return bus;
}

const message = (text: string, id?: string) => ({
  destination: source.subject,
  body: new TextEncoder().encode(text),
  ...(id !== undefined && { id }),
});

test('a message that is larger than the server takes is a result beside the others', async () => {
  const bus = open();
  await bus.declare(source);
  const large = { ...message(''), body: new Uint8Array(65_537) };
  expect(await bus.publish([large, message('small')])).toEqual([
    { published: false, reason: 'too_large', message: expect.stringContaining('65536') },
    { published: true, duplicate: false },
  ]);
});

test.each(['', 'a b', 'orders.*', 'orders.>'])(
  '"%s" is refused as a destination',
  async (destination) => {
    const [result] = await open().publish([{ destination, body: new Uint8Array() }]);
    expect(result).toMatchObject({ published: false, reason: 'refused' });
  },
);

test('a header that NATS cannot carry is a result, and the connection stays', async () => {
  const bus = open();
  await bus.declare(source);
  const headers = { 'x-note': 'two\r\nlines' };
  const [bad, good] = await bus.publish([{ ...message('a'), headers }, message('b')]);
  expect(bad).toMatchObject({ published: false, reason: 'refused' });
  expect(good).toEqual({ published: true, duplicate: false });
});

test('an option that the bus does not know is refused', () => {
  const wrong: object = { managr: new RetryManager() };
  expect(() => natsBus('nats://localhost', wrong)).toThrow(
    'managr is unknown (did you mean manager?)',
  );
});

test('a wrong password is refused, and the error does not have it', async () => {
  const bus = open(undefined, 'app:wr0ng@');
  expect(bus.name).toBe(`nats://${address}`);
  const error = await bus.publish([message('a')]).catch((thrown: unknown) => thrown);
  expect(isRedriveError(error, 'bus_refused')).toBe(true);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('wr0ng');
});

test('a server that is not there is unavailable', async () => {
  const [port] = await freePorts(1);
  const once = new RetryManager({ policies: { RETRY_NATS_CONNECT: { maxAttempts: 1 } } });
  const bus = natsBus(`nats://127.0.0.1:${port}`, { manager: once });
  await expect(bus.check(source)).rejects.toMatchObject({ code: 'bus_unavailable' });
  await bus.close();
});

test('a killed server: confirmed messages are delivered after its restart, and the outage is reported', async () => {
  const bus = open();
  await bus.declare(source);
  const notices: BusNotice['kind'][] = [];
  const taken: string[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const notify = (notice: BusNotice) => notices.push(notice.kind);
  await bus.consume(source, { prefetch: 10, notify }, async (deliveries) => {
    for (const { body } of deliveries) taken.push(new TextDecoder().decode(body));
    if (taken.includes('after')) resolve();
  });
  await bus.publish([message('before', 'm-1')]);
  await server.kill();
  await server.restart();
  // The client connects again by itself; a publish in between is repeated with the same id.
  await bus.publish([message('after', 'm-2')]);
  await all;
  expect(new Set(taken)).toEqual(new Set(['before', 'after']));
  expect(notices).toEqual(['lost', 'restored']);
});

test('settings of the consumer that lose messages are reported all at once, and refused', async () => {
  const bus = open();
  await bus.declare(source);
  const connection = await connect({ servers: address, user: 'app', pass: 's3cret' });
  onTestFinished(() => connection.close());
  const { consumers } = await jetstreamManager(connection);
  await consumers.delete(source.stream, source.name);
  await consumers.add(source.stream, {
    durable_name: source.name,
    ack_policy: 'none',
    max_deliver: 3,
    filter_subject: source.subject,
  });
  const { problems } = await bus.check({ ...source, queue: 'orders' });
  expect(problems.map(({ severity, problem }) => `${severity}: ${problem}`)).toEqual([
    expect.stringMatching(/^error: Source .* has a queue/),
    expect.stringMatching(/^error: Consumer .* acknowledges messages that are not stored/),
    expect.stringMatching(/^error: Consumer .* delivers a message at most 3 times/),
    expect.stringMatching(/^warning: Stream .* may lose its last messages in a power cut/),
    expect.stringMatching(/^warning: Consumer .* has an ack_wait below 30 s/),
  ]);
  expect(problems.every(({ remedy }) => remedy.length > 0)).toBe(true);
  await expect(bus.consume(source, { prefetch: 1 }, async () => {})).rejects.toMatchObject({
    code: 'bus_refused',
    message: expect.stringContaining('Set max_deliver to -1'),
  });
});

test('a consumer is declared so that the broker decides nothing, and gets the prefetch as its limit', async () => {
  const bus = open();
  expect(await bus.declare(source)).toEqual([`stream ${source.stream}`, `consumer ${source.name}`]);
  await bus.consume(source, { prefetch: 7 }, async () => {});
  const connection = await connect({ servers: address, user: 'app', pass: 's3cret' });
  onTestFinished(() => connection.close());
  const { consumers } = await jetstreamManager(connection);
  const { config } = await consumers.info(source.stream, source.name);
  expect(config).toMatchObject({
    ack_policy: 'explicit',
    ack_wait: 30_000_000_000,
    max_deliver: -1,
    max_ack_pending: 7,
    filter_subject: source.subject,
  });
  expect(config.backoff).toBeUndefined();
});

test('a deleted consumer ends the consumption with a report', async () => {
  const bus = open();
  await bus.declare(source);
  const { promise, resolve } = Promise.withResolvers<BusNotice>();
  await bus.consume(source, { prefetch: 1, notify: resolve }, async () => {});
  const connection = await connect({ servers: address, user: 'app', pass: 's3cret' });
  onTestFinished(() => connection.close());
  const { consumers } = await jetstreamManager(connection);
  await consumers.delete(source.stream, source.name);
  expect(await promise).toMatchObject({ kind: 'failed', error: { code: 'bus_refused' } });
});

test('a stream that disappears while the server is away ends the consumption with a report', async () => {
  const bus = open();
  await bus.declare(source);
  const { promise, resolve } = Promise.withResolvers<BusNotice>();
  const notify = (notice: BusNotice) => {
    if (notice.kind === 'failed') resolve(notice);
  };
  await bus.consume(source, { prefetch: 1, notify }, async () => {});
  await server.kill();
  await rm(join(server.dir, 'jetstream'), { recursive: true });
  await server.restart();
  expect(await promise).toMatchObject({
    error: { code: 'bus_refused', message: expect.stringContaining('it does not exist') },
  });
});

test('a connection that is closed while consume looks at the source is not the one that it consumes from', async () => {
  const manager = new RetryManager();
  const execute = manager.executeWithRetry.bind(manager);
  vi.spyOn(manager, 'executeWithRetry').mockImplementation(async (category, ...call) => {
    if (category === 'NATS_SUBSCRIBE') await connections.at(-1)?.close();
    return execute(category, ...call);
  });
  const bus = open(manager);
  await bus.declare(source);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const notify = (notice: BusNotice) => reject(notice.kind === 'failed' ? notice.error : notice);
  await bus.consume(source, { prefetch: 1, notify }, async () => resolve());
  await bus.publish([message('a')]);
  await promise;
});

test('names of sources that differ in refused characters only have consumers of their own', async () => {
  const bus = open();
  const [dotted, plain] = [`mail.send-${tests}`, `mail_send-${tests}`];
  expect(await bus.declare({ ...source, name: plain })).toContain(`consumer ${plain}`);
  const [made] = await bus.declare({ ...source, name: dotted });
  expect(made).toMatch(new RegExp(`^consumer ${plain}-[0-9a-f]{8}$`));
});

test('connect, publish, subscribe and declare run under their categories', async () => {
  const records: RetryRecord[] = [];
  const manager = new RetryManager({ events: syncSink((record) => records.push(record)) });
  const bus = open(manager);
  await bus.declare(source);
  await bus.consume(source, { prefetch: 1 }, async () => {});
  await bus.publish([message('a')]);
  const ended = records.flatMap((record) => (record.kind === 'session_ended' ? record : []));
  expect(ended.map(({ session, success }) => [session.category, success])).toEqual([
    ['RETRY_NATS_CONNECT', true],
    ['RETRY_NATS_STREAM_CREATE', true],
    ['RETRY_NATS_SUBSCRIBE', true],
    ['RETRY_NATS_PUBLISH', true],
  ]);
});
