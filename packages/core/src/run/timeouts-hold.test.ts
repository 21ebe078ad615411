import { retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';

const hanging = () => new Promise<never>(() => {});

it('a timeout holds the process, unless its call was told not to', async () => {
  const clock = virtualClock();
  const policy = { attemptTimeoutMs: 1_000, maxAttempts: 1 };
  const call = (unref: boolean) => retry(hanging, policy, { clock, unref }).catch(() => {});
  const calls = [call(true), call(true)];
  expect(clock.holdingTimers).toBe(0);
  calls.push(call(false));
  expect(clock.holdingTimers).toBe(1);
  calls.push(call(true));
  await clock.advance(900);
  expect(clock.holdingTimers).toBe(1);
  await clock.runAll();
  await Promise.all(calls);
});
