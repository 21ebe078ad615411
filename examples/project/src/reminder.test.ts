// Minutes of waits in a millisecond: `npx vitest run`
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { sendReminder } from './reminder.ts';

test('a reminder waits one minute, then two', async () => {
  const clock = virtualClock();
  const sentAtMs: number[] = [];
  const reminder = sendReminder(async () => {
    sentAtMs.push(clock.monotonic());
    if (sentAtMs.length < 3) throw new Error('connection reset');
    return 'sent';
  }, clock);
  await clock.runAll();
  expect(await reminder).toBe('sent');
  expect(sentAtMs).toEqual([0, 60_000, 180_000]);
  expectNoTimers(clock);
});
