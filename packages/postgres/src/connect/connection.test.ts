import { Client } from 'pg';
import { expect, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { Connection } from './connection.ts';

const server = testServer(NO_SYNC);

it('a connection that is made while its user is gone is not kept', async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const client = new Client({ connectionString: server.url });
  const connection = new Connection({
    store: 'test',
    makeClient: () => client,
    async prepare() {
      asked.resolve();
      await go.promise;
    },
  });
  const used = connection.use((session) => session.query({ text: 'select 1' }), 10_000);
  await asked.promise;
  await connection.close(0);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  go.resolve();
  await expect(used).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(connection.isOpen).toBe(false);
  await ended;
});
