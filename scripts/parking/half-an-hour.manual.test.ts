import { expect, test } from 'vitest';
import { HALF_AN_HOUR, simulateOutage, TWO_HOURS } from './simulate-outage.ts';

test.each([
  ['half an hour', HALF_AN_HOUR],
  ['two hours, though they have 8 attempts', TWO_HOURS],
])(
  'ten thousand jobs in an outage of %s: one attempt per timeout, and all are back soon after it',
  async (_, outage) => {
    const report = await simulateOutage(outage);
    expect(report.attemptsWhileDown).toBeLessThanOrEqual(report.attemptsAllowed);
    expect(report.liveSuccess).toBeGreaterThanOrEqual(0.99);
    expect(report).toMatchObject({ finished: 10_000, dead: 0 });
    expect(report.until99Ms).toBeLessThanOrEqual(report.allowedMs);
  },
);

test('the same without parking: a storm that does not end with the outage', async () => {
  const report = await simulateOutage({ ...HALF_AN_HOUR, parking: false });
  expect(report.attemptsWhileDown).toBeGreaterThan(300_000);
  expect(report.liveSuccess).toBeLessThan(0.1);
  expect(report.finished).toBeLessThan(1_000);
});
