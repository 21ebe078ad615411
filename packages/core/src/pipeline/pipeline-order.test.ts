import {
  type AttemptContext,
  bulkhead,
  circuitBreaker,
  isRedriveError,
  type PipelineOptions,
  type Policy,
  pipeline,
} from '@redrive/core';
import { expectNoTimers, settle, type VirtualClock, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const exact: Policy = { jitter: 'none' };
const down = () => Promise.reject(new Error('down'));
const hang = () => new Promise<never>(() => {});
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** A pipeline on a clock of its own, with what its calls are run with. */
function setUp<O extends PipelineOptions<unknown>>(build: (clock: VirtualClock) => O) {
  const clock = virtualClock();
  const options = build(clock);
  return { clock, calls: pipeline<unknown>(options), ...options, run: { clock } };
}

describe('deadline > fallback', () => {
  it('ends a fallback that takes longer than what is left', async () => {
    const { clock, calls, run } = setUp(() => ({
      policy: { ttlMs: 1_000, maxAttempts: 1 },
      fallback: hang,
    }));
    const call = silent(calls.run(down, run));
    const endedMs = call.then(() => clock.monotonic());
    await clock.runAll();
    expect(isRedriveError(await call, 'attempt_timeout')).toBe(true);
    expect(await endedMs).toBeGreaterThanOrEqual(1_000);
    expect(await endedMs).toBeLessThanOrEqual(1_000 + 1_000 / 64);
  });

  it('lets a fallback answer at once when nothing is left', async () => {
    const { clock, calls, run } = setUp(() => ({
      policy: { ttlMs: 1_000 },
      fallback: () => 'queued',
    }));
    const call = calls.run(hang, run);
    await clock.runAll();
    expect(await call).toBe('queued');
  });
});

describe('fallback > retry', () => {
  it('asks the fallback after the last attempt, not after each', async () => {
    const fallback = vi.fn(() => 'queued');
    const { clock, calls, run } = setUp(() => ({ policy: exact, fallback }));
    const operation = vi.fn(down);
    const call = calls.run(operation, run);
    await clock.advance(2_999);
    expect(fallback).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await call).toBe('queued');
    expect(operation).toHaveBeenCalledTimes(3);
    expect(fallback).toHaveBeenCalledTimes(1);
  });
});

describe('retry > bulkhead', () => {
  it('holds no slot during a wait', async () => {
    const slots = bulkhead({ limit: 1 });
    const { clock, calls, run } = setUp(() => ({ bulkhead: slots, policy: exact }));
    const waiting = calls.run(({ attempt }) => (attempt === 1 ? down() : 'later'), run);
    await settle();
    expect(slots.inside).toBe(0);
    expect(await calls.run(() => 'in between', run)).toBe('in between');
    await clock.runAll();
    expect(await waiting).toBe('later');
  });

  it('tries again when there was no slot', async () => {
    const slots = bulkhead({ limit: 1 });
    const { clock, calls, run } = setUp(() => ({ bulkhead: slots, policy: exact }));
    const work = Promise.withResolvers<string>();
    const first = calls.run(() => work.promise, run);
    const second = calls.run(() => 'second', run);
    await clock.advance(500);
    work.resolve('first');
    await clock.advance(500);
    expect([await first, await second]).toEqual(['first', 'second']);
  });
});

describe('bulkhead > breaker', () => {
  it('does not ask the breaker, nor move it, for a call that gets no slot', async () => {
    const slots = bulkhead({ limit: 1 });
    const { clock, calls, breaker, run } = setUp((clock) => ({
      bulkhead: slots,
      breaker: circuitBreaker({ clock, threshold: 1, timeoutMs: 1_000 }),
      policy: { maxAttempts: 1 },
    }));
    const admit = vi.spyOn(breaker, 'admit');
    slots.tryEnter();
    expect(await silent(calls.run(() => 'up', run))).toMatchObject({
      cause: { code: 'bulkhead_full' },
    });
    expect(admit).not.toHaveBeenCalled();
    expect(breaker.state).toBe('closed');
    expectNoTimers(clock);
  });

  it('asks the breaker when the slot is there, not when the queue is entered', async () => {
    const slots = bulkhead({ limit: 1, queue: 1 });
    const { calls, breaker, run } = setUp((clock) => ({
      bulkhead: slots,
      breaker: circuitBreaker({ clock, threshold: 1 }),
      policy: { maxAttempts: 1 },
    }));
    const work = Promise.withResolvers<string>();
    const first = silent(calls.run(() => work.promise, run));
    const operation = vi.fn(() => 'up');
    const queued = silent(calls.run(operation, run));
    await settle();
    expect(slots.waiting).toBe(1);
    work.reject(new Error('down'));
    await first;
    expect(breaker.state).toBe('open');
    expect(await queued).toMatchObject({ reason: 'breaker_open' });
    expect(operation).not.toHaveBeenCalled();
    expect(slots.inside).toBe(0);
  });
});

describe('breaker > timeout', () => {
  it('counts a timeout as a failure of the dependency', async () => {
    const { clock, calls, breaker, run } = setUp((clock) => ({
      breaker: circuitBreaker({ clock, threshold: 1 }),
      policy: { maxAttempts: 1, attemptTimeoutMs: 100 },
    }));
    const call = silent(calls.run(hang, run));
    await clock.runAll();
    await call;
    expect(breaker.state).toBe('open');
  });

  it('starts no timeout for a call that is refused', async () => {
    const { clock, calls, breaker, run } = setUp((clock) => ({
      breaker: circuitBreaker({ clock }),
      policy: { attemptTimeoutMs: 100 },
    }));
    breaker.isolate();
    await silent(calls.run(hang, run));
    expectNoTimers(clock);
  });
});

describe('bulkhead > timeout', () => {
  it('starts the time of an attempt with its work, not with the queue', async () => {
    const { clock, calls, run } = setUp((clock) => ({
      bulkhead: bulkhead({ limit: 1, queue: 1, clock }),
      policy: { maxAttempts: 1, attemptTimeoutMs: 1_000 },
    }));
    const sleep = (ms: number) => new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
    const first = calls.run(() => sleep(900), run);
    const second = calls.run(() => sleep(900).then(() => 'second'), run);
    await clock.runAll();
    await first;
    expect(await second).toBe('second');
  });
});

describe('deadline > bulkhead', () => {
  it('holds in the queue too, and leaves it', async () => {
    const slots = bulkhead({ limit: 1, queue: 1 });
    const { clock, calls, run } = setUp(() => ({ bulkhead: slots, policy: { ttlMs: 1_000 } }));
    slots.tryEnter();
    const operation = vi.fn(() => 'up');
    const call = silent(calls.run(operation, run));
    await settle();
    expect(slots.waiting).toBe(1);
    await clock.advance(1_000 + 1_000 / 64);
    expect(await call).toMatchObject({ reason: 'ttl_exceeded' });
    expect(slots.waiting).toBe(0);
    slots.leave();
    expect(slots.inside).toBe(0);
    expect(operation).not.toHaveBeenCalled();
  });

  it('lets the caller out of the queue at once', async () => {
    const slots = bulkhead({ limit: 1, queue: 1 });
    const { calls, run } = setUp(() => ({ bulkhead: slots }));
    slots.tryEnter();
    const controller = new AbortController();
    const operation = vi.fn(() => 'up');
    const call = silent(calls.run(operation, { ...run, signal: controller.signal }));
    await settle();
    controller.abort('user left');
    expect(await call).toBe('user left');
    expect([slots.inside, slots.waiting]).toEqual([1, 0]);
    expect(operation).not.toHaveBeenCalled();
  });

  it('gives the slot back when the caller leaves as it comes', async () => {
    const slots = bulkhead({ limit: 1, queue: 1 });
    const { calls, run } = setUp(() => ({ bulkhead: slots }));
    slots.tryEnter();
    const controller = new AbortController();
    const operation = vi.fn(() => 'up');
    const call = silent(calls.run(operation, { ...run, signal: controller.signal }));
    await settle();
    slots.leave();
    controller.abort('user left');
    expect(await call).toBe('user left');
    await settle();
    expect([slots.inside, slots.waiting]).toEqual([0, 0]);
    expect(operation).not.toHaveBeenCalled();
  });

  it('gives back a slot that comes long after the caller has left', async () => {
    const slot = Promise.withResolvers<void>();
    const slow = { tryEnter: () => false, enter: () => slot.promise, leave: vi.fn() };
    const { calls, run } = setUp(() => ({ bulkhead: slow }));
    const controller = new AbortController();
    const call = silent(calls.run(() => 'up', { ...run, signal: controller.signal }));
    controller.abort('user left');
    expect(await call).toBe('user left');
    await settle();
    expect(slow.leave).not.toHaveBeenCalled();
    slot.resolve();
    await settle();
    expect(slow.leave).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['first', 1],
    ['second', 2],
  ])(
    'calls nothing when the caller leaves a few steps after the slot of the %s attempt came',
    async (_, queued) => {
      for (let steps = 1; steps < 6; steps++) {
        const slots = bulkhead({ limit: 1, queue: 1 });
        const { clock, calls, run } = setUp(() => ({ bulkhead: slots, policy: exact }));
        const controller = new AbortController();
        let calledAborted = false;
        const operation = ({ attempt, signal }: AttemptContext) => {
          if (attempt < queued) return down();
          calledAborted = signal.aborted;
          return hang();
        };
        if (queued === 1) slots.tryEnter();
        const call = silent(calls.run(operation, { ...run, signal: controller.signal }));
        await settle();
        if (queued === 2) slots.tryEnter();
        await clock.runAll();
        expect(slots.waiting).toBe(1);
        slots.leave();
        for (let step = 0; step < steps; step++) await Promise.resolve();
        controller.abort('user left');
        expect(await call).toBe('user left');
        expect(calledAborted).toBe(false);
      }
    },
  );
});
