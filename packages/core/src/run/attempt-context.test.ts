import {
  type AttemptContext,
  type Policy,
  type RetryOptions,
  retry,
  syncSink,
} from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const atOnce = { backoff: 'immediate' } as const;

/** The contexts of all attempts of a call that always fails. */
async function contextsOf(policy: Policy, options: RetryOptions = {}) {
  const contexts: AttemptContext[] = [];
  const call = retry(
    (context) => {
      contexts.push(context);
      throw new Error(`down ${context.attempt}`);
    },
    policy,
    options,
  );
  await call.catch(() => {});
  return contexts;
}

describe('what the operation is told', () => {
  it('has the number of the attempt and how many there may be', async () => {
    const contexts = await contextsOf({ ...atOnce, maxAttempts: 4 });
    expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(contexts.map(({ maxAttempts }) => maxAttempts)).toEqual([4, 4, 4, 4]);
  });

  it('can be destructured', async () => {
    await retry(({ attempt, signal, sessionId, idempotencyKey, lastOutcome, retries }) => {
      expect([attempt, sessionId, lastOutcome]).toEqual([1, idempotencyKey, undefined]);
      expect(signal.aborted).toBe(false);
      expect(retries.count).toBe(0);
    });
  });

  it('has the error of the attempt before', async () => {
    const outcomes: unknown[] = [];
    const operation = ({ attempt, lastOutcome }: AttemptContext) => {
      outcomes.push(lastOutcome);
      throw new Error(`down ${attempt}`);
    };
    await retry(operation, atOnce).catch(() => {});
    expect(outcomes).toEqual([
      undefined,
      { kind: 'error', error: new Error('down 1') },
      { kind: 'error', error: new Error('down 2') },
    ]);
  });

  it('has the given idempotency key in every attempt', async () => {
    const contexts = await contextsOf(atOnce, { idempotencyKey: 'order-7' });
    expect(contexts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(3).fill('order-7'));
  });

  it.each<[string, Policy]>([
    ['plain', atOnce],
    ['with a timeout', { ...atOnce, attemptTimeoutMs: 1_000 }],
  ])('has the session id as its key where none is given: %s', async (_, policy) => {
    for (const readAt of [1, 2, 3]) {
      const seen: string[] = [];
      const contexts: AttemptContext[] = [];
      const call = retry((context) => {
        contexts.push(context);
        if (context.attempt >= readAt) seen.push(context.idempotencyKey, context.sessionId);
        throw new Error('down');
      }, policy);
      const error = await call.catch((thrown: { sessionId: string }) => thrown);
      expect(new Set(seen)).toEqual(new Set([error.sessionId]));
      // Also an attempt that is over and asks only now has the same one.
      expect(contexts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
        Array(3).fill(error.sessionId),
      );
    }
  });

  it('has the key of the session also in an attempt that timed out and goes on', async () => {
    const clock = virtualClock();
    const keys: string[] = [];
    const operation = async (context: AttemptContext) => {
      if (context.attempt === 1) {
        await new Promise<void>((resolve) => void clock.setTimer(500, resolve));
      }
      keys.push(context.idempotencyKey);
    };
    const policy = { attemptTimeoutMs: 100, baseDelayMs: 100, jitter: 'none' } as const;
    const call = retry(operation, policy, { clock });
    await clock.runAll();
    await call;
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('has a signal that nothing aborts where nothing can end the attempt', async () => {
    const contexts = await contextsOf(atOnce);
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
    expect(contexts[0]?.signal).toBe(contexts[0]?.signal);
  });

  it('has the caller’s own signal where only that can end it', async () => {
    const { signal } = new AbortController();
    const contexts = await contextsOf(atOnce, { signal });
    expect(contexts.map((context) => context.signal === signal)).toEqual([true, true, true]);
  });

  it('has a signal that follows the caller’s where something else can end it too', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    let context: AttemptContext | undefined;
    const call = retry(
      (given) => {
        context = given;
        return new Promise((_, reject) => {
          given.signal.addEventListener('abort', () => reject(given.signal.reason));
        });
      },
      { attemptTimeoutMs: 60_000 },
      options,
    );
    controller.abort('user left');
    await expect(call).rejects.toBe('user left');
    await settle();
    expect(context?.signal).not.toBe(controller.signal);
    expect(context?.signal.reason).toBe('user left');
  });

  it.each([
    ['plain', {}],
    ['recorded', { events: syncSink(() => {}) }],
  ])('has the retries made so far, whenever it is first asked: %s', async (_, options) => {
    for (const readAt of [1, 2, 3]) {
      const counts: number[] = [];
      const operation = (context: AttemptContext) => {
        if (context.attempt >= readAt) counts.push(context.retries.count);
        throw new Error('down');
      };
      await retry(operation, { ...atOnce, maxAttempts: 4 }, options).catch(() => {});
      expect(counts).toEqual([0, 1, 2, 3].slice(readAt - 1));
    }
  });
});
