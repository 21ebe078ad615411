import { type EventSink, type Policy, retry, syncSink } from '@redrive/core';
import {
  countAbortListeners,
  expectNoTimers,
  settle,
  trackUnhandledRejections,
  virtualClock,
} from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const failing = () => Promise.reject(new Error('down'));
const fixed = { backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;

/** What a promise has come to, without waiting for it. */
function watch(call: Promise<unknown>) {
  const seen: { error?: unknown; value?: unknown } = {};
  call.then(
    (value) => Object.assign(seen, { value }),
    (error: unknown) => Object.assign(seen, { error }),
  );
  return seen;
}

const expectNoListeners = (signal: AbortSignal) => expect(countAbortListeners(signal)).toBe(0);

describe('trap: an abort during back-off is ignored, or the function is called again', () => {
  it('ends the wait at once with the reason, and leaves nothing behind', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const operation = vi.fn(failing);
    const seen = watch(retry(operation, fixed, { clock, signal: controller.signal }));
    await clock.advance(400);
    const reason = new Error('user left');
    controller.abort(reason);
    await settle();
    expect(seen).toEqual({ error: reason });
    expectNoTimers(clock);
    expectNoListeners(controller.signal);
    await clock.advance(60_000);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('ends the second wait just as fast', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const operation = vi.fn(failing);
    const seen = watch(retry(operation, fixed, { clock, signal: controller.signal }));
    await clock.advance(1_500);
    controller.abort('enough');
    await settle();
    expect(seen).toEqual({ error: 'enough' });
    expectNoTimers(clock);
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('does not wait at all when the function itself aborted before it threw', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const operation = vi.fn(() => {
      controller.abort('from inside');
      throw new Error('down');
    });
    const seen = watch(retry(operation, fixed, { clock, signal: controller.signal }));
    await settle();
    expect(seen).toEqual({ error: 'from inside' });
    expect(operation).toHaveBeenCalledTimes(1);
    expectNoTimers(clock);
  });

  it.each<[string, Policy, EventSink | undefined]>([
    ['plain', {}, undefined],
    ['guarded', { attemptTimeoutMs: 5_000 }, undefined],
    ['recorded', {}, syncSink(() => {})],
  ])('does not wait for a function that aborts and then hangs: %s', async (_, policy, events) => {
    const clock = virtualClock();
    for (const abortIn of [1, 2]) {
      const controller = new AbortController();
      const operation = vi.fn(({ attempt }: { attempt: number }) => {
        if (attempt < abortIn) throw new Error('down');
        controller.abort('from inside');
        return new Promise(() => {});
      });
      const { signal } = controller;
      const call = retry(operation, { ...policy, backoff: 'immediate' }, { clock, signal, events });
      await expect(call).rejects.toBe('from inside');
      expect(operation).toHaveBeenCalledTimes(abortIn);
    }
    expect(clock.holdingTimers).toBe(0);
  });

  it('does not wait when somebody aborts on hearing of the failure', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const events = syncSink(({ kind }) => {
      if (kind === 'attempt_ended') controller.abort('from a listener');
    });
    const call = retry(failing, fixed, { clock, events, signal: controller.signal });
    await expect(call).rejects.toBe('from a listener');
    expectNoTimers(clock);
  });

  it('never calls the function when the signal was aborted before', async () => {
    const operation = vi.fn(() => 1);
    const signal = AbortSignal.abort('too late');
    await expect(retry(operation, {}, { signal })).rejects.toBe('too late');
    expect(operation).not.toHaveBeenCalled();
    expectNoListeners(signal);
  });

  it('gives the others that wait with it their time', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const operation = vi.fn(failing);
    const stopped = watch(retry(operation, fixed, { clock, signal: controller.signal }));
    const other = watch(retry(() => (clock.monotonic() < 1 ? failing() : 'ok'), fixed, { clock }));
    await clock.advance(500);
    controller.abort('user left');
    await clock.advance(499);
    expect(stopped).toEqual({ error: 'user left' });
    expect(other).toEqual({});
    await clock.advance(1);
    expect(other).toEqual({ value: 'ok' });
  });
});

describe('trap: an abort is reported as a timeout', () => {
  it('rejects with the reason although a timeout and a deadline run too', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const policy = { ...fixed, attemptTimeoutMs: 1_000, ttlMs: 5_000 };
    let inner: AbortSignal | undefined;
    const operation = vi.fn((context: { signal: AbortSignal }) => {
      inner = context.signal;
      return new Promise(() => {});
    });
    const seen = watch(retry(operation, policy, { clock, signal: controller.signal }));
    await clock.advance(500);
    const reason = new Error('user left');
    controller.abort(reason);
    await settle();
    expect(seen).toEqual({ error: reason });
    expect(inner?.reason).toBe(reason);
    expect(operation).toHaveBeenCalledTimes(1);
    expect(clock.holdingTimers).toBe(0);
    await clock.runAll();
  });

  it('rejects with the reason whatever the function made of it', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const operation = ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Request timed out')));
      });
    const seen = watch(retry(operation, fixed, { clock, signal: controller.signal }));
    await settle();
    const reason = new Error('user left');
    controller.abort(reason);
    await settle();
    expect(seen).toEqual({ error: reason });
  });

  it('counts neither as an answer: a late one is dropped without a trace', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const controller = new AbortController();
      const work = Promise.withResolvers<number>();
      const seen = watch(retry(() => work.promise, fixed, { signal: controller.signal }));
      controller.abort('user left');
      await settle();
      work.reject(new Error('late'));
      expect(await rejections.seen()).toEqual([]);
      expect(seen).toEqual({ error: 'user left' });
    } finally {
      rejections.stop();
    }
  });
});

it.each<[string, Policy]>([
  ['plain', {}],
  ['guarded', { attemptTimeoutMs: 5_000 }],
])(
  'has the reason also when the function fails a few steps before the abort: %s',
  async (_, more) => {
    for (let steps = 0; steps < 12; steps++) {
      const clock = virtualClock();
      const controller = new AbortController();
      const work = Promise.withResolvers<never>();
      const operation = vi.fn(() => work.promise);
      const call = retry(operation, { ...fixed, ...more }, { clock, signal: controller.signal });
      const seen = watch(call);
      work.reject(new Error('down'));
      for (let step = 0; step < steps; step++) await Promise.resolve();
      controller.abort('user left');
      await settle();
      expect(seen).toEqual({ error: 'user left' });
      expect(operation).toHaveBeenCalledTimes(1);
    }
  },
);

describe('trap: listeners leak on a long-lived signal', () => {
  it('has one listener for 10,000 calls at once, in attempts and in waits, and none after', async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    let most = 0;
    const flaky = async ({ attempt }: { attempt: number }) => {
      most = Math.max(most, countAbortListeners(signal));
      if (attempt === 1) throw new Error('down');
      await settle();
    };
    const calls = Array.from({ length: 10_000 }, () => retry(flaky, fixed, { clock, signal }));
    expect(countAbortListeners(signal)).toBe(1);
    await clock.runAll();
    await Promise.all(calls);
    expect(most).toBe(1);
    expectNoListeners(signal);
  });

  it('has one in a call and none after it, over 10,000 calls in a row', async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 10_000; n++) {
      const call = retry(() => n, {}, { signal });
      expect(countAbortListeners(signal)).toBe(1);
      await call;
      expectNoListeners(signal);
    }
  });
});
