import { expect, test } from 'vitest';
import { simulateOutage, THREE_MINUTES } from './simulate-outage.ts';

/** The storm of half as many is one too. */
const SHORT = { ...THREE_MINUTES, jobs: 500, capacityPerSecond: 10, livePerSecond: 5 };

// The short form of `npm run parking`.
test('jobs that wait for a dependency try rarely, and come back without getting in the way of others', {
  timeout: 120_000,
}, async () => {
  const report = await simulateOutage(THREE_MINUTES);
  expect(report.attemptsWhileDown).toBeLessThanOrEqual(report.attemptsAllowed);
  expect(report.liveSuccess).toBeGreaterThanOrEqual(0.99);
  expect(report).toMatchObject({ finished: THREE_MINUTES.jobs, dead: 0 });
  expect(report.until99Ms).toBeLessThanOrEqual(report.allowedMs);
});

test('without parking they are a storm, which keeps the dependency from coming back', {
  timeout: 120_000,
}, async () => {
  const report = await simulateOutage({ ...SHORT, parking: false, afterMs: 125_000 });
  expect(report.attemptsWhileDown).toBeGreaterThan(2_500);
  expect(report.liveSuccess).toBeLessThan(0.5);
  expect(report.finished).toBeLessThan(SHORT.jobs / 2);
});
