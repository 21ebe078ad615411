import type { Clock } from '@redrive/core';

export interface DependencyOptions {
  /** Calls that it carries out in a second, one after the other. */
  readonly capacityPerSecond: number;
  /** Calls of others that know nothing of the jobs. They wait no longer, and do not come again. */
  readonly livePerSecond: number;
  /** Nobody waits longer for an answer. */
  readonly timeoutMs: number;
}

/** How the calls of others went, in one window of time. */
export interface LiveCalls {
  readonly fromMs: number;
  readonly untilMs: number;
  calls: number;
  succeeded: number;
}

/**
 * A server with one queue, in virtual time. It carries out a call also when nobody waits for its answer any more: that is
 * how a herd of retries keeps a server down that would have recovered. While it is down it refuses at once.
 */
export class Dependency {
  isDown = false;
  /** Calls of jobs. */
  calls = 0;
  readonly #clock: Clock;
  readonly #options: DependencyOptions;
  readonly #windows: LiveCalls[] = [];
  /** When the last call of the queue is carried out. */
  #busyUntilMs = 0;
  #nextLiveMs = 0;

  constructor(clock: Clock, options: DependencyOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#nextLiveMs = clock.monotonic();
  }

  /** Calls of others that begin in this time are counted. */
  watch(fromMs: number, untilMs: number): LiveCalls {
    const window = { fromMs, untilMs, calls: 0, succeeded: 0 };
    this.#windows.push(window);
    return window;
  }

  setDown(isDown: boolean): void {
    this.catchUp();
    this.isDown = isDown;
    this.#busyUntilMs = this.#clock.monotonic();
  }

  /** Others call all the time, whether a job does or not. */
  catchUp(): void {
    const nowMs = this.#clock.monotonic();
    for (; this.#nextLiveMs <= nowMs; this.#nextLiveMs += 1_000 / this.#options.livePerSecond) {
      const atMs = this.#nextLiveMs;
      const succeeds = !this.isDown && this.#queueMs(atMs) <= this.#options.timeoutMs;
      for (const window of this.#windows) {
        if (atMs < window.fromMs || atMs >= window.untilMs) continue;
        window.calls += 1;
        if (succeeds) window.succeeded += 1;
      }
    }
  }

  /** A call of a job. */
  call(): Promise<void> {
    this.catchUp();
    this.calls += 1;
    if (this.isDown) return Promise.reject(error('ECONNREFUSED', 'connect ECONNREFUSED'));
    const takesMs = this.#queueMs(this.#clock.monotonic());
    const { timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      this.#clock.setTimer(Math.min(takesMs, timeoutMs), () => {
        if (takesMs <= timeoutMs) resolve();
        else reject(error('ETIMEDOUT', 'no answer in time'));
      });
    });
  }

  /** Enters the queue. Answers how long it takes until the answer comes. */
  #queueMs(atMs: number): number {
    this.#busyUntilMs = Math.max(this.#busyUntilMs, atMs) + 1_000 / this.#options.capacityPerSecond;
    return this.#busyUntilMs - atMs;
  }
}

function error(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
