import { retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';

// Programs that freeze the language's own objects (`node --frozen-intrinsics`, SES) must not end with the first timeout.
it('times out where the Error class cannot be changed', async () => {
  const clock = virtualClock();
  const policy = { maxAttempts: 1, attemptTimeoutMs: 100 };
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: false });
  try {
    const call = retry(() => new Promise(() => {}), policy, { clock });
    const failed = expect(call).rejects.toThrow('The attempt took longer than 100 ms');
    await clock.advance(200);
    await failed;
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', { ...limit });
  }
});
