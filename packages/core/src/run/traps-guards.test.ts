import { bulkhead, circuitBreaker, retry } from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, test, vi } from 'vitest';

const once = { maxAttempts: 1 };
const down = () => Promise.reject(new Error('down'));
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** A breaker that is due to let a probe through. */
async function halfOpenBreaker() {
  const clock = virtualClock();
  const breaker = circuitBreaker({
    clock,
    threshold: 1,
    timeoutMs: 1_000,
    probeTimeoutMs: 30_000,
  });
  await silent(retry(down, once, { clock, breaker }));
  await clock.advance(1_000);
  return { clock, breaker };
}

describe('trap: a half-open probe that is cancelled or hangs', () => {
  it('leaves its place to the next call when the caller cancels it', async () => {
    const { clock, breaker } = await halfOpenBreaker();
    const controller = new AbortController();
    const { signal } = controller;
    const probe = silent(retry(() => new Promise(() => {}), once, { clock, breaker, signal }));
    await settle();
    expect(breaker.state).toBe('half_open');
    controller.abort('user left');
    expect(await probe).toBe('user left');
    // A cancellation is nobody's failure and nobody's success.
    expect(breaker.state).toBe('half_open');
    expect(await retry(() => 'up', once, { clock, breaker })).toBe('up');
    expect(breaker.state).toBe('closed');
  });

  it('leaves its place also when it was cancelled before it began', async () => {
    const { clock, breaker } = await halfOpenBreaker();
    const options = { clock, breaker, signal: AbortSignal.abort('too late') };
    expect(await silent(retry(() => 'up', once, options))).toBe('too late');
    expect(await retry(() => 'up', once, { clock, breaker })).toBe('up');
  });

  it('opens the breaker again when its attempt times out', async () => {
    const { clock, breaker } = await halfOpenBreaker();
    const policy = { ...once, attemptTimeoutMs: 5_000 };
    const probe = silent(retry(() => new Promise(() => {}), policy, { clock, breaker }));
    await clock.advance(5_000 + 5_000 / 64);
    expect(await probe).toMatchObject({ cause: { code: 'attempt_timeout' } });
    expect(breaker.state).toBe('open');
  });

  it('loses its place after a while when it hangs without a timeout', async () => {
    const { clock, breaker } = await halfOpenBreaker();
    const hung = Promise.withResolvers<string>();
    const probe = retry(() => hung.promise, once, { clock, breaker });
    await settle();
    const refused = await silent(retry(() => 'up', once, { clock, breaker }));
    expect(refused).toMatchObject({ reason: 'breaker_open' });
    await clock.advance(30_000);
    expect(await retry(() => 'up', once, { clock, breaker })).toBe('up');
    expect(breaker.state).toBe('closed');
    // Its late end moves nothing.
    hung.reject(new Error('down'));
    await silent(probe);
    expect(breaker.failureCount).toBe(0);
  });
});

test('trap: a success from before the opening closes the breaker', async () => {
  const clock = virtualClock();
  const breaker = circuitBreaker({ clock, threshold: 1, timeoutMs: 1_000 });
  const early = Promise.withResolvers<string>();
  const call = retry(() => early.promise, once, { clock, breaker });
  await silent(retry(down, once, { clock, breaker }));
  expect(breaker.state).toBe('open');
  early.resolve('late success');
  expect(await call).toBe('late success');
  expect(breaker.state).toBe('open');
  await clock.advance(1_000);
  const probe = Promise.withResolvers<string>();
  const probing = silent(retry(() => probe.promise, once, { clock, breaker }));
  await settle();
  probe.reject(new Error('down'));
  await probing;
  expect(breaker.state).toBe('open');
});

describe('trap: a bulkhead slot is freed while the work still runs', () => {
  it('keeps the slot of a timed-out attempt until its work has ended', async () => {
    const clock = virtualClock();
    const slots = bulkhead({ limit: 1, clock });
    const work = Promise.withResolvers<string>();
    const policy = { maxAttempts: 1, attemptTimeoutMs: 100 };
    const timedOut = silent(retry(() => work.promise, policy, { clock, bulkhead: slots }));
    await clock.advance(110);
    expect(await timedOut).toMatchObject({ cause: { code: 'attempt_timeout' } });
    const operation = vi.fn(() => 'mine');
    const refused = await silent(retry(operation, once, { clock, bulkhead: slots }));
    expect(refused).toMatchObject({ cause: { code: 'bulkhead_full' } });
    expect(operation).not.toHaveBeenCalled();
    work.resolve('late');
    await settle();
    expect(slots.inside).toBe(0);
    expect(await retry(operation, once, { clock, bulkhead: slots })).toBe('mine');
    await clock.runAll();
  });

  it('never runs more work than it has slots, whatever ends the waiting', async () => {
    const clock = virtualClock();
    const slots = bulkhead({ limit: 2, queue: 100, clock });
    const policy = { maxAttempts: 3, attemptTimeoutMs: 10, backoff: 'immediate' } as const;
    let running = 0;
    let most = 0;
    const operation = async () => {
      running += 1;
      most = Math.max(most, running);
      // Three times as long as anybody waits for it.
      await new Promise<void>((resolve) => void clock.setTimer(30, resolve));
      running -= 1;
    };
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, (_, n) => {
      const signal = n % 2 === 0 ? controller.signal : undefined;
      return silent(retry(operation, policy, { clock, bulkhead: slots, signal }));
    });
    await clock.advance(55);
    controller.abort('user left');
    await clock.runAll();
    await Promise.all(calls);
    expect(most).toBe(2);
    expect(slots.inside).toBe(0);
    expect(slots.waiting).toBe(0);
  });

  it.each([
    ['throws', () => expect.fail('down')],
    ['rejects', down],
    ['succeeds', () => Promise.resolve()],
    ['returns at once', () => 1],
  ])('frees the slot when the operation %s', async (_, operation) => {
    const slots = bulkhead({ limit: 1 });
    await silent(retry<unknown>(operation, once, { bulkhead: slots }));
    expect(slots.inside).toBe(0);
  });

  it('frees the slot when the breaker refuses the call', async () => {
    const slots = bulkhead({ limit: 1 });
    const { clock, breaker } = await halfOpenBreaker();
    breaker.isolate();
    await silent(retry(() => 1, once, { clock, breaker, bulkhead: slots }));
    expect(slots.inside).toBe(0);
  });
});
