import { expect, test } from 'vitest';
import { HALF_AN_HOUR, simulateOutage } from '../parking/simulate-outage.ts';
import { ENGINE } from './half-hour.ts';

test('the numbers of the half hour are those of the engine’s own run', {
  timeout: 600_000,
}, async () => {
  const parked = await simulateOutage(HALF_AN_HOUR);
  const unparked = await simulateOutage({ ...HALF_AN_HOUR, parking: false });
  expect({
    attempts: parked.attemptsWhileDown,
    allowed: parked.attemptsAllowed,
    done99Ms: Math.round(parked.until99Ms ?? 0),
    unparkedAttempts: unparked.attemptsWhileDown,
  }).toEqual(ENGINE);
});
