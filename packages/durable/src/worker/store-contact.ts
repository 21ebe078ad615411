import {
  type Clock,
  drawDelayMs,
  isRedriveError,
  jitterRange,
  nominalDelayMs,
  sessionRandom,
  type Timer,
} from '@redrive/core';
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

/** One row that cannot be read fails the same question again and again: it is told so often at most. */
const TELL_EVERY_MS = 60_000;

/** A question that only reads, or which part of the worker wanted to write something. */
export type Question =
  | 'read'
  | 'policies'
  | 'claims'
  | 'rescue'
  | 'release'
  | 'operations'
  | 'retention';

/**
 * The way to the store: after a failure nobody asks it again before the wait is over. A store whose disk is full answers
 * questions and refuses writes: it is back when a write of a part that failed succeeds. Where only reads have failed, any
 * answer shows that it is back.
 */
export class StoreContact {
  readonly #clock: Clock;
  readonly #worker: string;
  readonly #notify: (notice: Notice) => void;
  readonly #onOpen: () => void;
  #failures = 0;
  /** What has failed since it was there. */
  readonly #failed = new Set<Question>();
  #downSinceMs = 0;
  #toldAtMs = -Infinity;
  #timer: Timer | undefined;
  #closed = false;
  /** It failed after the end: nobody will ask again. */
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
   * Asks the store. `undefined`: it did not answer, which has been told. Calls `question` before it returns. For who asks
   * again at once: any failure closes the contact for a while, because it would be asked for ever without a pause.
   */
  ask<T>(what: Question, question: () => Promise<T>): Promise<T | undefined> {
    return this.#try(what, question, (error) => this.#fail(what, error));
  }

  /** The same for who asks by a timer of its own: here only a store that is away holds up the others. */
  askByTimer<T>(what: Question, question: () => Promise<T>): Promise<T | undefined> {
    return this.#try(what, question, (error) => {
      if (isAway(error)) this.#fail(what, error);
      else this.refused(error);
    });
  }

  /** What the store has cannot be worked with. */
  refused(error: unknown): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
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
    // There is no timer any more to wait with; without a wait, who asks again at once would do so for ever.
    if (this.#closed) this.#isOver = true;
    // Of two questions under way, the second failure is no new one.
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

/** Missing rights may be given back while the worker waits, like a server that is started again. */
function isAway(error: unknown): boolean {
  return isRedriveError(error, 'store_unavailable') || isRedriveError(error, 'store_forbidden');
}
