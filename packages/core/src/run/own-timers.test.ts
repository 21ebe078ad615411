import { mock } from 'node:test';
import { type Clock, retry } from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';

const hanging = () => new Promise<never>(() => {});
const down = () => Promise.reject(new Error('down'));

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

const fakes = {
  'vi.useFakeTimers': {
    on: () => void vi.useFakeTimers(),
    off: () => void vi.useRealTimers(),
    tick: (ms: number) => void vi.advanceTimersByTime(ms),
  },
  'mock.timers of node:test': {
    on: () => mock.timers.enable({ apis: ['setTimeout'] }),
    off: () => mock.timers.reset(),
    tick: (ms: number) => mock.timers.tick(ms),
  },
};

describe.each(Object.entries(fakes))('no timer outlives its last user: %s', (_, fake) => {
  it('attemptTimeoutMs of the same length fires after fake timers were used and reset', async () => {
    const policy = { attemptTimeoutMs: 40, maxAttempts: 1 };
    fake.on();
    expect(await retry(() => 'up', policy)).toBe('up');
    fake.off();
    await expect(retry(hanging, policy)).rejects.toMatchObject({
      cause: { code: 'attempt_timeout' },
    });
  });

  it('a wait of the same length ends after fake timers were used and reset in a wait', async () => {
    const policy = { baseDelayMs: 40, jitter: 'none', maxAttempts: 2 } as const;
    fake.on();
    void retry(down, policy).catch(() => {});
    await settle();
    fake.off();
    await expect(retry(down, policy)).rejects.toMatchObject({ totalAttempts: 2 });
  });

  it('waits, timeouts and deadlines end when the fake timers are ticked', async () => {
    fake.on();
    const wait = retry(down, { baseDelayMs: 60_000, jitter: 'none', maxAttempts: 2 });
    const timeout = retry(hanging, { attemptTimeoutMs: 60_000, maxAttempts: 1 });
    const deadline = retry(hanging, { ttlMs: 60_000 });
    const ended = Promise.allSettled([wait, timeout, deadline]);
    await settle();
    fake.tick(60_000);
    expect(await ended).toMatchObject([
      { reason: { reason: 'max_attempts_exceeded', totalAttempts: 2 } },
      { reason: { reason: 'max_attempts_exceeded', cause: { code: 'attempt_timeout' } } },
      { reason: { reason: 'ttl_exceeded' } },
    ]);
  });
});

it('no timer outlives its last user: where timers freeze between requests', async () => {
  const machine = virtualClock();
  let request = 1;
  // A host that drops the timers of a request once it has answered it.
  const clock: Clock = {
    now: () => machine.now(),
    monotonic: () => machine.monotonic(),
    setTimer(delayMs, wake) {
      const mine = request;
      return machine.setTimer(delayMs, () => mine === request && wake());
    },
  };
  const policy = { attemptTimeoutMs: 1_000, maxAttempts: 1 };
  expect(await retry(() => 'up', policy, { clock })).toBe('up');
  request += 1;
  let error: unknown;
  void retry(hanging, policy, { clock }).catch((thrown: unknown) => {
    error = thrown;
  });
  await machine.runAll();
  await settle();
  expect(error).toMatchObject({ cause: { code: 'attempt_timeout' } });
});

describe('a timer', () => {
  /** A clock that notes the timers it is asked for. */
  function noting(clock: Clock) {
    const asked: number[] = [];
    return {
      asked,
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        setTimer: (delayMs: number, wake: () => void) => {
          asked.push(delayMs);
          return clock.setTimer(delayMs, wake);
        },
      },
    };
  }

  it('that fires a little early is set again: a wait is never early', async () => {
    const machine = virtualClock();
    const early: Clock = {
      now: () => machine.now(),
      monotonic: () => machine.monotonic(),
      setTimer: (delayMs, wake) => machine.setTimer(delayMs - 0.7, wake),
    };
    const starts: number[] = [];
    const operation = () => {
      starts.push(machine.monotonic());
      return down();
    };
    const policy = { baseDelayMs: 50, jitter: 'none', maxAttempts: 2 } as const;
    const call = retry(operation, policy, { clock: early }).catch(() => {});
    await machine.runAll();
    await call;
    expect(starts[1]).toBeGreaterThanOrEqual(50);
    expect(starts[1]).toBeLessThan(52);
  });

  it('is never longer than setTimeout can be, and the wait is never shorter than asked for', async () => {
    const machine = virtualClock();
    const { clock, asked } = noting(machine);
    const baseDelayMs = 2 ** 32;
    const policy = { baseDelayMs, jitter: 'none', horizonMs: Infinity, maxAttempts: 2 } as const;
    const call = retry(down, policy, { clock }).catch(() => machine.monotonic());
    await machine.runAll();
    expect(await call).toBe(baseDelayMs);
    expect(Math.max(...asked)).toBe(2 ** 31 - 1);
  });
});
