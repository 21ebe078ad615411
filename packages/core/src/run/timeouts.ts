import type { Clock, Timer } from '../clock/clock.ts';

/** Something that a timeout can end. The fields belong to its `TimeoutList`. */
export interface TimeoutEntry {
  timeoutList: TimeoutList | undefined;
  timeoutBatch: Batch | undefined;
  timeoutBefore: TimeoutEntry | undefined;
  timeoutAfter: TimeoutEntry | undefined;
  /** Called once when the time is up, in nobody's async context: resume through a promise. */
  timeUp(): void;
}

/** Entries that were added between two ticks. The next tick dates them, so that adding one reads no clock. */
interface Batch {
  datedMs: number;
}

/** How many ticks a timeout has: an entry is dated late by one tick at most and found late by another one. */
const TICKS = 256;

/**
 * Timeouts of one length, oldest first, with one timer for all. Nearly all timeouts are called off, and setting and
 * clearing a timer for each costs more than the rest of a call; here both are a few pointer writes. A timeout is never
 * early and at most 1/64 (or 2 ms) late.
 */
export class TimeoutList {
  private readonly clock: Clock;
  private readonly lengthMs: number;
  private readonly tickMs: number;
  private oldest: TimeoutEntry | undefined = undefined;
  private newest: TimeoutEntry | undefined = undefined;
  private undated: Batch = { datedMs: Infinity };
  private timer: Timer | undefined = undefined;

  constructor(clock: Clock, lengthMs: number) {
    this.clock = clock;
    this.lengthMs = lengthMs;
    this.tickMs = Math.max(1, Math.floor(lengthMs / TICKS));
  }

  add(entry: TimeoutEntry): void {
    entry.timeoutList = this;
    entry.timeoutBatch = this.undated;
    entry.timeoutBefore = this.newest;
    if (this.newest === undefined) {
      this.oldest = entry;
      if (this.timer === undefined) this.arm();
      else this.timer.hold(true);
    } else {
      this.newest.timeoutAfter = entry;
    }
    this.newest = entry;
  }

  remove(entry: TimeoutEntry): void {
    const { timeoutBefore: before, timeoutAfter: after } = entry;
    if (before === undefined) this.oldest = after;
    else before.timeoutAfter = after;
    if (after === undefined) this.newest = before;
    else after.timeoutBefore = before;
    entry.timeoutList = undefined;
    entry.timeoutBatch = undefined;
    entry.timeoutBefore = undefined;
    entry.timeoutAfter = undefined;
    // The timer is left to run out: the next call would set it again. It must not keep the process up meanwhile.
    if (this.newest === undefined) this.timer?.hold(false);
  }

  private arm(): void {
    this.timer = this.clock.setTimer(this.tickMs, () => this.tick());
  }

  private tick(): void {
    const nowMs = this.clock.monotonic();
    this.undated.datedMs = nowMs;
    this.undated = { datedMs: Infinity };
    this.timer = undefined;
    let entry = this.oldest;
    while (entry?.timeoutBatch !== undefined && entry.timeoutBatch.datedMs + this.lengthMs <= nowMs) {
      this.remove(entry);
      entry.timeUp();
      entry = this.oldest;
    }
    if (entry !== undefined) this.arm();
  }
}

const listsByClock = new WeakMap<Clock, Map<number, TimeoutList>>();
/** Lengths are rounded up to one of this many steps per doubling, which bounds the number of lists. */
const STEPS = 128;

/** The list of a clock for timeouts of about this length: not shorter, and longer by 1/128 at most. */
export function timeoutListOf(clock: Clock, lengthMs: number): TimeoutList {
  const grainMs = 2 ** Math.floor(Math.log2(lengthMs / STEPS));
  const roundedMs = Math.ceil(lengthMs / grainMs) * grainMs;
  let lists = listsByClock.get(clock);
  if (lists === undefined) {
    lists = new Map();
    listsByClock.set(clock, lists);
  }
  let list = lists.get(roundedMs);
  if (list === undefined) {
    list = new TimeoutList(clock, roundedMs);
    lists.set(roundedMs, list);
  }
  return list;
}
