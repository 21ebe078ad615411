import { openStore } from '@redrive/postgres';
import { startPostgres } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { countJobs, readLog } from './counters/count-and-read.ts';

test('counters equal the audit log after a run with orderly restarts, on Postgres', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const store = await openStore(server.url);
  onTestFinished(() => store.close());
  await store.migrate();
  const counted = await countJobs(store);
  expect(counted).toEqual(await readLog(store));
  expect(counted.removed).toEqual({ archive: 4, purge: 4, requeue: 4, retention: 4 });
  expect(counted.dead['mail ttl_exceeded']).toBeGreaterThanOrEqual(3);
}, 60_000);
