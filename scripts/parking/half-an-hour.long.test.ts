import { expect, test } from 'vitest';
import { HALF_AN_HOUR, simulateOutage } from './simulate-outage.ts';

test('ten thousand jobs in an outage of half an hour: at most 500 attempts, and all are back soon after it', async () => {
  const report = await simulateOutage(HALF_AN_HOUR);
  expect(report.attemptsWhileDown).toBeLessThanOrEqual(500);
  expect(report.liveSuccess).toBeGreaterThanOrEqual(0.99);
  expect(report).toMatchObject({ finished: 10_000, dead: 0 });
  expect(report.until99Ms).toBeLessThanOrEqual(250_000);
});

test('the same without parking: a storm that does not end with the outage', async () => {
  const report = await simulateOutage({ ...HALF_AN_HOUR, parking: false });
  expect(report.attemptsWhileDown).toBeGreaterThan(300_000);
  expect(report.liveSuccess).toBeLessThan(0.1);
  expect(report.finished).toBeLessThan(1_000);
});
