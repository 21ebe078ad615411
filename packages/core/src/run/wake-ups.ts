import { type Clock, MAX_TIMER_MS, type Timer } from '../clock/clock.ts';

/**
 * Waits that end about together share one timer and one promise, so that 100,000 waiting retries cost a promise
 * reaction each instead of a timer each. A wait is rounded up by at most 1/1024; it is never early.
 *
 * Whoever waits resumes through a reaction on the shared promise and not from the timer's callback, because a reaction
 * runs in the async context of the one who waits, and the timer's callback in that of whoever came first.
 */
export interface WakeUp {
  readonly promise: Promise<void>;
}

/** Reactions run in one go; past this many, I/O gets a turn in between. */
const MAX_WAITERS = 1_000;

class Slot implements WakeUp {
  readonly promise: Promise<void>;
  readonly dueMs: number;
  readonly slots: Map<number, Slot>;
  resolve: () => void = ignore;
  timer: Timer | undefined = undefined;
  waiters = 0;

  constructor(dueMs: number, slots: Map<number, Slot>) {
    this.dueMs = dueMs;
    this.slots = slots;
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}

export class WakeUps {
  private readonly clock: Clock;
  private readonly holding = new Map<number, Slot>();
  private readonly notHolding = new Map<number, Slot>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Joins the wake-up that is due `delayMs` from now. Whoever joins either sees it happen or leaves it. */
  join(delayMs: number, holdProcess: boolean): WakeUp {
    const slots = holdProcess ? this.holding : this.notHolding;
    const grainMs = 2 ** Math.max(0, Math.floor(Math.log2(delayMs / 1024)));
    const dueMs = Math.ceil((this.clock.monotonic() + delayMs) / grainMs) * grainMs;
    let slot = slots.get(dueMs);
    if (slot === undefined || slot.waiters === MAX_WAITERS) {
      slot = new Slot(dueMs, slots);
      slots.set(dueMs, slot);
      this.arm(slot, holdProcess);
    }
    slot.waiters++;
    return slot;
  }

  /** Gives up a wait. The last one to leave takes the timer along, or it would hold the process. */
  leave(wakeUp: WakeUp): void {
    const slot = wakeUp as Slot; // join() gives out nothing else.
    if (--slot.waiters === 0) {
      slot.timer?.cancel();
      this.forget(slot);
    }
  }

  private arm(slot: Slot, holdProcess: boolean): void {
    const leftMs = Math.ceil(slot.dueMs - this.clock.monotonic());
    slot.timer = this.clock.setTimer(Math.min(Math.max(leftMs, 0), MAX_TIMER_MS), () => {
      // Timers fire up to a millisecond early, and long ones are cut to 2^31 - 1 ms: look before waking anybody.
      if (this.clock.monotonic() < slot.dueMs) return this.arm(slot, holdProcess);
      this.forget(slot);
      slot.resolve();
    });
    if (!holdProcess) slot.timer.hold(false);
  }

  private forget(slot: Slot): void {
    if (slot.slots.get(slot.dueMs) === slot) slot.slots.delete(slot.dueMs);
  }
}

function ignore(): void {}

const wakeUpsByClock = new WeakMap<Clock, WakeUps>();

/** The wake-ups of a clock. */
export function wakeUpsOf(clock: Clock): WakeUps {
  let wakeUps = wakeUpsByClock.get(clock);
  if (wakeUps === undefined) {
    wakeUps = new WakeUps(clock);
    wakeUpsByClock.set(clock, wakeUps);
  }
  return wakeUps;
}
