import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRedriveError, type RetryRecord, syncSink } from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import type { Bus, BusNotice, BusProblem } from '@redrive/durable/events';
import { BusCalls } from '@redrive/durable/store';
import { type RabbitmqService, startRabbitmq } from '@redrive/testkit/services';
import { type Channel, connect } from 'amqplib';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parseAddress } from './address.ts';
import { CLASSIFIERS, Link } from './connection.ts';
import { settingsOf } from './queue-look.ts';
import { rabbitmqBus } from './rabbitmq-bus.ts';

let server: RabbitmqService;
let tests = 0;
let source: { readonly name: string; readonly queue: string };

/** Long before the server is killed: RabbitMQ may lose a queue that was declared less than a second before. */
const OLD_QUEUE = 'declared-early';

beforeAll(async () => {
  server = await startRabbitmq();
  await asOperator((channel) => channel.assertQueue(OLD_QUEUE, { durable: true }));
}, 300_000);

afterAll(() => server?.stop());

beforeEach(() => {
  tests += 1;
  source = { name: 'orders', queue: `orders-${tests}` };
});

function open(manager?: RetryManager, url = server.url): Bus {
  const bus = rabbitmqBus(url, { manager });
  onTestFinished(() => bus.close());
  return bus;
}

/** What an operator does, or another program. */
async function asOperator<T>(act: (channel: Channel) => Promise<T>): Promise<T> {
  const connection = await connect(server.url);
  try {
    return await act(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

const message = (text: string, destination: string = source.queue, id?: string) => ({
  destination,
  body: new TextEncoder().encode(text),
  ...(id !== undefined && { id }),
});

const errorsOf = (problems: readonly BusProblem[]) =>
  problems.filter(({ severity }) => severity === 'error');

const QUORUM = { 'x-queue-type': 'quorum' };
const declareWith = (settings: Record<string, unknown>) =>
  asOperator((channel) =>
    channel.assertQueue(source.queue, { durable: true, arguments: settings }),
  );

test('a quorum queue with a delivery limit and no dead-letter exchange is refused, with the remedy', async () => {
  await declareWith({ ...QUORUM, 'x-delivery-limit': 5 });
  const bus = open();
  const { problems } = await bus.check(source);
  expect(errorsOf(problems)).toMatchObject([
    {
      problem: expect.stringContaining('drops a message after 5 deliveries'),
      remedy: expect.stringContaining('without a limit'),
    },
  ]);
  await expect(bus.consume(source, { prefetch: 1 }, async () => {})).rejects.toMatchObject({
    code: 'bus_refused',
    message: expect.stringContaining('drops a message after 5 deliveries'),
  });
});

test('at-most-once dead-lettering is refused, with the remedy; at-least-once is not', async () => {
  const bus = open();
  const limited = { ...QUORUM, 'x-delivery-limit': 5, 'x-dead-letter-exchange': 'amq.direct' };
  await declareWith(limited);
  expect(errorsOf((await bus.check(source)).problems)).toMatchObject([
    {
      problem: expect.stringContaining('dead-lettering is at most once'),
      remedy: expect.stringContaining('x-dead-letter-strategy: at-least-once'),
    },
  ]);
  source = { ...source, queue: `${source.queue}-safe` };
  const safe = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };
  await declareWith({ ...limited, ...safe });
  const { problems } = await bus.check(source);
  expect(errorsOf(problems)).toEqual([]);
  expect(problems[0]).toMatchObject({
    severity: 'warning',
    problem: expect.stringContaining('dead-letters a message after 5 deliveries'),
  });
});

test('settings that are not visible are warnings, and looking changes nothing', async () => {
  await asOperator((channel) =>
    channel.assertQueue(source.queue, { durable: false, messageTtl: 60_000, maxLength: 10 }),
  );
  const { problems } = await open().check(source);
  expect(problems.map(({ severity, problem }) => `${severity}: ${problem}`)).toEqual([
    `warning: Queue ${source.queue} is not durable`,
    `warning: Queue ${source.queue} removes messages that nobody has taken (x-message-ttl, x-max-length)`,
    expect.stringContaining('Policies of queue'),
  ]);
  const listed = await server.ctl('-q', 'list_queues', 'name', 'durable', 'arguments');
  expect(listed).toMatch(new RegExp(`${source.queue}\\s+false\\s+.*x-message-ttl.*x-max-length`));
});

test('looks at a healthy queue cause no error of the server after the first one', async () => {
  await declareWith({ ...QUORUM, 'x-max-length': 10, 'x-overflow': 'reject-publish' });
  const bus = open();
  const { problems } = await bus.check(source);
  for (let times = 0; times < 10; times++) {
    expect(await bus.check(source)).toEqual({ problems, waiting: 0 });
  }
  const log = await readFile(join(server.dir, 'service.log'), 'utf8');
  const errors = log.split('\n').filter((line) => line.includes(`queue '${source.queue}'`));
  // The first look is refused once per setting and once for the impossible one. The server may still write some of them.
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(5);
});

test('a queue that is deleted between two steps of a look is not created by it', async () => {
  const address = parseAddress(server.url);
  const link = new Link(address, new BusCalls(address.name, CLASSIFIERS));
  onTestFinished(() => link.close());
  expect(await settingsOf(link, source.queue)).toBeUndefined();
  expect(await server.ctl('-q', 'list_queues', 'name')).not.toContain(source.queue);
});

test('a queue that was declared anew with a delivery limit is refused, though it was looked at before', async () => {
  await declareWith(QUORUM);
  const bus = open();
  expect(errorsOf((await bus.check(source)).problems)).toEqual([]);
  await asOperator((channel) => channel.deleteQueue(source.queue));
  await declareWith({ ...QUORUM, 'x-delivery-limit': 5 });
  await expect(bus.consume(source, { prefetch: 1 }, async () => {})).rejects.toMatchObject({
    code: 'bus_refused',
  });
});

test('a user that may not configure consumes, with a warning that the settings are not visible', async () => {
  await declareWith(QUORUM);
  await server.ctl('-q', 'add_user', 'reader', 's3cret');
  await server.ctl('-q', 'set_permissions', 'reader', '', '.*', '.*');
  const bus = open(undefined, server.url.replace('guest:guest', 'reader:s3cret'));
  const { problems } = await bus.check(source);
  expect(problems.map(({ severity, problem }) => `${severity}: ${problem}`)).toEqual([
    expect.stringContaining('warning: Policies of queue'),
    expect.stringContaining('warning: Settings of queue'),
  ]);
  const { promise, resolve } = Promise.withResolvers<void>();
  await bus.consume(source, { prefetch: 1 }, async () => resolve());
  await bus.publish([message('a')]);
  await promise;
});

test('a declared queue is a quorum queue without a delivery limit', async () => {
  expect(await open().declare(source)).toEqual([`queue ${source.queue}`]);
  const listed = await server.ctl('-q', 'list_queues', 'name', 'durable', 'arguments');
  expect(listed).toContain(`${source.queue}\ttrue\t[{"x-queue-type","quorum"}]`);
});

test('an exchange routes by its key; an unknown exchange is unroutable and stops no other message', async () => {
  const bus = open();
  await bus.declare(source);
  await asOperator((channel) => channel.bindQueue(source.queue, 'amq.direct', 'paid'));
  const results = await bus.publish([
    message('a', 'amq.direct/paid'),
    message('b', 'nowhere/paid'),
    message('c', 'amq.direct/unpaid'),
    message('d'),
  ]);
  expect(results.map((result) => (result.published ? 'published' : result.reason))).toEqual([
    'published',
    'unroutable',
    'unroutable',
    'published',
  ]);
  expect((await bus.check(source)).waiting).toBe(2);
});

test('after a nack the next message goes out on a new channel', async () => {
  await asOperator((channel) =>
    channel.assertQueue(`${source.queue}-full`, {
      durable: true,
      maxLength: 1,
      arguments: { 'x-overflow': 'reject-publish' },
    }),
  );
  const once = new RetryManager({ policies: { RETRY_API_REQUEST: { maxAttempts: 1 } } });
  const bus = open(once);
  await bus.declare(source);
  const full = `${source.queue}-full`;
  await bus.publish([message('fits', full)]);
  await expect(bus.publish([message('too much', full)])).rejects.toMatchObject({
    code: 'bus_unavailable',
    message: expect.stringContaining('message nacked'),
  });
  expect(await bus.publish([message('other')])).toEqual([{ published: true, duplicate: false }]);
});

test('an option that the bus does not know is refused', () => {
  const wrong: object = { managr: new RetryManager() };
  expect(() => rabbitmqBus('amqp://localhost', wrong)).toThrow(
    'managr is unknown (did you mean manager?)',
  );
});

test('a wrong password is refused, and the error does not have it', async () => {
  const bus = open(undefined, server.url.replace('guest:guest', 'guest:wr0ng'));
  expect(bus.name).toBe(`amqp://127.0.0.1:${server.port}`);
  const error = await bus.publish([message('a')]).catch((thrown: unknown) => thrown);
  expect(isRedriveError(error, 'bus_refused')).toBe(true);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('wr0ng');
});

test('all calls run under the category API_REQUEST', async () => {
  const records: RetryRecord[] = [];
  const bus = open(new RetryManager({ events: syncSink((record) => records.push(record)) }));
  await bus.declare(source);
  await bus.consume(source, { prefetch: 1 }, async () => {});
  await bus.publish([message('a')]);
  const ended = records.flatMap((record) => (record.kind === 'session_ended' ? record : []));
  expect(new Set(ended.map(({ session }) => session.category))).toEqual(
    new Set(['RETRY_API_REQUEST']),
  );
  expect(ended.map(({ session }) => session.operation)).toEqual([
    'Connect',
    'Declare orders',
    'Look at orders',
    `Consume ${source.queue}`,
    `Publish to ${source.queue}`,
  ]);
});

test('a deleted queue ends the consumption with a report', async () => {
  const bus = open();
  await bus.declare(source);
  const notices: BusNotice[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const notify = (notice: BusNotice) => {
    notices.push(notice);
    if (notice.kind === 'failed') resolve();
  };
  await bus.consume(source, { prefetch: 1, notify }, async () => {});
  await asOperator((channel) => channel.deleteQueue(source.queue));
  await promise;
  expect(notices).toMatchObject([
    { kind: 'lost' },
    { kind: 'failed', error: { code: 'bus_refused' } },
  ]);
});

test('a killed server: confirmed messages are delivered after its restart, and the outage is reported', {
  timeout: 120_000,
}, async () => {
  const bus = open();
  source = { name: 'orders', queue: OLD_QUEUE };
  const notices: BusNotice['kind'][] = [];
  const taken: string[] = [];
  const { promise: restored, resolve: restore, reject } = Promise.withResolvers<void>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const notify = (notice: BusNotice) => {
    notices.push(notice.kind);
    if (notice.kind === 'restored') restore();
    if (notice.kind === 'failed') reject(notice.error);
  };
  await bus.consume(source, { prefetch: 10, notify }, async (deliveries) => {
    for (const { body } of deliveries) taken.push(new TextDecoder().decode(body));
    if (taken.includes('after')) resolve();
  });
  await bus.publish([message('before')]);
  await server.kill();
  await server.restart();
  await restored;
  await bus.publish([message('after')]);
  await all;
  expect(new Set(taken)).toEqual(new Set(['before', 'after']));
  expect(notices).toEqual(['lost', 'restored']);
});
