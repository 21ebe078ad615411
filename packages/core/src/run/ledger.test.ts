import { memoryLedger, pipeline, type RetryOptions, retry } from '@redrive/core';
import { expectNoTimers, settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const steady = { backoff: 'fixed', baseDelayMs: 100, jitter: 'none' } as const;

function setUp() {
  const clock = virtualClock();
  const ledger = memoryLedger({ clock });
  const options = { clock, ledger, idempotencyKey: 'order-7' } satisfies RetryOptions;
  return { clock, ledger, options };
}

describe('a call with a ledger and a key', () => {
  it.each(['receipt', null, undefined, 0, '', false])(
    'runs once, and answers %j again without running',
    async (value) => {
      const { clock, options } = setUp();
      const operation = vi.fn(async () => value);
      expect(await retry(operation, steady, options)).toBe(value);
      expect(await retry(operation, steady, options)).toBe(value);
      expect(operation).toHaveBeenCalledTimes(1);
      expectNoTimers(clock);
    },
  );

  it('runs once for a hundred callers at the same time', async () => {
    const { clock, options } = setUp();
    const work = Promise.withResolvers<string>();
    const operation = vi.fn(() => work.promise);
    const calls = Array.from({ length: 100 }, () => retry(operation, steady, options));
    await clock.advance(1_000);
    work.resolve('receipt');
    await clock.runAll();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['receipt']));
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('makes all its attempts under one reservation', async () => {
    const { clock, ledger, options } = setUp();
    const reserve = vi.spyOn(ledger, 'reserve');
    const operation = vi.fn(({ attempt }: { attempt: number }) =>
      attempt < 3 ? Promise.reject(new Error('down')) : 'receipt',
    );
    const call = retry(operation, steady, options);
    await clock.advance(150);
    expect(await ledger.look('order-7')).toMatchObject({ state: 'in_progress', token: 1 });
    await clock.runAll();
    expect(await call).toBe('receipt');
    expect(operation).toHaveBeenCalledTimes(3);
    expect(reserve).toHaveBeenCalledTimes(1);
    expect(await ledger.look('order-7')).toMatchObject({ state: 'done', token: 1 });
  });

  it('keeps its reservation through long waits', async () => {
    const { clock, ledger, options } = setUp();
    const slow = { ...steady, baseDelayMs: 300_000, maxAttempts: 2 };
    const call = retry(
      ({ attempt }) => (attempt === 1 ? Promise.reject('down') : 'up'),
      slow,
      options,
    );
    await clock.advance(200_000);
    const other = await ledger.reserve('order-7', { fingerprint: '', leaseMs: 1_000 });
    expect(other.state).toBe('in_progress');
    await clock.runAll();
    expect(await call).toBe('up');
  });

  it('may run again after it has failed, and tells the next one nothing of it', async () => {
    const { clock, ledger, options } = setUp();
    const once = { ...steady, maxAttempts: 1 };
    const failed = retry(() => Promise.reject(new Error('down')), once, options);
    await expect(failed).rejects.toMatchObject({ reason: 'max_attempts_exceeded' });
    expect(await ledger.look('order-7')).toMatchObject({ state: 'failed' });
    const seen: unknown[] = [];
    const call = retry(({ lastOutcome }) => void seen.push(lastOutcome), once, options);
    await clock.runAll();
    await call;
    expect(seen).toEqual([undefined]);
  });

  it('fails at once where it was told not to wait for another holder', async () => {
    const { options } = setUp();
    const work = Promise.withResolvers<string>();
    const first = retry(() => work.promise, steady, options);
    const operation = vi.fn(() => 'mine');
    const second = retry(operation, steady, { ...options, onInProgress: 'fail' });
    await expect(second).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(operation).not.toHaveBeenCalled();
    work.resolve('receipt');
    expect(await first).toBe('receipt');
  });

  it('refuses the same key with other parameters', async () => {
    const { options } = setUp();
    await retry(() => 'receipt', steady, { ...options, fingerprint: 'a' });
    const operation = vi.fn(() => 'other');
    const call = retry(operation, steady, { ...options, fingerprint: 'b' });
    await expect(call).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(operation).not.toHaveBeenCalled();
  });

  it('stops waiting for another holder when the caller aborts', async () => {
    const { clock, options } = setUp();
    const work = Promise.withResolvers<string>();
    const first = retry(() => work.promise, steady, options);
    const controller = new AbortController();
    const second = retry(() => 'mine', steady, { ...options, signal: controller.signal });
    const ended = second.catch((error: unknown) => error);
    await clock.advance(50);
    controller.abort('user left');
    expect(await ended).toBe('user left');
    work.resolve('receipt');
    await first;
    expectNoTimers(clock);
  });

  it('frees the key when the caller aborts it', async () => {
    const { clock, ledger, options } = setUp();
    const controller = new AbortController();
    const signal = controller.signal;
    const call = retry(() => Promise.reject('down'), steady, { ...options, signal }).catch(
      () => {},
    );
    await settle();
    controller.abort('user left');
    await call;
    await settle();
    expect(await ledger.look('order-7')).toMatchObject({ state: 'failed' });
    expectNoTimers(clock);
  });

  it('works in a pipeline', async () => {
    const { options } = setUp();
    const operation = vi.fn(() => 'receipt');
    const calls = pipeline({ policy: steady });
    expect([await calls.run(operation, options), await calls.run(operation, options)]).toEqual([
      'receipt',
      'receipt',
    ]);
    expect(operation).toHaveBeenCalledTimes(1);
  });
});

describe('a ledger without a key, or a key without a ledger', () => {
  it('changes nothing', async () => {
    const { ledger } = setUp();
    const reserve = vi.spyOn(ledger, 'reserve');
    const operation = vi.fn(() => 'receipt');
    for (const options of [{ ledger }, { idempotencyKey: 'order-7' }]) {
      await retry(operation, steady, options);
      await retry(operation, steady, options);
    }
    expect(operation).toHaveBeenCalledTimes(4);
    expect(reserve).not.toHaveBeenCalled();
  });
});
