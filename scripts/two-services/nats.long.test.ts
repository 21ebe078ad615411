import {
  type NatsService,
  type PostgresService,
  startNats,
  startPostgres,
} from '@redrive/testkit/services';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runBothServices, runLateDocument } from './scenario.ts';
import { eventually, openServices } from './services.ts';

let broker: NatsService;
beforeAll(async () => {
  broker = await startNats();
}, 180_000);
afterAll(() => broker?.stop());

async function database(): Promise<PostgresService> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  return server;
}

test(
  'with NATS both services go through a kill and an outage',
  {
    timeout: 180_000,
  },
  async () => runBothServices({ server: await database(), bus: broker.url }),
);

test(
  'with NATS an event that comes before its document is handled when the document is there',
  {
    timeout: 180_000,
  },
  async () => runLateDocument({ server: await database(), bus: broker.url }),
);

test('a replica that is behind: the read token of the event makes the reader wait', {
  timeout: 180_000,
}, async () => {
  const server = await database();
  const standby = await startPostgres({ replicaOf: server });
  onTestFinished(() => standby.stop());
  const options = { server, replicaUrl: standby.url };
  const { start, run, store, model, embedded } = await openServices(options);
  await model.start();
  model.release();
  const replica = new Client(standby.url);
  await replica.connect();
  onTestFinished(() => replica.end());
  await replica.query('select pg_wal_replay_pause()');

  start('chunking', 'embedding', 'default');
  run('parsing.ts');
  await eventually('the reader waits', async () => {
    const first = await store.job('chunking-archive.1');
    return first?.attempts.kept[0]?.error?.message.startsWith('The replica has not') === true;
  });
  expect(await embedded()).toEqual([]);
  await replica.query('select pg_wal_replay_resume()');
  await eventually('each chunk is embedded', async () => (await embedded()).length === 11);
});
