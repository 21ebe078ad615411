import type { Clock, Timer } from '@redrive/core';
import type { WriteBreaker } from './breaker-writes.ts';
import {
  type BreakerError,
  type BreakerReport,
  closedBreaker,
  countReport,
  type SharedBreaker,
} from './rules/shared-breaker.ts';

/** Outcomes are reported in batches, at most this long after the first one. */
const REPORT_WITHIN_MS = 50;
/** Time until the next try after a failed write. */
const RETRY_MS = 1_000;

export type BreakerSettings = Pick<SharedBreaker, 'threshold' | 'timeoutMs'>;

/** Outcomes of this process at one dependency that are not yet in the store. */
export class UnreportedOutcomes {
  readonly #clock: Clock;
  readonly #write: WriteBreaker;
  readonly #settings: () => BreakerSettings;
  /** Called when every outcome is in the store: the view then shows all of them. */
  readonly #onReported: () => void;
  #report: BreakerReport | undefined;
  #timer: Timer | undefined;
  #isReporting = false;
  /** A report became due while another one was under way: it follows right after it. */
  #isDue = false;
  #reporting: Promise<void> | undefined;
  #closed = false;

  constructor(
    clock: Clock,
    write: WriteBreaker,
    settings: () => BreakerSettings,
    onReported: () => void,
  ) {
    this.#clock = clock;
    this.#write = write;
    this.#settings = settings;
    this.#onReported = onReported;
  }

  /** Whether an outcome is not yet in the store, or its write is not yet confirmed. */
  get hasAny(): boolean {
    return this.#isReporting || this.#report !== undefined;
  }

  /** Counts one outcome and returns the failures in a row. A success is reported only if failures were counted before. */
  add(
    failed: boolean,
    document: SharedBreaker | undefined,
    error: BreakerError | undefined,
  ): number {
    const known = document?.failures ?? 0;
    const { failures, succeeded } = this.#report ?? { failures: 0, succeeded: false };
    const admittedByMs = document?.changedAtMs;
    const lastError = error ?? this.#report?.lastError;
    if (failed) this.#report = { failures: failures + 1, succeeded, admittedByMs, lastError };
    else if (known === 0) this.#report = undefined;
    else this.#report = { failures: 0, succeeded: true, admittedByMs };
    if (this.#report === undefined) return 0;
    this.#reportIn(REPORT_WITHIN_MS);
    return (this.#report.succeeded ? 0 : known) + this.#report.failures;
  }

  /** Forgets the outcomes since the last report: the breaker was reset. */
  drop(): void {
    this.#report = undefined;
  }

  /** Reports now. */
  report(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const report = this.#report;
    this.#isDue = this.#isReporting;
    if (this.#isReporting || report === undefined) return;
    this.#report = undefined;
    // Before the write: the view shows it, and is read, in the same turn.
    this.#isReporting = true;
    this.#reporting = this.#send(report).then((isWritten) => {
      this.#isReporting = false;
      if (!isWritten)
        this.#report = this.#report === undefined ? report : both(report, this.#report);
      // An outcome since then may have opened the breaker here: the view does not show that yet.
      if (this.#report === undefined) this.#onReported();
      else if (!isWritten) this.#reportIn(RETRY_MS);
      else if (this.#isDue) this.report();
    });
  }

  /** Resolves when every outcome is in the store, or cannot be written. */
  async reported(): Promise<void> {
    this.report();
    while (this.#isReporting) await this.#reporting;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #reportIn(delayMs: number): void {
    if (this.#closed) return;
    this.#timer ??= this.#clock.setTimer(delayMs, () => this.report());
  }

  async #send(report: BreakerReport): Promise<boolean> {
    try {
      await this.#write((current, nowMs, random) => {
        const settings = this.#settings();
        const before = { ...(current ?? closedBreaker(settings, nowMs)), ...settings };
        const after = countReport(before, report, nowMs, random);
        return after === before ? current : after;
      });
      return true;
    } catch {
      // The parts that cannot work without the store report that it is away.
      return false;
    }
  }
}

function both(earlier: BreakerReport, later: BreakerReport): BreakerReport {
  if (later.succeeded) return later;
  const lastError = later.lastError ?? earlier.lastError;
  return { ...earlier, failures: earlier.failures + later.failures, lastError };
}
