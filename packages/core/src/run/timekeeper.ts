import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { TimeoutList } from './timeouts.ts';
import { WakeUps } from './wake-ups.ts';

/** Lengths are rounded up to one of this many steps per doubling, which bounds the number of lists. */
const STEPS = 128;

/** The waits and timeouts of one clock. */
export class Timekeeper {
  private readonly clock: Clock;
  private readonly waits: WakeUps;
  private readonly waitsThatHold: WakeUps;
  private readonly lists = new Map<number, TimeoutList>();
  private latestLengthMs = 0;
  private latestList: TimeoutList | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
    this.latestList = undefined;
    this.waits = new WakeUps(clock, false);
    this.waitsThatHold = new WakeUps(clock, true);
  }

  /** Where to wait: with the process held until the wait is over, or not. */
  wakeUps(holdProcess: boolean): WakeUps {
    return holdProcess ? this.waitsThatHold : this.waits;
  }

  /** The list for timeouts of about this length: not shorter, and longer by 1/128 at most. */
  timeouts(lengthMs: number): TimeoutList {
    // Calls in a row mostly have the same timeout.
    if (this.latestList === undefined || this.latestLengthMs !== lengthMs) {
      this.latestLengthMs = lengthMs;
      this.latestList = this.findTimeouts(lengthMs);
    }
    return this.latestList;
  }

  private findTimeouts(lengthMs: number): TimeoutList {
    const grainMs = 2 ** Math.floor(Math.log2(lengthMs / STEPS));
    const roundedMs = Math.ceil(lengthMs / grainMs) * grainMs;
    let list = this.lists.get(roundedMs);
    if (list === undefined) {
      list = new TimeoutList(this.clock, roundedMs);
      this.lists.set(roundedMs, list);
    }
    return list;
  }
}

const timekeepers = new WeakMap<Clock, Timekeeper>();
let system: Timekeeper | undefined;

/** The timekeeper of a clock. */
export function timekeeperOf(clock: Clock): Timekeeper {
  if (clock === systemClock) {
    system ??= new Timekeeper(clock);
    return system;
  }
  let timekeeper = timekeepers.get(clock);
  if (timekeeper === undefined) {
    timekeeper = new Timekeeper(clock);
    timekeepers.set(clock, timekeeper);
  }
  return timekeeper;
}
