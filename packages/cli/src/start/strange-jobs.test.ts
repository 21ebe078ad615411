import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { workerLog } from '../log/worker-log.ts';
import { processIo } from '../terminal/io.ts';
import { watchStrangeJobs } from './work-until-stopped.ts';

test('whoever waits for idle is told what will never be done here, now and then', async () => {
  const clock = virtualClock({ startMs: 1_000_000_000_000 });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { own: () => {}, other: () => {} }, { clock });
  await jobs.enqueue('own', undefined);
  await jobs.enqueue('other', undefined, { queue: 'q' });
  const lines: string[] = [];
  const log = workerLog(
    { ...processIo(), clock },
    { plain: false, write: (line) => lines.push(line) },
  );
  const stop = watchStrangeJobs(store, ['own'], clock, log);
  await clock.advance(4_000);
  expect(lines).toEqual([]);
  await clock.advance(2_000);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    '1 ready job waits in q for the handler other, which this worker does not have',
  ]);
  await clock.advance(60_000);
  expect(lines).toHaveLength(2);
  stop();
  expect(clock.pendingTimers).toBe(0);
});
