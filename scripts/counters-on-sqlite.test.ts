import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@redrive/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { countJobs, readLog } from './counters/count-and-read.ts';

test('counters equal the audit log after a run with orderly restarts, on SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-counters-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const store = await openStore(join(directory, 'jobs.db'));
  onTestFinished(() => store.close());
  await store.migrate();
  const counted = await countJobs(store);
  expect(counted).toEqual(await readLog(store));
  expect(counted.removed).toEqual({ archive: 4, purge: 4, requeue: 4, retention: 4 });
  expect(counted.dead['mail ttl_exceeded']).toBeGreaterThanOrEqual(3);
});
