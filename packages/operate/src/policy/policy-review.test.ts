import { parseConfig } from '@redrive/config';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { reviewNow } from './policy-review.ts';

const HOUR_MS = 3_600_000;
const { config } = parseConfig('version: "1.1.0"');

test('of more attempts than it takes, the newest are reviewed', async () => {
  if (config === undefined) return expect.unreachable();
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const run = async (resize: () => unknown) => {
    const jobs = jobsOn(store, { resize }, { log: 'off', clock });
    await jobs.enqueue('resize', null);
    await jobs.start();
    await clock.advance(2_000);
    await jobs.stop();
  };
  await run(() => final('no such image'));
  await clock.advance(72 * HOUR_MS);
  await run(() => 'done');
  const { signal } = new AbortController();
  const made = await reviewNow({ store, clock, config, signal }, () => undefined, 1);
  expect(Date.parse(made.until ?? '') - Date.parse(made.since ?? '')).toBe(42 * HOUR_MS);
  expect(made.policies).toMatchObject([{ sessions: 1, success_rate: 1 }]);
});
