import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_TIMER_MS } from './clock.ts';
import { systemClock } from './system-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-29T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the system clock', () => {
  it('tells wall-clock time and monotonic time', () => {
    expect(systemClock.now()).toBe(Date.parse('2026-01-29T12:00:00Z'));
    const before = systemClock.monotonic();
    vi.advanceTimersByTime(1_500);
    expect(systemClock.monotonic() - before).toBe(1_500);
    vi.setSystemTime(Date.parse('2026-01-01T00:00:00Z'));
    expect(systemClock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'));
    expect(systemClock.monotonic() - before).toBe(1_500);
  });

  it('wakes once, after the delay', () => {
    const wake = vi.fn();
    systemClock.setTimer(100, wake);
    vi.advanceTimersByTime(99);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes nobody who has cancelled, and does not mind being told late', () => {
    const wake = vi.fn();
    const timer = systemClock.setTimer(100, wake);
    timer.cancel();
    vi.advanceTimersByTime(1_000);
    expect(wake).not.toHaveBeenCalled();
    timer.cancel();
  });

  it('cuts what setTimeout would fire at once', () => {
    const spy = vi.spyOn(globalThis, 'setTimeout');
    for (const delayMs of [2 ** 31 - 1, 2 ** 31, Infinity]) systemClock.setTimer(delayMs, () => {});
    expect(spy.mock.calls.map(([, delayMs]) => delayMs)).toEqual(Array(3).fill(MAX_TIMER_MS));
  });

  it('holds a Node process until told otherwise', () => {
    vi.useRealTimers();
    const spy = vi.spyOn(globalThis, 'setTimeout');
    const timer = systemClock.setTimer(60_000, () => {});
    const holds = () => spy.mock.results[0]?.value.hasRef();
    expect(holds()).toBe(true);
    timer.hold(false);
    expect(holds()).toBe(false);
    timer.hold(true);
    expect(holds()).toBe(true);
    timer.cancel();
  });

  it('does without ref and unref where timers are numbers, as in browsers', () => {
    vi.stubGlobal('setTimeout', () => 42);
    const timer = systemClock.setTimer(100, () => {});
    timer.hold(false);
    timer.hold(true);
  });
});
