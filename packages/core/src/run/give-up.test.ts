import {
  circuitBreaker,
  isRetryError,
  type Policy,
  pipeline,
  RetryError,
  type RetryOptions,
  retry,
} from '@redrive/core';
import { httpResponses } from '@redrive/core/classify/http';
import { RetryManager } from '@redrive/core/manager';
import { retry as nodeRetry } from '@redrive/core/node';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');

/** What a call that fails with the numbers of its attempts gives up with. */
async function giveUpOf(policy: Policy, options: RetryOptions = {}) {
  const clock = virtualClock({ startMs: START });
  const call = retry(({ attempt }) => Promise.reject(new Error(`down ${attempt}`)), policy, {
    clock,
    ...options,
  });
  const [error] = await Promise.all([call.catch((thrown: unknown) => thrown), clock.runAll()]);
  if (!isRetryError(error)) expect.fail(String(error));
  return error;
}

describe('giving up', () => {
  it('says what was tried, how often, why it ended and when it would be worth another try', async () => {
    const error = await giveUpOf(
      { id: 'orders', jitter: 'none', baseDelayMs: 100, multiplier: 3 },
      { operation: 'order.send', category: 'RETRY_API_REQUEST', sessionId: 'session-1' },
    );
    expect(error).toBeInstanceOf(RetryError);
    expect(error).toMatchObject({
      name: 'RetryError',
      code: 'retry_gave_up',
      category: 'RETRY_API_REQUEST',
      operation: 'order.send',
      reason: 'max_attempts_exceeded',
      sessionId: 'session-1',
      totalAttempts: 3,
    });
    expect(error.attempts).toEqual([
      { attempt: 1, error: new Error('down 1'), delayMs: 100 },
      { attempt: 2, error: new Error('down 2'), delayMs: 300 },
      { attempt: 3, error: new Error('down 3'), delayMs: 0 },
    ]);
    expect(error.cause).toBe(error.attempts[2]?.error);
    expect(error.retryAt).toEqual(new Date(START + 100 + 300 + 900));
    expect(error.message).toBe(
      'Gave up on order.send after 3 of 3 attempts, failing for 400 ms (max_attempts_exceeded): down 3',
    );
  });

  it('is named after the policy where the call has no name', async () => {
    const error = await giveUpOf({ id: 'orders', backoff: 'immediate' });
    expect(error).toMatchObject({ operation: 'orders', category: 'orders' });
    expect(error.sessionId).toMatch(new RegExp(`^orders_${START}_\\w+$`));
    const anonymous = await giveUpOf({ backoff: 'immediate' });
    expect(anonymous).toMatchObject({ operation: 'default', category: 'default' });
  });

  it('has an id of its own for each session', async () => {
    const errors = await Promise.all(
      Array.from({ length: 100 }, () => giveUpOf({ backoff: 'immediate', maxAttempts: 1 })),
    );
    expect(new Set(errors.map(({ sessionId }) => sessionId)).size).toBe(100);
  });

  it.each([100, 101, 250])('keeps the newest 100 of %i failures', async (maxAttempts) => {
    const { attempts, totalAttempts } = await giveUpOf({ backoff: 'immediate', maxAttempts });
    expect(totalAttempts).toBe(maxAttempts);
    expect(attempts).toHaveLength(100);
    expect(attempts[0]?.attempt).toBe(maxAttempts - 99);
    expect(attempts[99]).toEqual({
      attempt: maxAttempts,
      error: new Error(`down ${maxAttempts}`),
      delayMs: 0,
    });
  });

  describe('keeps the frames of the caller in the stack', () => {
    const policy = { maxAttempts: 3, baseDelayMs: 1 } as const;
    const down = async () => Promise.reject(new Error('down'));
    const entries: Record<string, (options: RetryOptions) => Promise<unknown>> = {
      retry: (options) => retry(down, policy, options),
      'retry with one attempt': (options) => retry(down, { maxAttempts: 1 }, options),
      'retry with a timeout': (options) =>
        retry(down, { ...policy, attemptTimeoutMs: 5_000 }, options),
      'retry of @redrive/core/node': (options) => nodeRetry(down, policy, options),
      pipeline: (options) => pipeline({ policy }).run(down, options),
      RetryManager: ({ signal }) =>
        new RetryManager().executeWithRetry('KV_GET', 'get', down, {
          policy,
          ...(signal && { signal }),
        }),
    };

    it.each(Object.entries(entries))('%s', async (_, run) => {
      for (const options of [{}, { signal: new AbortController().signal }]) {
        async function theCaller() {
          return await run(options);
        }
        const error = await theCaller().catch((thrown: unknown) => thrown);
        if (!isRetryError(error)) expect.fail(String(error));
        expect(error.stack).toContain('theCaller');
      }
    });
  });

  it('says how the last failure was classified, and what the other side asked for', async () => {
    const limited = Object.assign(new Error('slow down'), { status: 429, retryAfter: 7 });
    const give = async (thrown: unknown, policy: Policy = {}) => {
      const clock = virtualClock();
      const call = retry(() => Promise.reject(thrown), policy, { clock }).catch((error) => error);
      const [error] = await Promise.all([call, clock.runAll()]);
      return error;
    };
    expect(await give(limited)).toMatchObject({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 7_000,
    });
    expect(await give(new Error('down'))).toMatchObject({
      errorClass: 'retryable',
      effect: 'unknown',
      // Never the back-off.
      retryAfterMs: undefined,
    });
  });

  it('says nothing of that when no attempt was made', async () => {
    const breaker = circuitBreaker();
    breaker.isolate();
    const error = await giveUpOf({}, { breaker });
    expect(error).toMatchObject({
      totalAttempts: 0,
      message: expect.stringMatching(/^Gave up before the first attempt/),
    });
    expect([error.errorClass, error.effect, error.retryAfterMs]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each<[string, Policy, RetryOptions, string]>([
    ['the breaker', {}, {}, 'payments'],
    ['the dependency rather than the breaker', { dependency: 'bank' }, {}, 'bank'],
    ['the operation rather than the breaker', {}, { operation: 'charge' }, 'charge'],
  ])('names %s', async (_, policy, options, name) => {
    const breaker = circuitBreaker({ key: 'payments' });
    breaker.isolate();
    expect(await giveUpOf(policy, { ...options, breaker })).toMatchObject({
      message: `Gave up on ${name} before the first attempt (breaker_open)`,
    });
  });

  it('names the status of a response', async () => {
    const policy = { classifyResult: httpResponses, backoff: 'immediate', maxAttempts: 4 } as const;
    const response = () => new Response('', { status: 503, statusText: 'Service Unavailable' });
    const options = { operation: 'payments.charge', clock: virtualClock() };
    await expect(retry(response, policy, options)).rejects.toThrow(
      'Gave up on payments.charge after 4 of 4 attempts, failing for 0 ms (max_attempts_exceeded): HTTP 503 Service Unavailable',
    );
  });

  it('has no reason to name a time when nothing would be worth another try', async () => {
    expect((await giveUpOf({ enabled: false })).retryAt).toBeUndefined();
  });
});
