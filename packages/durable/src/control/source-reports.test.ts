import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { reportSource, sourceReports } from './source-reports.ts';

const START_MS = Date.UTC(2026, 0, 1);

function bench() {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const read = async () => (await sourceReports(store)).get('chunking');
  return { clock, store, read };
}

const counts = { handled: 5, stored: 3, duplicates: 2, deadLettered: 1 };

test('counts of a source are added up over processes and restarts; without a report for a minute it is gone', async () => {
  const { clock, store, read } = bench();
  await reportSource(store, 'chunking', { state: 'bus_away', ...counts });
  await reportSource(store, 'chunking', { state: 'taking', ...counts, waiting: 4 });
  const summed = { handled: 10, stored: 6, duplicates: 4, deadLettered: 2, waiting: 4 };
  expect(await read()).toMatchObject({ state: 'taking', ...summed });
  await clock.advance(60_001);
  expect(await read()).toMatchObject({ state: 'gone', ...summed });
});

test('an error has the time of its last report, and is forgotten a day after the recovery', async () => {
  const { clock, store, read } = bench();
  const failing = { state: 'bus_away', ...counts, lastError: 'No answer' };
  await reportSource(store, 'chunking', failing);
  await clock.advance(10_000);
  await reportSource(store, 'chunking', failing);
  await clock.advance(10_000);
  const well = { state: 'taking', ...counts };
  await reportSource(store, 'chunking', well);
  const kept = { lastError: 'No answer', lastErrorAtMs: START_MS + 10_000 };
  expect(await read()).toMatchObject({ atMs: START_MS + 20_000, ...kept });
  await clock.advance(86_000_000);
  await reportSource(store, 'chunking', well);
  expect(await read()).toMatchObject(kept);
  await clock.advance(400_000);
  await reportSource(store, 'chunking', well);
  const { lastError, lastErrorAtMs } = (await read()) ?? {};
  expect([lastError, lastErrorAtMs]).toEqual([undefined, undefined]);
});
