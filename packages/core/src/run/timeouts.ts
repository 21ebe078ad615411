import type { Clock, Timer } from '../clock/clock.ts';
import { type Link, Ring, unlink } from './ring.ts';

/** Shared by all that begin between two ticks, so that a beginning reads no clock: the next tick dates them all. */
interface Stamp {
  ms: number;
}

/** What a timeout ends. */
export interface TimeLimited {
  /** Called once. Runs in nobody's async context: resume through a promise. */
  timeUp(): void;
}

/** A running timeout. */
export class Timeout implements Link {
  before: Link;
  after: Link;
  readonly begun: Stamp;
  readonly limited: TimeLimited;
  private readonly list: TimeoutList;

  constructor(list: TimeoutList, begun: Stamp, limited: TimeLimited) {
    this.before = this;
    this.after = this;
    this.list = list;
    this.begun = begun;
    this.limited = limited;
  }

  stop(): void {
    unlink(this);
    this.list.onStop();
  }
}

/** How many ticks a timeout has: it is dated late by one tick at most and found late by another one. */
const TICKS = 256;

/**
 * Timeouts of one length, oldest first, with one timer for all. Nearly all timeouts are called off, and to set and clear
 * a timer for each costs more than the rest of a call. Never early, and at most 1/128 (or 2 ms) late.
 */
export class TimeoutList {
  private readonly clock: Clock;
  private readonly lengthMs: number;
  private readonly running = new Ring<Timeout>();
  private undated: Stamp = { ms: Infinity };
  private readonly holdProcess: boolean;
  private timer: Timer | undefined;

  constructor(clock: Clock, lengthMs: number, holdProcess = true) {
    this.clock = clock;
    this.lengthMs = lengthMs;
    this.holdProcess = holdProcess;
    this.timer = undefined;
  }

  start(limited: TimeLimited): Timeout {
    if (this.timer === undefined) this.arm();
    else if (this.running.oldest === undefined) this.timer.hold(this.holdProcess);
    const timeout = new Timeout(this, this.undated, limited);
    this.running.add(timeout);
    return timeout;
  }

  onStop(): void {
    // The timer is left to run out, because the next call would set it again; meanwhile it holds no process.
    if (this.running.oldest === undefined) this.timer?.hold(false);
  }

  private arm(): void {
    this.timer = this.clock.setTimer(Math.max(1, this.lengthMs / TICKS), () => this.tick());
    if (!this.holdProcess) this.timer.hold(false);
  }

  private tick(): void {
    const nowMs = this.clock.monotonic();
    this.undated.ms = nowMs;
    this.undated = { ms: Infinity };
    this.timer = undefined;
    let timeout = this.running.oldest;
    while (timeout !== undefined && timeout.begun.ms + this.lengthMs <= nowMs) {
      unlink(timeout);
      timeout.limited.timeUp();
      timeout = this.running.oldest;
    }
    if (timeout !== undefined) this.arm();
  }
}
