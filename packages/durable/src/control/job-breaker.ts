import {
  type Breaker,
  type BreakerPermit,
  type BreakerRefusal,
  type BreakerStateName,
  type Classification,
  type Clock,
  REFUSED,
  type SanitisedError,
} from '@redrive/core';
import {
  type BreakerError,
  causes,
  forcedAt,
  isDependencyFailure,
  MAX_BREAKER_ERROR,
  nextProbeAtMs,
  PARKED_AT_MOST_MS,
  type ParkedCause,
  PROBE_BEGINS_WITHIN_MS,
  type SharedBreaker,
} from '@redrive/core/control';
import type { StoreTime } from '../worker/store-time.ts';
import { breakerWrites } from './breaker-writes.ts';
import type { ControlView } from './control-view.ts';
import { ProbePlace } from './probe-place.ts';
import { type BreakerSettings, UntoldEnds } from './untold-ends.ts';

export interface JobBreakerParts {
  readonly view: Pick<ControlView, 'get' | 'update'>;
  readonly clock: Clock;
  readonly time: StoreTime;
  /** Who writes. */
  readonly worker: string;
  /** It is another state than before, as far as this process knows. */
  readonly onChanged: (change: BreakerChange) => void;
}

export interface BreakerChange {
  readonly key: string;
  readonly from: BreakerStateName;
  readonly to: BreakerStateName;
  readonly failureCount: number;
}

/**
 * The shared breaker of one dependency, as the jobs of this process meet it. The document in the store is the truth;
 * what ends here is counted and told in batches, and nothing is told while all goes well. The process that reaches the
 * threshold does not wait for the store: for its own jobs it is open at once.
 *
 * While it is open, `admit` refuses. Whoever would be the probe asks with `askProbe`, which takes a compare-and-set.
 */
export class JobBreaker implements Breaker {
  /** Those of the last policy that asked: a reload takes effect. */
  settings: BreakerSettings;
  readonly #key: string;
  readonly #parts: JobBreakerParts;
  readonly #ends: UntoldEnds;
  readonly #probe: ProbePlace;
  #document: SharedBreaker | undefined;
  /** The threshold was reached here, and the store does not know it yet. */
  #isOpened = false;
  #state: BreakerStateName = 'closed';
  /** The last permit given out. */
  #serial = 1;
  /** What calls hold that were let through while it was closed; another one for each such time. */
  #permit: BreakerPermit = 1;

  constructor(key: string, settings: BreakerSettings, parts: JobBreakerParts) {
    const { view, clock, worker } = parts;
    this.#key = key;
    this.settings = settings;
    this.#parts = parts;
    const write = breakerWrites(view, key, worker);
    const current = () => this.settings;
    this.#probe = new ProbePlace(clock, write, current);
    this.#ends = new UntoldEnds(clock, write, current, () => {
      this.#isOpened = false;
      this.look();
    });
    this.look();
  }

  admit(): BreakerPermit | BreakerRefusal {
    return this.#isClosed() ? this.#permit : REFUSED;
  }

  /** While it is open nobody knows for how long: what waits for it is released by whoever sees it closed. */
  openForMs(): number {
    return this.#isClosed() ? 0 : PARKED_AT_MOST_MS;
  }

  /**
   * Whether it is worth asking for the probe's place. One at a time does. A parked job whose turn it is comes first: a job
   * that was never parked is the probe only where none of them has begun in time, as while an operator holds them.
   */
  isProbeDue(wasParked: boolean): boolean {
    const document = this.#document;
    if (this.#probe.isAsked || this.#isOpened || document === undefined) return false;
    const nowMs = this.#parts.time.nowMs();
    return nextProbeAtMs(document, nowMs) + (wasParked ? 0 : PROBE_BEGINS_WITHIN_MS) <= nowMs;
  }

  /** Whether it is the permit of the probe under way. */
  isProbe(permit: BreakerPermit): boolean {
    return this.#probe.has(permit);
  }

  /** A job that may have been let go to be the probe cannot be it: if one is due, the next job is let go at once. */
  passOver(): void {
    if (!this.isProbeDue(true)) return;
    const key = causes.breaker(this.#key);
    this.#parts.view.update({ of: 'park', key, next: withoutProbe }).catch(() => {
      // It is let go a little later.
    });
  }

  /** Takes the place of the one probe, if nobody else does. */
  async askProbe(): Promise<BreakerPermit | BreakerRefusal> {
    this.#serial += 1;
    const permit = this.#serial;
    return (await this.#probe.ask(permit)) ? permit : REFUSED;
  }

  /** @param error of the failure: operators see the last one. It holds no secrets. */
  record(
    permit: BreakerPermit,
    failure: Classification | undefined,
    error?: SanitisedError | undefined,
  ): void {
    const errorClass = failure?.errorClass;
    const failed = isDependencyFailure(errorClass);
    if (this.isProbe(permit)) {
      if (errorClass === 'ignored') this.#probe.end('nothing');
      else this.#probe.end(failed ? 'failed' : 'succeeded', shortError(error));
    } else if (permit === this.#permit && errorClass !== 'ignored') {
      this.#count(failed, error);
    }
  }

  /** The view may show something else. */
  look(): void {
    const before = this.#document;
    const document = this.#parts.view.get('breaker', this.#key)?.document;
    this.#document = document;
    if (before !== document && !isSameClosedTime(before, document)) this.#endPeriod();
    // Somebody else was faster to tell, and what was counted here means nothing any more. A write under way may yet fail.
    if (!this.#ends.hasAny) this.#isOpened = false;
    this.#show();
  }

  /** Resolves when all that has ended is written, or cannot be. */
  async written(): Promise<void> {
    await this.#ends.told();
    await this.#probe.ended();
  }

  close(): void {
    this.#ends.close();
    this.#probe.close();
  }

  #isClosed(): boolean {
    const document = this.#document;
    // The way of nearly every call: no clock.
    if (document?.forced === undefined)
      return !this.#isOpened && (document === undefined || document.state === 'closed');
    return this.#stateNow() === 'closed';
  }

  /** An operator's word, what was found out here, or what the store has. */
  #stateNow(): BreakerStateName {
    const document = this.#document;
    const forced = document && forcedAt(document, this.#parts.time.nowMs());
    if (forced !== undefined) return forced.state;
    const stored = document?.state ?? 'closed';
    return this.#isOpened && stored === 'closed' ? 'open' : stored;
  }

  #count(failed: boolean, error: SanitisedError | undefined): void {
    const inARow = this.#ends.add(failed, this.#document, shortError(error));
    if (!failed || inARow < this.settings.threshold) return;
    this.#isOpened = true;
    this.#ends.tell();
    this.#show();
  }

  /** What was let through until now counts no more. */
  #endPeriod(): void {
    this.#serial += 1;
    this.#permit = this.#serial;
    this.#ends.drop();
  }

  #show(): void {
    const from = this.#state;
    this.#state = this.#stateNow();
    if (from === this.#state) return;
    const { failures: failureCount = 0 } = this.#document ?? {};
    this.#parts.onChanged({ key: this.#key, from, to: this.#state, failureCount });
  }
}

function shortError(error: SanitisedError | undefined): BreakerError | undefined {
  if (error === undefined) return undefined;
  const { type, message } = error;
  return { type, message: message.slice(0, MAX_BREAKER_ERROR).toWellFormed() };
}

function withoutProbe(park: ParkedCause | undefined): ParkedCause | undefined {
  if (park?.probeAtMs === undefined) return undefined;
  const { probeAtMs: _, ...rest } = park;
  return rest;
}

/** Whether what was let through then may be counted now. */
function isSameClosedTime(
  before: SharedBreaker | undefined,
  after: SharedBreaker | undefined,
): boolean {
  if (after?.state !== 'closed') return false;
  return before === undefined || before.changedAtMs === after.changedAtMs;
}
