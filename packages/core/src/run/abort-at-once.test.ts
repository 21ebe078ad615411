import { type AttemptContext, type Policy, retry, retrySession } from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

describe('after controller.abort() the signal of the operation is aborted, in the next line', () => {
  it.each<[string, Policy]>([
    ['attemptTimeoutMs', { attemptTimeoutMs: 1_000 }],
    ['ttlMs', { ttlMs: 1_000 }],
    ['neither', {}],
  ])('with %s', async (_, policy) => {
    for (const abortIn of [1, 2]) {
      const clock = virtualClock();
      const controller = new AbortController();
      let context: AttemptContext | undefined;
      const operation = (given: AttemptContext) => {
        context = given;
        expect(given.signal.aborted).toBe(false);
        return given.attempt < abortIn ? Promise.reject('down') : new Promise(() => {});
      };
      const atOnce: Policy = { ...policy, backoff: 'immediate' };
      const call = retry(operation, atOnce, { clock, signal: controller.signal });
      const ended = expect(call).rejects.toBe('user left');
      await settle();
      controller.abort('user left');
      expect(context?.attempt).toBe(abortIn);
      expect(context?.signal.aborted).toBe(true);
      expect(context?.signal.reason).toBe('user left');
      await ended;
    }
  });

  it('also where the operation itself aborts, before it returns', async () => {
    for (const policy of [{ attemptTimeoutMs: 60_000 }, { ttlMs: 60_000 }, {}]) {
      const controller = new AbortController();
      const seen: boolean[] = [];
      const operation = ({ signal }: AttemptContext) => {
        seen.push(signal.aborted);
        controller.abort('user left');
        seen.push(signal.aborted);
        return new Promise(() => {});
      };
      const call = retry(operation, policy, { signal: controller.signal });
      await expect(call).rejects.toBe('user left');
      expect(seen).toEqual([false, true]);
    }
  });

  it('also of a signal that the operation asks for only later', async () => {
    const controller = new AbortController();
    let context: AttemptContext | undefined;
    const operation = (given: AttemptContext) => {
      context = given;
      return new Promise(() => {});
    };
    const call = retry(operation, { attemptTimeoutMs: 60_000 }, { signal: controller.signal });
    const ended = expect(call).rejects.toBe('user left');
    controller.abort('user left');
    expect(context?.signal.aborted).toBe(true);
    await ended;
  });

  it('also in a loop and in a nested call', async () => {
    const controller = new AbortController();
    const policy = { attemptTimeoutMs: 60_000 };
    const loop = async () => {
      for await (const { signal } of retrySession(policy, { signal: controller.signal })) {
        controller.abort('user left');
        expect(signal.aborted).toBe(true);
      }
    };
    await expect(loop()).rejects.toBe('user left');

    const outer = new AbortController();
    let inner: AbortSignal | undefined;
    const call = retry(
      (parent) =>
        retry(
          ({ signal }) => {
            inner = signal;
            return new Promise(() => {});
          },
          policy,
          { parent },
        ),
      policy,
      { signal: outer.signal },
    );
    const ended = expect(call).rejects.toBe('user left');
    outer.abort('user left');
    expect(inner?.aborted).toBe(true);
    await ended;
  });
});
