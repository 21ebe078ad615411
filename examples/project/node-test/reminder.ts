// The same with Node's own runner: `node --test node-test/reminder.ts`
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { sendReminder } from '../src/reminder.ts';

test('a reminder gives up after four attempts and seven minutes', async () => {
  const clock = virtualClock();
  const reminder = sendReminder(() => Promise.reject(new Error('connection reset')), clock);
  const gaveUp = assert.rejects(reminder, { reason: 'max_attempts_exceeded' });
  await clock.runAll();
  await gaveUp;
  assert.equal(clock.monotonic(), 7 * 60_000);
  expectNoTimers(clock);
});
