import type { Clock, Timer } from '@redrive/core';
import {
  type BreakerError,
  type BreakerNews,
  closedBreaker,
  countNews,
  type SharedBreaker,
} from '@redrive/core/control';
import type { WriteBreaker } from './breaker-writes.ts';

/** What ended is told together, no later than this after the first of it. */
export const TELL_WITHIN_MS = 50;
/** After a write that failed. */
const AGAIN_MS = 1_000;

export type BreakerSettings = Pick<SharedBreaker, 'threshold' | 'timeoutMs'>;

/** What ended in this process at one dependency and the store does not know yet. */
export class UntoldEnds {
  readonly #clock: Clock;
  readonly #write: WriteBreaker;
  readonly #settings: () => BreakerSettings;
  /** Everything is told: what the view shows is all. */
  readonly #onTold: () => void;
  #news: BreakerNews | undefined;
  #timer: Timer | undefined;
  #isTelling = false;
  /** It was to be told while something else was: then it is, right after that. */
  #isDue = false;
  #telling: Promise<void> | undefined;
  #closed = false;

  constructor(
    clock: Clock,
    write: WriteBreaker,
    settings: () => BreakerSettings,
    onTold: () => void,
  ) {
    this.#clock = clock;
    this.#write = write;
    this.#settings = settings;
    this.#onTold = onTold;
  }

  /** Whether there is something that the store does not know, or has not yet answered. */
  get hasAny(): boolean {
    return this.#isTelling || this.#news !== undefined;
  }

  /** Counts one end, and answers how many failures in a row that makes. What is as good as nothing is not told. */
  add(
    failed: boolean,
    document: SharedBreaker | undefined,
    error: BreakerError | undefined,
  ): number {
    const known = document?.failures ?? 0;
    const { failures, succeeded } = this.#news ?? { failures: 0, succeeded: false };
    const admittedByMs = document?.changedAtMs;
    const lastError = error ?? this.#news?.lastError;
    if (failed) this.#news = { failures: failures + 1, succeeded, admittedByMs, lastError };
    else if (known === 0) this.#news = undefined;
    else this.#news = { failures: 0, succeeded: true, admittedByMs };
    if (this.#news === undefined) return 0;
    this.#tellIn(TELL_WITHIN_MS);
    return (this.#news.succeeded ? 0 : known) + this.#news.failures;
  }

  /** What has been counted since it was last told means nothing any more. */
  drop(): void {
    this.#news = undefined;
  }

  /** Now. */
  tell(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const news = this.#news;
    this.#isDue = this.#isTelling;
    if (this.#isTelling || news === undefined) return;
    this.#news = undefined;
    // Before it is sent: the view shows it, and is looked at, in the same turn.
    this.#isTelling = true;
    this.#telling = this.#send(news).then((isWritten) => {
      this.#isTelling = false;
      if (!isWritten) this.#news = this.#news === undefined ? news : both(news, this.#news);
      // What came meanwhile may have opened the breaker here: the view does not show that yet.
      if (this.#news === undefined) this.#onTold();
      else if (!isWritten) this.#tellIn(AGAIN_MS);
      else if (this.#isDue) this.tell();
    });
  }

  /** Resolves when all is told, or cannot be. */
  async told(): Promise<void> {
    this.tell();
    while (this.#isTelling) await this.#telling;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #tellIn(delayMs: number): void {
    if (this.#closed) return;
    this.#timer ??= this.#clock.setTimer(delayMs, () => this.tell());
  }

  async #send(news: BreakerNews): Promise<boolean> {
    try {
      await this.#write((current, nowMs, random) => {
        const settings = this.#settings();
        const before = { ...(current ?? closedBreaker(settings, nowMs)), ...settings };
        const after = countNews(before, news, nowMs, random);
        return after === before ? current : after;
      });
      return true;
    } catch {
      // That the store is away is told by those who cannot work without it.
      return false;
    }
  }
}

function both(earlier: BreakerNews, later: BreakerNews): BreakerNews {
  if (later.succeeded) return later;
  const lastError = later.lastError ?? earlier.lastError;
  return { ...earlier, failures: earlier.failures + later.failures, lastError };
}
