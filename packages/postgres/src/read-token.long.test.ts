import { RetryableError } from '@redrive/durable/events';
import { startPostgres } from '@redrive/testkit/services';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { readToken, waitUntilReadable } from './read-token.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer();

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it('waitUntilReadable rejects as retryable while a replica is behind, and resolves when it shows the row', async () => {
  const standby = await startPostgres({ replicaOf: server.service, settings: NO_SYNC });
  onTestFinished(() => standby.stop());
  const primary = await connected(server.url);
  const replica = await connected(standby.url);
  await primary.query('create table documents (id text)');
  await waitUntilReadable(replica, await readToken(primary), { timeoutMs: 20_000 });

  await replica.query('select pg_wal_replay_pause()');
  await primary.query(`insert into documents values ('abc')`);
  const token = await readToken(primary);
  await waitUntilReadable(primary, token, { timeoutMs: 0 });
  const late = waitUntilReadable(replica, token, { timeoutMs: 50 });
  await expect(late).rejects.toBeInstanceOf(RetryableError);
  expect((await replica.query('select * from documents')).rowCount).toBe(0);

  await replica.query('select pg_wal_replay_resume()');
  await waitUntilReadable(replica, token, { timeoutMs: 20_000 });
  expect((await replica.query('select * from documents')).rowCount).toBe(1);
  await expect(waitUntilReadable(replica, 'nonsense')).rejects.toMatchObject({
    code: 'invalid_option',
  });
});
