import type { Clock, Timer } from '@redrive/core';
import { settle } from './settle.ts';
import { type HeapEntry, TimerHeap } from './timer-heap.ts';

/** `setTimeout`'s longest wait. The system clock cuts to it, so this one does too: chained waits get tested. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface VirtualClockOptions {
  /** Wall-clock time at the start, in milliseconds since the epoch. Default 0. */
  startMs?: number;
  /** Monotonic time at the start. Default 0; another value finds code that takes the two clocks for one. */
  monotonicMs?: number;
}

/** A `Clock` that stands still until the test moves it. */
export interface VirtualClock extends Clock {
  /** Timers that are set and have neither fired nor been cancelled. */
  readonly pendingTimers: number;
  /** How many of them would keep a Node process alive. */
  readonly holdingTimers: number;
  /** Milliseconds until the next timer is due (0: due now), or `undefined` when none is set. */
  readonly nextTimerInMs: number | undefined;
  /** Moves time by `ms` and fires what comes due, in order, without giving promises a turn in between. */
  tick(ms: number): void;
  /**
   * Moves time by `ms` and fires what comes due, in order; before the first timer and after each one, promise
   * reactions settle, so that code that awaits a wait and then sets the next one is served at the right time.
   */
  advance(ms: number): Promise<void>;
  /**
   * Advances until no timer is pending. Rejects after `limit` timers (default 100,000), because code that sets a timer
   * in every timer never ends.
   */
  runAll(limit?: number): Promise<void>;
  /** Sets the wall clock, forward or back, as NTP or a person would: monotonic time and timers stay as they are. */
  setWall(ms: number): void;
  /**
   * Makes ids from this seed from now on, instead of random ones: sessions and jobs on this clock then have the same ids,
   * and so the same jitter, in every run.
   */
  seedIds(seed: number): void;
}

interface VirtualTimer extends Timer, HeapEntry {
  readonly wake: () => void;
  holds: boolean;
}

/**
 * Makes a clock for tests: time passes only by `tick`, `advance` or `runAll`, and a year passes as fast as a second.
 *
 * ```ts
 * const clock = virtualClock();
 * clock.setTimer(1_000, () => console.log('a second later'));
 * await clock.advance(1_000);
 * ```
 */
export function virtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const { startMs = 0, monotonicMs = 0 } = options;
  const timers = new TimerHeap<VirtualTimer>();
  let elapsedMs = monotonicMs;
  let wallOffsetMs = startMs - monotonicMs;
  let timersSet = 0;

  /** Fires the next timer due at or before `untilMs`; false when there is none. */
  function fireNext(untilMs: number): boolean {
    const timer = timers.first();
    if (timer === undefined || timer.atMs > untilMs) return false;
    timers.remove(timer);
    elapsedMs = Math.max(elapsedMs, timer.atMs);
    timer.wake();
    return true;
  }

  function targetAfter(ms: number): number {
    if (!(ms >= 0)) throw new RangeError(`A virtual clock moves forward only: ${ms} ms`);
    return elapsedMs + ms;
  }

  const clock: VirtualClock = {
    now: () => Math.floor(wallOffsetMs + elapsedMs),
    monotonic: () => elapsedMs,

    setTimer(delayMs, wake) {
      timersSet += 1;
      const timer: VirtualTimer = {
        // `setTimeout` takes anything that is not a positive number for "at once".
        atMs: elapsedMs + (delayMs > 0 ? Math.min(delayMs, MAX_TIMER_MS) : 0),
        order: timersSet,
        index: -1,
        wake,
        holds: true,
        cancel: () => timers.remove(timer),
        hold: (keepAlive) => {
          timer.holds = keepAlive;
        },
      };
      timers.add(timer);
      return timer;
    },

    get pendingTimers() {
      return timers.size;
    },
    get holdingTimers() {
      let holding = 0;
      for (const timer of timers) if (timer.holds) holding += 1;
      return holding;
    },
    get nextTimerInMs() {
      const next = timers.first();
      return next && Math.max(0, next.atMs - elapsedMs);
    },

    tick(ms) {
      const untilMs = targetAfter(ms);
      while (fireNext(untilMs));
      elapsedMs = Math.max(elapsedMs, untilMs);
    },

    async advance(ms) {
      const untilMs = targetAfter(ms);
      do await settle();
      while (fireNext(untilMs));
      elapsedMs = Math.max(elapsedMs, untilMs);
    },

    async runAll(limit = 100_000) {
      await settle();
      for (let fired = 0; timers.size > 0; fired++) {
        if (fired === limit) throw new Error(`${timers.size} timers still pending after ${limit}`);
        fireNext(Number.POSITIVE_INFINITY);
        await settle();
      }
    },

    setWall(ms) {
      wallOffsetMs = ms - elapsedMs;
    },

    seedIds(seed) {
      const seedPart = (seed >>> 0).toString(36).slice(-5).padStart(5, '0');
      let ids = 0;
      clock.uniquePart = () => {
        ids += 1;
        return ids.toString(36).padStart(6, '0') + seedPart;
      };
    },
  };
  return clock;
}
