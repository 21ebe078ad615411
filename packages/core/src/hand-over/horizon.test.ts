import {
  type HandedOverWork,
  type HandOver,
  isRetryError,
  type Policy,
  type RetryOptions,
  retry,
} from '@redrive/core';
import { expectNoTimers, trackUnhandledRejections, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');
const MINUTE_MS = 60_000;
const limited = Object.assign(new Error('Too Many Requests'), {
  status: 429,
  headers: { 'retry-after': '1200' },
});
const plain: Policy = { id: 'orders', jitter: 'none' };

/** A call whose second failure asks for a wait of 20 minutes, up to its end. */
async function run(policy: Policy, options: RetryOptions = {}) {
  const clock = virtualClock({ startMs: START });
  const operation = vi.fn(({ attempt }: { attempt: number }) => {
    throw attempt === 1 ? new Error('down') : limited;
  });
  const call = retry(operation, policy, { clock, ...options });
  const [error] = await Promise.all([call.catch((thrown: unknown) => thrown), clock.runAll()]);
  if (!isRetryError(error)) expect.fail(String(error));
  expectNoTimers(clock);
  return { error, operation, clock };
}

const port = (handOver: HandOver['handOver']) => ({
  handOver: { to: { handOver }, handler: 'send-order', payload: { order: 7 } },
});

describe('a wait beyond the horizon', () => {
  it('gives up with the time when it would be worth another try', async () => {
    const { error, operation, clock } = await run(plain);
    expect(error).toMatchObject({ reason: 'beyond_horizon', totalAttempts: 2 });
    expect(error.cause).toBe(limited);
    expect(Number(error.retryAt)).toBeGreaterThanOrEqual(START + 1_000 + 20 * MINUTE_MS);
    expect(Number(error.retryAt)).toBeLessThanOrEqual(START + 1_000 + 22 * MINUTE_MS);
    expect(operation).toHaveBeenCalledTimes(2);
    expect(clock.monotonic()).toBe(1_000);
  });

  it('is slept where the horizon is further away', async () => {
    for (const horizonMs of [22 * MINUTE_MS, Infinity]) {
      const { error, operation } = await run({ ...plain, horizonMs });
      expect(error.reason).toBe('max_attempts_exceeded');
      expect(operation).toHaveBeenCalledTimes(3);
    }
  });

  it('is a matter of the wait: with horizon 0 only retries at once are made here', async () => {
    const policy = { ...plain, horizonMs: 0, immediateFirstRetry: true };
    const { error, operation } = await run(policy);
    expect(error.reason).toBe('beyond_horizon');
    expect(operation).toHaveBeenCalledTimes(2);
  });
});

describe('the attempts that are handed over', () => {
  it.each([
    [100, [1, 2]],
    [150, [1, 52]],
  ])('are the newest 100 of %d, with the first', async (total, [first, second]) => {
    const works: HandedOverWork[] = [];
    const call = retry(
      ({ attempt }) => Promise.reject(attempt < total ? new Error(`down ${attempt}`) : limited),
      { ...plain, backoff: 'immediate', maxAttempts: 1_000 },
      port(async (work) => void works.push(work)),
    );
    await expect(call).rejects.toMatchObject({ reason: 'handed_over', totalAttempts: total });
    const { attempts = [], totalAttempts } = works[0] ?? {};
    expect(totalAttempts).toBe(total);
    expect(attempts).toHaveLength(100);
    expect(attempts.slice(0, 2).map(({ attempt }) => attempt)).toEqual([first, second]);
    expect(attempts.at(-1)).toMatchObject({ attempt: total, error: limited });
  });
});

describe('a wait that can be handed over', () => {
  it('gives the next rung the session as it is', async () => {
    const works: HandedOverWork[] = [];
    const { error } = await run(
      { ...plain, ttlMs: 60 * MINUTE_MS },
      {
        sessionId: 'session-1',
        operation: 'order.send',
        tenantId: 'tenant-1',
        correlationId: 'correlation-1',
        traceId: 'trace-1',
        idempotencyKey: 'order-7',
        ...port(async (work) => void works.push(work)),
      },
    );
    expect(error).toMatchObject({ reason: 'handed_over', sessionId: 'session-1' });
    const [work] = works;
    expect(works).toEqual([
      {
        sessionId: 'session-1',
        operation: 'order.send',
        policyId: 'orders',
        handler: 'send-order',
        payload: { order: 7 },
        delayMs: work?.delayMs,
        timeLeftMs: 59 * MINUTE_MS + 59_000,
        // Attempts are limited per rung: the next one has all of its own, and repeats no draw.
        rung: 'call',
        policy: expect.objectContaining({ id: 'orders', maxAttempts: 3 }),
        totalAttempts: 2,
        attempts: [
          {
            attempt: 1,
            startedAtMs: START,
            durationMs: 0,
            delayBeforeMs: 0,
            delayMs: 1_000,
            errorClass: 'retryable',
            effect: 'unknown',
            retryAfterMs: undefined,
            reason: 'retryable_error',
            error: expect.any(Error),
          },
          {
            attempt: 2,
            startedAtMs: START + 1_000,
            durationMs: 0,
            delayBeforeMs: 1_000,
            delayMs: work?.delayMs,
            errorClass: 'rate_limited',
            effect: 'none',
            retryAfterMs: 1_200_000,
            reason: 'beyond_horizon',
            error: expect.any(Error),
          },
        ],
        tenantId: 'tenant-1',
        correlationId: 'correlation-1',
        traceId: 'trace-1',
        idempotencyKey: 'order-7',
        lastError: limited,
      },
    ]);
    expect(work?.delayMs).toBeGreaterThanOrEqual(20 * MINUTE_MS);
    expect(Number(error.retryAt)).toBe(START + 1_000 + Number(work?.delayMs));
  });

  it('has the session id as its key, the policy id as its name and no deadline by default', async () => {
    const works: HandedOverWork[] = [];
    const { error } = await run(
      plain,
      port(async (work) => void works.push(work)),
    );
    expect(works[0]).toMatchObject({
      operation: 'orders',
      idempotencyKey: error.sessionId,
      timeLeftMs: Infinity,
    });
  });

  it('is not handed over when it is past the deadline anyway', async () => {
    const handOver = vi.fn(async () => {});
    const { error } = await run({ ...plain, ttlMs: 5 * MINUTE_MS }, port(handOver));
    expect(error.reason).toBe('ttl_exceeded');
    expect(handOver).not.toHaveBeenCalled();
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('store is down'))],
    [
      'throws',
      () => {
        throw new Error('store is down');
      },
    ],
  ])('is given up when the port %s', async (_, handOver) => {
    const { error, clock } = await run(plain, port(handOver));
    expect(error.reason).toBe('beyond_horizon');
    expect(error.cause).toBe(limited);
    expect(error.message).toMatch(
      /Too Many Requests; the hand-over to send-order failed: store is down$/,
    );
    expect(error.details).toEqual({
      handler: 'send-order',
      handOverError: new Error('store is down'),
    });
    expect(clock.monotonic()).toBe(1_000);
  });

  it('is given up when the port hangs, and nobody minds its late failure', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const stored = Promise.withResolvers<void>();
      const { error, clock } = await run(
        plain,
        port(() => stored.promise),
      );
      expect(error.reason).toBe('beyond_horizon');
      expect(error.message).toMatch(/; the hand-over to send-order failed: No answer within 30 s$/);
      expect(error.details.handOverError).toEqual(new Error('No answer within 30 s'));
      expect(clock.monotonic()).toBeGreaterThanOrEqual(31_000);
      expect(clock.monotonic()).toBeLessThanOrEqual(31_100);
      stored.reject(new Error('late'));
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });
});
