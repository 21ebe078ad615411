import type { Clock } from '@redrive/core';
import { expect, it } from 'vitest';
import { WakeUps } from './wake-ups.ts';

// Node prints a warning for a timer of less than nothing.
it('asks for no negative timer when the wait is over before its timer is set', () => {
  const asked: number[] = [];
  let nowMs = 0;
  const clock: Clock = {
    now: () => 0,
    // The machine stands still for 5 ms between any two looks at the clock.
    monotonic: () => (nowMs += 5),
    setTimer: (delayMs) => {
      asked.push(delayMs);
      return { cancel() {}, hold() {} };
    },
  };
  new WakeUps(clock, true).join(1);
  expect(asked).toEqual([0]);
});
