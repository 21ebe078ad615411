import { type Clock, MAX_TIMER_MS, type Timer } from '../clock/clock.ts';

/** A point in time that some wait for together. */
export interface WakeUp {
  readonly dueMs: number;
  readonly promise: Promise<void>;
  readonly wake: () => void;
  waiters: number;
  timer?: Timer;
}

/** Reactions run in one go; past this many waiters, I/O gets a turn in between. */
const MAX_WAITERS = 1_000;

/**
 * Waits that end about together share one timer and one promise, so that 100,000 waiting retries cost a promise
 * reaction each instead of a timer each. A wait is rounded up by at most 1/1024; it is never early.
 *
 * Whoever waits resumes through a reaction on the shared promise and not from the timer's callback, because a reaction
 * runs in the async context of the one who waits, and the timer's callback in that of whoever came first.
 */
export class WakeUps {
  private readonly clock: Clock;
  private readonly holdProcess: boolean;
  private readonly byDueMs = new Map<number, WakeUp>();

  constructor(clock: Clock, holdProcess: boolean) {
    this.clock = clock;
    this.holdProcess = holdProcess;
  }

  /** Joins the wake-up that is due `delayMs` from now. Whoever joins either sees it happen or leaves it. */
  join(delayMs: number): WakeUp {
    const grainMs = 2 ** Math.max(0, Math.floor(Math.log2(delayMs / 1024)));
    const dueMs = Math.ceil((this.clock.monotonic() + delayMs) / grainMs) * grainMs;
    let wakeUp = this.byDueMs.get(dueMs);
    if (wakeUp === undefined || wakeUp.waiters === MAX_WAITERS) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = { dueMs, promise, wake: resolve, waiters: 0 };
      this.byDueMs.set(dueMs, wakeUp);
      this.arm(wakeUp);
    }
    wakeUp.waiters++;
    return wakeUp;
  }

  /** Gives up a wait. The last one to leave takes the timer along, or it would hold the process. */
  leave(wakeUp: WakeUp): void {
    if (--wakeUp.waiters > 0) return;
    wakeUp.timer?.cancel();
    this.forget(wakeUp);
  }

  private arm(wakeUp: WakeUp): void {
    // Not below 0: on a slow machine it may be over by now, and Node would print a warning.
    const leftMs = Math.max(0, Math.ceil(wakeUp.dueMs - this.clock.monotonic()));
    wakeUp.timer = this.clock.setTimer(Math.min(leftMs, MAX_TIMER_MS), () => {
      // Timers fire up to a millisecond early, and long ones are cut to 2^31 - 1 ms: look before waking anybody.
      if (this.clock.monotonic() < wakeUp.dueMs) return this.arm(wakeUp);
      this.forget(wakeUp);
      wakeUp.wake();
    });
    if (!this.holdProcess) wakeUp.timer.hold(false);
  }

  private forget(wakeUp: WakeUp): void {
    if (this.byDueMs.get(wakeUp.dueMs) === wakeUp) this.byDueMs.delete(wakeUp.dueMs);
  }
}
