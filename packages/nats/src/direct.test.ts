import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { type JobContext, jobsOn, memoryStore } from '@redrive/durable';
import { consumeEvents } from '@redrive/durable/events';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { natsBus } from './nats-bus.ts';

const SOURCE = {
  ...{ name: 'views', bus: 'main', stream: 'VIEWS', subject: 'views.>', handler: 'view' },
  ...{ direct: true, prefetch: 10 },
};

let server: NatsService;
let url: string;

beforeAll(async () => {
  server = await startNats();
  url = server.url;
}, 180_000);

afterAll(() => server?.stop());

/** Unacknowledged messages come again after two seconds, and not after 30. */
async function shortenAckWait(): Promise<void> {
  const connection = await connect({ servers: `${server.host}:${server.port}` });
  const manager = await jetstreamManager(connection);
  for await (const { name } of manager.consumers.list(SOURCE.stream))
    await manager.consumers.update(SOURCE.stream, name, { ack_wait: nanos(2_000) });
  await connection.close();
}

function startProcess(): ChildProcess {
  const file = join(import.meta.dirname, 'testing/direct-process.ts');
  const child = fork(file, [url, JSON.stringify(SOURCE)], { stdio: 'inherit', execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const message = (page: string) => ({
  destination: `views.${page}`,
  body: Buffer.from(JSON.stringify(page)),
});

test('direct: kill -9 in the handler, and each event is delivered again, stored and run; nothing is lost', async () => {
  const bus = natsBus(url);
  onTestFinished(() => bus.close());
  await bus.declare(SOURCE);
  await shortenAckWait();

  const child = startProcess();
  const begun = on(child, 'message');
  const pages = ['a', 'b', 'c'];
  await bus.publish(pages.map(message));
  for (const _ of pages) await begun.next();
  child.kill('SIGKILL');
  await once(child, 'exit');

  const store = memoryStore();
  const seen: string[] = [];
  const stored = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const view = async (page: string, { token }: JobContext) => {
    // A direct run has no lease, so its token is 0.
    seen.push(`${page} ${token > 0 ? 'stored' : 'direct'}`);
    if (seen.length === pages.length) stored.resolve();
    if (seen.length > pages.length) all.resolve();
  };
  const jobs = jobsOn(store, { view }, { log: 'off' });
  await jobs.start();
  const consumer = consumeEvents(SOURCE, { bus, store, jobs });
  await stored.promise;
  // Not before: a request of the killed process may still be open, and would get it.
  await bus.publish([message('d')]);
  await all.promise;
  await jobs.idle();
  await consumer.stop();
  await jobs.stop();
  expect(seen.toSorted()).toEqual(['a stored', 'b stored', 'c stored', 'd direct']);
  expect(consumer.status).toMatchObject({ handled: 1, stored: 3, duplicates: 0 });
  const { waiting, unacknowledged } = await bus.check(SOURCE);
  expect([waiting, unacknowledged]).toEqual([0, 0]);
  await store.close();
}, 60_000);
