import { circuitBreaker, isRetryError, type Policy, retry } from '@redrive/core';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { describe, expect, it, test } from 'vitest';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-29T12:00:00Z');
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** When each attempt of a call that always fails starts, in milliseconds from its beginning. */
async function startsOf(
  policy: Policy,
  thrown: () => unknown = () => new Error('down'),
  sessionId?: string,
) {
  const clock = virtualClock({ startMs: START, monotonicMs: 5_000 });
  const starts: number[] = [];
  const call = failureOf(
    retry(
      () => {
        starts.push(clock.monotonic() - 5_000);
        throw thrown();
      },
      policy,
      { clock, sessionId },
    ),
  );
  await Promise.all([call, clock.runAll()]);
  expectNoTimers(clock);
  return starts;
}

test('trap: the cap undoes the jitter', async () => {
  const capMs = 64_000;
  const policy = { maxAttempts: 5, baseDelayMs: 20_000, maxDelayMs: capMs } as const;
  for (const jitter of ['full', 'equal', 'decorrelated', 'proportional'] as const) {
    const waits: number[] = [];
    for (let n = 0; n < 100; n++) {
      const starts = await startsOf({ ...policy, jitter }, undefined, `session-${n}`);
      const [last = 0, before = 0] = starts.reverse();
      waits.push(last - before);
    }
    // Most differ: had the cap come after the jitter, half of them or more would be the cap itself.
    expect(new Set(waits).size).toBeGreaterThan(75);
    expect(waits.filter((wait) => wait === capMs).length).toBeLessThan(3);
  }
});

test('trap: a wait above 2^31 ms fires at once', async () => {
  const policy = {
    baseDelayMs: 60 * DAY_MS,
    horizonMs: Infinity,
    backoff: 'fixed',
    jitter: 'none',
  };
  const [first, second = 0, third = 0] = await startsOf(policy as Policy);
  expect(first).toBe(0);
  for (const wait of [second, third - second]) {
    expect(wait).toBeGreaterThanOrEqual(60 * DAY_MS);
    expect(wait).toBeLessThanOrEqual(60 * DAY_MS * (1 + 1 / 512));
  }
});

test('trap: a timeout above 2^31 ms fires at once', async () => {
  const clock = virtualClock();
  const call = retry(
    () => new Promise(() => {}),
    { attemptTimeoutMs: 60 * DAY_MS, maxAttempts: 1 },
    { clock },
  );
  const settled = failureOf(call).then(() => clock.monotonic());
  await clock.runAll();
  expect(await settled).toBeGreaterThanOrEqual(60 * DAY_MS);
});

describe('trap: the wall clock is set back', () => {
  it('waits by the monotonic clock', async () => {
    const clock = virtualClock({ startMs: START });
    const policy = { baseDelayMs: 1_000, jitter: 'none', ttlMs: 60_000 } as const;
    let calls = 0;
    const call = retry(
      () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('down')) : clock.monotonic();
      },
      policy,
      { clock },
    );
    await clock.advance(500);
    clock.setWall(START - 3_600_000);
    await clock.advance(500);
    expect(await call).toBe(1_000);
  });

  it('keeps the deadline by the monotonic clock', async () => {
    const clock = virtualClock({ startMs: START });
    const call = failureOf(retry(() => new Promise(() => {}), { ttlMs: 10_000 }, { clock }));
    await clock.advance(5_000);
    clock.setWall(START - 3_600_000);
    await clock.advance(5_000 + 10_000 / 64);
    expect(isRetryError(await call, 'ttl_exceeded')).toBe(true);
  });

  it('lets the breaker through when its time has come', async () => {
    const clock = virtualClock({ startMs: START });
    const breaker = circuitBreaker({ clock, threshold: 1, timeoutMs: 10_000 });
    const policy = { maxAttempts: 1 };
    await failureOf(retry(() => Promise.reject(new Error('down')), policy, { clock, breaker }));
    clock.setWall(START - 3_600_000);
    const refused = await failureOf(retry(() => 'up', policy, { clock, breaker }));
    expect(refused).toMatchObject({ reason: 'breaker_open' });
    await clock.advance(10_000);
    expect(await retry(() => 'up', policy, { clock, breaker })).toBe('up');
  });
});

describe('trap: Retry-After is answered too early', () => {
  const limited = (retryAfter: string, headers = {}) =>
    Object.assign(new Error('Too Many Requests'), {
      status: 429,
      headers: { 'retry-after': retryAfter, ...headers },
    });
  const hasty = { baseDelayMs: 1, maxDelayMs: 5, jitter: 'full' } as const;

  it.each([
    ['seconds', () => limited('20')],
    ['a date', () => limited(new Date(START + 20_000).toUTCString())],
    [
      'a date by a clock that is an hour ahead',
      () =>
        limited(new Date(START + 3_620_000).toUTCString(), {
          date: new Date(START + 3_600_000).toUTCString(),
        }),
    ],
  ])('waits at least as long as %s says, and little more', async (_, thrown) => {
    for (let n = 0; n < 50; n++) {
      const [, second = 0] = await startsOf({ ...hasty, maxAttempts: 2 }, thrown);
      expect(second).toBeGreaterThanOrEqual(20_000);
      expect(second).toBeLessThanOrEqual(20_000 * 1.1 + 32);
    }
  });

  it('is no reason to come earlier than the back-off would', async () => {
    const slow = {
      baseDelayMs: 50_000,
      maxDelayMs: 50_000,
      jitter: 'none',
      maxAttempts: 2,
    } as const;
    const [, second = 0] = await startsOf(slow, () => limited('1'));
    expect(second).toBeGreaterThanOrEqual(50_000);
  });

  it('stops at once, and says when, where the deadline is before it', async () => {
    const clock = virtualClock({ startMs: START });
    const call = retry(() => Promise.reject(limited('20')), { ttlMs: 10_000 }, { clock });
    const error = await failureOf(call);
    if (!isRetryError(error, 'ttl_exceeded')) expect.fail(String(error));
    expect(Number(error.retryAt)).toBeGreaterThanOrEqual(START + 20_000);
    expect(Number(error.retryAt)).toBeLessThanOrEqual(START + 22_000);
    expect(clock.holdingTimers).toBe(0);
  });
});
