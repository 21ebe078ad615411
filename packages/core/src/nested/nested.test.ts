import {
  type AttemptContext,
  isRetryError,
  type ParentSession,
  type Policy,
  pipeline,
  retry,
  retryBudget,
} from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const atOnce: Policy = { backoff: 'immediate', maxAttempts: 3 };
const down = new Error('down');
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** Three layers around an operation that always fails. `share`: each passes its context on as `parent`. */
async function threeLayers(policy: Policy, { share = false, bottom = {} as object } = {}) {
  const operation = vi.fn(() => Promise.reject(down));
  const give = (parent: AttemptContext) => (share ? { parent } : {});
  const error = await silent(
    retry(
      (outer) =>
        retry(
          (middle) => retry(operation, policy, { ...give(middle), ...bottom }),
          policy,
          give(outer),
        ),
      policy,
    ),
  );
  if (!isRetryError(error)) expect.fail(String(error));
  return { calls: operation.mock.calls.length, error };
}

describe('what an inner session gave up', () => {
  it('is not retried by the sessions around it: three layers of three attempts make three', async () => {
    const { calls, error } = await threeLayers(atOnce);
    expect(calls).toBe(3);
    expect(error).toMatchObject({ reason: 'max_attempts_exceeded', totalAttempts: 3 });
    expect(error.cause).toBe(down);
  });

  it('is not retried either when it is only the cause of what comes out', async () => {
    const around = vi.fn(() =>
      retry(() => Promise.reject(down), atOnce).catch((cause: unknown) => {
        throw new Error('Could not load the order', { cause });
      }),
    );
    await expect(retry(around, atOnce)).rejects.toThrow('Could not load the order');
    expect(around).toHaveBeenCalledTimes(1);
  });

  it('is retried where the policy asks for it: three times three times three', async () => {
    const { calls } = await threeLayers({ ...atOnce, retryInnerFailures: true });
    expect(calls).toBe(27);
  });

  it('is never retried when it was a budget that refused', async () => {
    const budget = retryBudget({ burst: 0, floorPerSecond: 0 });
    const policy = { ...atOnce, retryInnerFailures: true };
    const { calls, error } = await threeLayers(policy, { bottom: { budget } });
    expect(calls).toBe(1);
    expect(error).toMatchObject({ reason: 'budget_exhausted', cause: down });
  });
});

describe('nested sessions that share their account', () => {
  it('have three attempts together, although each policy asks for more', async () => {
    const policy = { ...atOnce, retryInnerFailures: true };
    const { calls, error } = await threeLayers(policy, { share: true });
    expect(calls).toBe(3);
    expect(error).toMatchObject({ reason: 'allowance_exhausted' });
  });

  it('take the retries of the outer one, which then has fewer', async () => {
    const counts: number[] = [];
    let inner = 0;
    const outer = await silent(
      retry(
        async (parent) => {
          counts.push(parent.retries.count);
          await retry(
            () => {
              inner += 1;
              if (inner % 2 === 1) throw down;
            },
            { ...atOnce, maxAttempts: 9 },
            { parent },
          );
          throw down;
        },
        { ...atOnce, maxAttempts: 6 },
      ),
    );
    // Each round costs one retry inside and one outside.
    expect(counts).toEqual([0, 2, 4]);
    expect(outer).toMatchObject({ reason: 'allowance_exhausted', totalAttempts: 3 });
  });

  it('draw on what is left of it in a later attempt', async () => {
    const operation = vi.fn(() => Promise.reject(down));
    const call = retry(
      (parent) =>
        parent.attempt === 1 ? Promise.reject(down) : retry(operation, atOnce, { parent }),
      atOnce,
    );
    await silent(call);
    // One retry was spent before, so one is left: two attempts.
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('have the deadline of the outer one', async () => {
    const clock = virtualClock();
    const left: number[] = [];
    const call = retry(
      async (parent) => {
        await new Promise<void>((resolve) => void clock.setTimer(400, resolve));
        const policy = { ttlMs: 5_000 };
        await retry((context) => void left.push(context.timeLeftMs()), policy, { clock, parent });
        await retry((context) => void left.push(context.timeLeftMs()), {}, { clock, parent });
        const short = { ttlMs: 50 };
        await retry((context) => void left.push(context.timeLeftMs()), short, { clock, parent });
      },
      { ttlMs: 1_000 },
      { clock },
    );
    await clock.advance(400);
    await call;
    expect(left).toEqual([600, 600, 50]);
  });

  it('end their waits when the outer attempt ends, with its reason', async () => {
    const clock = virtualClock();
    const inner: unknown[] = [];
    const outer = silent(
      retry(
        (parent) =>
          retry(
            () => Promise.reject(down),
            { baseDelayMs: 60_000, maxAttempts: 9 },
            { clock, parent },
          ).catch((error: unknown) => {
            inner.push(error);
            throw error;
          }),
        { attemptTimeoutMs: 1_000, maxAttempts: 2 },
        { clock },
      ),
    );
    await clock.advance(1_020);
    expect(await outer).toMatchObject({ cause: { code: 'attempt_timeout' } });
    await settle();
    expect(inner).toMatchObject([{ code: 'attempt_timeout' }]);
    expect(clock.holdingTimers).toBe(0);
  });

  it.each(['outer', 'inner'] as const)('end by the %s signal', async (which) => {
    const controllers = { outer: new AbortController(), inner: new AbortController() };
    const { signal } = controllers.inner;
    const ended: unknown[] = [];
    const inner = (parent: AttemptContext) =>
      retry(() => new Promise(() => {}), {}, { parent, signal }).catch((error: unknown) => {
        ended.push(error);
        throw error;
      });
    const call = silent(retry(inner, atOnce, { signal: controllers.outer.signal }));
    await settle();
    controllers[which].abort();
    const { reason } = controllers[which].signal;
    expect(await call).toBe(reason);
    await settle();
    expect(ended).toEqual([reason]);
  });

  it('take the same signal once where both were given it', async () => {
    const { signal } = new AbortController();
    const seen = await retry(
      (parent) => retry((context) => context.signal, {}, { parent, signal }),
      {},
      { signal },
    );
    expect(seen).toBe(signal);
  });

  it('work through a pipeline, whose fallback does not answer for an outer abort', async () => {
    const controller = new AbortController();
    const fallback = vi.fn(() => 'fallback');
    const inner = pipeline({ fallback });
    const call = silent(
      retry(
        (parent) => inner.run(() => new Promise(() => {}), { parent }),
        {},
        { signal: controller.signal },
      ),
    );
    await settle();
    controller.abort('user left');
    expect(await call).toBe('user left');
    await settle();
    expect(fallback).not.toHaveBeenCalled();
  });
});

describe('retries inside one attempt of a job do not multiply', () => {
  const policy = { ...atOnce, retryInnerFailures: true };
  const jobAttempt = (): ParentSession => ({
    sessionId: 'job-1',
    retries: { count: 0 },
    timeLeftMs: () => Infinity,
    inJob: true,
  });

  it('3 and 3 are 3 calls, with parent', async () => {
    const operation = vi.fn(() => Promise.reject(down));
    const context = jobAttempt();
    const error = await silent(
      retry((parent) => retry(operation, policy, { parent }), policy, { parent: context }),
    );
    expect(operation).toHaveBeenCalledTimes(3);
    expect(error).toMatchObject({ reason: 'allowance_exhausted' });
    expect(context.retries.count).toBe(2);
  });

  it('also of calls that follow one another, each with its own limit', async () => {
    const operation = vi.fn(() => Promise.reject(down));
    const context = { parent: jobAttempt() };
    await silent(retry(operation, { ...policy, maxAttempts: 3 }, context));
    expect(operation).toHaveBeenCalledTimes(3);
    await silent(retry(operation, { ...policy, maxAttempts: 3 }, context));
    expect(operation).toHaveBeenCalledTimes(3 + 1);
    await silent(retry(operation, { ...policy, maxAttempts: 5 }, context));
    expect(operation).toHaveBeenCalledTimes(3 + 1 + 3);
  });

  it('each attempt of the job begins with a count of its own', async () => {
    for (const _attempt of [1, 2]) {
      const operation = vi.fn(() => Promise.reject(down));
      await silent(retry(operation, policy, { parent: jobAttempt() }));
      expect(operation).toHaveBeenCalledTimes(3);
    }
  });
});
