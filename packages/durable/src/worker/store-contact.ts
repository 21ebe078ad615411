import { type Clock, isRedriveError, jitterRange, nominalDelayMs, type Timer } from '@redrive/core';
import { drawDelayMs, sessionRandom } from '@redrive/core/stored';
import type { Notice } from './notice.ts';

/** Waits while the store cannot be reached: 100 ms, doubled up to 10 s, spread by half. */
const BACKOFF = {
  backoff: 'exponential',
  baseDelayMs: 100,
  maxDelayMs: 10_000,
  multiplier: 2,
  immediateFirstRetry: false,
  jitter: 'equal',
  jitterAmount: 1,
} as const;

/** One unreadable row fails the same question again and again: it is reported at most this often. */
const REPORT_EVERY_MS = 60_000;

/** A question that only reads, or which part of the worker wanted to write something. */
export type Question =
  | 'read'
  | 'policies'
  | 'claims'
  | 'rescue'
  | 'release'
  | 'operations'
  | 'schedules'
  | 'batches'
  | 'retention';

/**
 * All questions to the store go through here: after a failure none is sent before the wait is over. A store with a full
 * disk answers reads and refuses writes: it is back when a write of a part that failed succeeds. If only reads have
 * failed, any answer shows that it is back.
 */
export class StoreContact {
  readonly #clock: Clock;
  readonly #worker: string;
  readonly #notify: (notice: Notice) => void;
  readonly #onOpen: () => void;
  #failures = 0;
  /** The kinds of questions that have failed since the store was last there. */
  readonly #failed = new Set<Question>();
  #downSinceMs = 0;
  #reportedAtMs = -Infinity;
  #timer: Timer | undefined;
  #closed = false;
  /** It failed after `close()`: there is no timer to ask again. */
  #isOver = false;

  /** `onOpen`: it is worth asking again. */
  constructor(clock: Clock, worker: string, notify: (notice: Notice) => void, onOpen: () => void) {
    this.#clock = clock;
    this.#worker = worker;
    this.#notify = notify;
    this.#onOpen = onOpen;
  }

  /** Whether it may be asked now. */
  get isOpen(): boolean {
    return this.#timer === undefined && !this.#isOver;
  }

  /**
   * Asks the store. `undefined`: it did not answer, which has been reported. Calls `question` before it returns. For callers
   * that ask again at once: any failure closes the contact for a while, or they would ask for ever without a pause.
   */
  ask<T>(what: Question, question: () => Promise<T>): Promise<T | undefined> {
    return this.#try(what, question, (error) => this.#fail(what, error));
  }

  /** For callers with a timer of their own: here only a store that is away closes the contact. */
  askByTimer<T>(what: Question, question: () => Promise<T>): Promise<T | undefined> {
    return this.#try(what, question, (error) => {
      if (isAway(error)) this.#fail(what, error);
      else this.refused(error);
    });
  }

  /** The store answered with something that the worker cannot use. */
  refused(error: unknown): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#reportedAtMs = nowMs;
    this.#notify({ kind: 'store_error', error });
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  async #try<T>(
    what: Question,
    question: () => Promise<T>,
    onError: (error: unknown) => void,
  ): Promise<T | undefined> {
    try {
      const answer = await question();
      if (this.#failures > 0 && this.#showsItIsBack(what)) this.#succeeded();
      return answer;
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  #showsItIsBack(what: Question): boolean {
    const onlyReadsFailed = this.#failed.size === 1 && this.#failed.has('read');
    return onlyReadsFailed || (what !== 'read' && this.#failed.has(what));
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#failed.clear();
    this.#notify({
      kind: 'store_back',
      afterMs: Math.round(this.#clock.monotonic() - this.#downSinceMs),
    });
  }

  #fail(what: Question, error: unknown): void {
    this.#failed.add(what);
    // No timer is left to wait with, and a caller that asks again at once would do so for ever.
    if (this.#closed) this.#isOver = true;
    // Two questions were under way: the second failure is not a new one.
    if (!this.isOpen) return;
    if (this.#failures === 0) this.#downSinceMs = this.#clock.monotonic();
    this.#failures += 1;
    const range = jitterRange(BACKOFF, nominalDelayMs(BACKOFF, this.#failures), 0);
    const retryInMs = drawDelayMs(range, sessionRandom(this.#worker, this.#failures));
    this.#timer = this.#clock.setTimer(retryInMs, () => {
      this.#timer = undefined;
      this.#onOpen();
    });
    this.#notify({ kind: 'store_unavailable', error, retryInMs });
  }
}

/** Missing rights may be granted while the worker waits, just as a server may be started again. */
function isAway(error: unknown): boolean {
  return isRedriveError(error, 'store_unavailable') || isRedriveError(error, 'store_forbidden');
}

/** The store's clock, from its last answer and the monotonic time since: wall clocks of two machines differ. */
export class StoreTime {
  readonly #clock: Clock;
  #nowMs: number;
  #observedAtMs: number;
  #roundTripMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    // This machine's clock, until the first answer of the store.
    this.#nowMs = clock.now();
    this.#observedAtMs = clock.monotonic();
  }

  /** Takes the store's time from an answer; its question was sent at `askedAtMs`, on the monotonic clock. */
  observe(nowMs: number, askedAtMs: number): void {
    this.#nowMs = nowMs;
    this.#observedAtMs = this.#clock.monotonic();
    this.#roundTripMs = this.#observedAtMs - askedAtMs;
  }

  /** Never later than the store's own: for records. */
  nowMs(): number {
    return Math.floor(this.#nowMs + this.#clock.monotonic() - this.#observedAtMs);
  }

  /** For spans: nobody sets this clock. */
  monotonicMs(): number {
    return this.#clock.monotonic();
  }

  /** Never earlier than the store's own: for deadlines. */
  latestMs(): number {
    return Math.ceil(
      this.#nowMs + this.#clock.monotonic() - this.#observedAtMs + this.#roundTripMs,
    );
  }
}
