import type { Clock } from '@redrive/core';

/** The clock of core's breakers and budgets: the time of the event that is being handled. */
export class SimulationClock implements Clock {
  nowMs = 0;

  now(): number {
    return Math.floor(this.nowMs);
  }

  monotonic(): number {
    return this.nowMs;
  }

  /** Breakers and budgets have no timers; everything else waits in the heap of events. */
  setTimer(): never {
    throw new Error('A simulation has no timers: add an event to its heap.');
  }
}
