import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { TimeoutList } from './timeouts.ts';
import { WakeUps } from './wake-ups.ts';

/** Lengths are rounded up to one of this many steps per doubling, which bounds the number of lists. */
const STEPS = 128;

/** The waits and timeouts of one clock: those that hold a process until they are over, or those that do not. */
export class Timekeeper {
  readonly wakeUps: WakeUps;
  private readonly clock: Clock;
  private readonly holdProcess: boolean;
  private readonly lists = new Map<number, TimeoutList>();
  private latestLengthMs = 0;
  private latestList: TimeoutList | undefined;

  constructor(clock: Clock, holdProcess: boolean) {
    this.clock = clock;
    this.holdProcess = holdProcess;
    this.latestList = undefined;
    this.wakeUps = new WakeUps(clock, holdProcess);
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
      list = new TimeoutList(this.clock, roundedMs, this.holdProcess);
      this.lists.set(roundedMs, list);
    }
    return list;
  }
}

const holding = new WeakMap<Clock, Timekeeper>();
const notHolding = new WeakMap<Clock, Timekeeper>();
let system: Timekeeper | undefined;

/** The timekeeper of a clock, for calls that hold a Node process or for those that do not. */
export function timekeeperOf(clock: Clock, unref = false): Timekeeper {
  if (clock === systemClock && !unref) {
    system ??= new Timekeeper(clock, true);
    return system;
  }
  const timekeepers = unref ? notHolding : holding;
  let timekeeper = timekeepers.get(clock);
  if (timekeeper === undefined) {
    timekeeper = new Timekeeper(clock, !unref);
    timekeepers.set(clock, timekeeper);
  }
  return timekeeper;
}
