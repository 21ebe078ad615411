import { expectNoTimers, seededRandom, settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { WakeUps } from './wake-ups.ts';

describe('wake-ups', () => {
  it('are never early, and late by 1/1024 and a millisecond or two at most', async () => {
    const random = seededRandom(7);
    const clock = virtualClock({ monotonicMs: 123.456 });
    const wakeUps = new WakeUps(clock, true);
    const waits: { delayMs: number; tookMs: number }[] = [];
    for (let n = 0; n < 2_000; n++) {
      const delayMs = Math.ceil(10 ** (random() * 7));
      const beganMs = clock.monotonic();
      void wakeUps.join(delayMs).promise.then(() => {
        waits.push({ delayMs, tookMs: clock.monotonic() - beganMs });
      });
      await clock.advance(random() * 3);
    }
    await clock.runAll();
    expect(waits).toHaveLength(2_000);
    expect(waits.filter(({ delayMs, tookMs }) => tookMs < delayMs)).toEqual([]);
    const tooLate = ({ delayMs, tookMs }: { delayMs: number; tookMs: number }) =>
      tookMs > delayMs * (1 + 1 / 1_024) + 2;
    expect(waits.filter(tooLate)).toEqual([]);
    expectNoTimers(clock);
  });

  it('share one timer and one promise when they are due together', () => {
    const clock = virtualClock();
    const wakeUps = new WakeUps(clock, true);
    const joined = [wakeUps.join(10_000), wakeUps.join(9_999), wakeUps.join(10_000)];
    expect(new Set(joined).size).toBe(1);
    expect(clock.pendingTimers).toBe(1);
    expect(wakeUps.join(20_000)).not.toBe(joined[0]);
    expect(clock.pendingTimers).toBe(2);
  });

  it('wake a thousand at a time, each with a timer of their own', async () => {
    const clock = virtualClock();
    const wakeUps = new WakeUps(clock, true);
    let awake = 0;
    const all = Array.from({ length: 2_500 }, () => wakeUps.join(100).promise.then(() => awake++));
    expect(clock.pendingTimers).toBe(3);
    await clock.runAll();
    await Promise.all(all);
    expect(awake).toBe(2_500);
  });

  it('are called off by the last one who leaves', async () => {
    const clock = virtualClock();
    const wakeUps = new WakeUps(clock, true);
    const wakeUp = wakeUps.join(100);
    wakeUps.join(100);
    wakeUps.leave(wakeUp);
    expect(clock.pendingTimers).toBe(1);
    wakeUps.leave(wakeUp);
    expectNoTimers(clock);
    // Whoever comes now gets another one.
    expect(wakeUps.join(100)).not.toBe(wakeUp);
    await clock.runAll();
  });

  it('leave the newer one alone when an older, full one is left by all', async () => {
    const clock = virtualClock();
    const wakeUps = new WakeUps(clock, true);
    const older = wakeUps.join(100);
    for (let n = 1; n < 1_000; n++) wakeUps.join(100);
    const newer = wakeUps.join(100);
    expect(newer).not.toBe(older);
    for (let n = 0; n < 1_000; n++) wakeUps.leave(older);
    expect(wakeUps.join(100)).toBe(newer);
    await clock.runAll();
  });

  it('look at the clock when a timer was early, or cut', async () => {
    const clock = virtualClock();
    const early = {
      ...clock,
      monotonic: clock.monotonic,
      // As `setTimeout` does: a little early.
      setTimer: (delayMs: number, wake: () => void) => clock.setTimer(delayMs - 0.7, wake),
    };
    let woken = false;
    void new WakeUps(early, true).join(50).promise.then(() => {
      woken = true;
    });
    await clock.advance(49.9);
    expect(woken).toBe(false);
    await clock.advance(1);
    await settle();
    expect(woken).toBe(true);
  });

  it('ask no clock for a timer that setTimeout would fire at once', () => {
    const asked: number[] = [];
    const clock = {
      ...virtualClock(),
      setTimer: (delayMs: number) => {
        asked.push(delayMs);
        return { cancel: () => {}, hold: () => {} };
      },
    };
    const wakeUps = new WakeUps(clock, true);
    for (const delayMs of [2 ** 32, 2 ** 36, 2 ** 40]) wakeUps.join(delayMs);
    expect(asked).toEqual(Array(3).fill(2 ** 31 - 1));
  });

  it('hold the process, or not', () => {
    const clock = virtualClock();
    new WakeUps(clock, true).join(100);
    expect(clock.holdingTimers).toBe(1);
    new WakeUps(clock, false).join(100);
    expect([clock.pendingTimers, clock.holdingTimers]).toEqual([2, 1]);
  });
});
