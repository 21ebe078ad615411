import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { reportSource, sourceReports } from './source-reports.ts';

test('counts of a source are added up over processes and restarts; without a report for a minute it is gone', async () => {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const store = memoryStore({ clock });
  const counts = { stored: 3, duplicates: 2, buried: 1 };
  const lastError = 'No answer';
  await reportSource(store, 'chunking', { state: 'bus_away', ...counts, lastError });
  await reportSource(store, 'chunking', { state: 'taking', ...counts, waiting: 4 });
  const summed = { stored: 6, duplicates: 4, buried: 2, waiting: 4, lastError };
  expect((await sourceReports(store)).get('chunking')).toMatchObject({
    state: 'taking',
    ...summed,
  });
  await clock.advance(60_001);
  expect((await sourceReports(store)).get('chunking')).toMatchObject({ state: 'gone', ...summed });
});
