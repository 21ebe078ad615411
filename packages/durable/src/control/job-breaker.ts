import type {
  Breaker,
  BreakerPermit,
  BreakerRefusal,
  BreakerStateName,
  Classification,
  Clock,
} from '@redrive/core';
import { isDependencyFailure, REFUSED, type SanitisedError } from '@redrive/core/stored';
import type { StoreTime } from '../worker/store-contact.ts';
import { breakerWrites } from './breaker-writes.ts';
import type { ControlView } from './control-view.ts';
import { ProbePlace } from './probe-place.ts';
import { causes, PARKED_AT_MOST_MS, type ParkedCause } from './rules/documents.ts';
import { PROBE_BEGINS_WITHIN_MS } from './rules/plan-release.ts';
import {
  type BreakerError,
  forcedAt,
  MAX_BREAKER_ERROR,
  nextProbeAtMs,
  nextProbeInMs,
  type SharedBreaker,
} from './rules/shared-breaker.ts';
import { type BreakerSettings, UnreportedOutcomes } from './unreported-outcomes.ts';

export interface JobBreakerParts {
  readonly view: Pick<ControlView, 'get' | 'update'>;
  readonly clock: Clock;
  readonly time: StoreTime;
  /** The worker in whose name documents are written. */
  readonly worker: string;
  /** Called when the state changes, as far as this process knows. */
  readonly onChanged: (change: BreakerChange) => void;
}

export interface BreakerChange {
  readonly key: string;
  readonly from: BreakerStateName;
  readonly to: BreakerStateName;
  readonly failureCount: number;
  /** When the next probe may begin. Absent: there is none to come, or one is under way. */
  readonly nextProbeInMs?: number | undefined;
  /** The operator who forced the state. */
  readonly forcedBy?: string | undefined;
}

/**
 * The shared breaker of one dependency, as the jobs of this process meet it. The document in the store is the truth;
 * outcomes of this process are counted and reported in batches, and successes only after failures. The process that
 * reaches the threshold does not wait for the store: for its own jobs the breaker is open at once.
 *
 * While it is open, `admit` refuses. A job that could be the probe calls `askProbe`, which takes a compare-and-set.
 */
export class JobBreaker implements Breaker {
  /** The settings of the last policy that used it: a reload takes effect. */
  settings: BreakerSettings;
  readonly #key: string;
  readonly #parts: JobBreakerParts;
  readonly #outcomes: UnreportedOutcomes;
  readonly #probe: ProbePlace;
  #document: SharedBreaker | undefined;
  /** The threshold was reached here, and the store does not know it yet. */
  #isOpened = false;
  #state: BreakerStateName = 'closed';
  /** The last permit given out. */
  #serial = 1;
  /** The permit of calls that were admitted while it was closed; each closed period has its own. */
  #permit: BreakerPermit = 1;

  constructor(key: string, settings: BreakerSettings, parts: JobBreakerParts) {
    const { view, clock, worker } = parts;
    this.#key = key;
    this.settings = settings;
    this.#parts = parts;
    const write = breakerWrites(view, key, worker);
    const current = () => this.settings;
    this.#probe = new ProbePlace(clock, write, current);
    this.#outcomes = new UnreportedOutcomes(clock, write, current, () => {
      this.#isOpened = false;
      this.look();
    });
    this.look();
  }

  admit(): BreakerPermit | BreakerRefusal {
    return this.#isClosed() ? this.#permit : REFUSED;
  }

  /** An open breaker has no known end: the first worker that sees it closed releases the jobs that wait for it. */
  openForMs(): number {
    return this.#isClosed() ? 0 : PARKED_AT_MOST_MS;
  }

  /**
   * Whether a job should ask for the probe's place. One job at a time does. Parked jobs come first: a job that was never
   * parked is the probe only if no parked job has begun in time, as while an operator holds them.
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

  /** A job that may have been released as the probe cannot be it: if a probe is due, the next job is released at once. */
  passOver(): void {
    if (!this.isProbeDue(true)) return;
    const key = causes.breaker(this.#key);
    this.#parts.view.update({ of: 'park', key, next: withoutProbe }).catch(() => {
      // It is released a little later.
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

  /** Reads the view again: it may have changed. */
  look(): void {
    const before = this.#document;
    const document = this.#parts.view.get('breaker', this.#key)?.document;
    this.#document = document;
    if (before !== document && !isSameClosedTime(before, document)) this.#endPeriod();
    // Another process reported first, and the outcomes counted here no longer matter. A write under way may still fail.
    if (!this.#outcomes.hasAny) this.#isOpened = false;
    this.#show();
  }

  /** Resolves when every outcome is written, or cannot be. */
  async written(): Promise<void> {
    await this.#outcomes.reported();
    await this.#probe.ended();
  }

  close(): void {
    this.#outcomes.close();
    this.#probe.close();
  }

  #isClosed(): boolean {
    const document = this.#document;
    // Nearly every call takes this path: it reads no clock.
    if (document?.forced === undefined)
      return !this.#isOpened && (document === undefined || document.state === 'closed');
    return this.#stateNow() === 'closed';
  }

  /** Set by an operator, found out here, or stored, in this order. */
  #stateNow(): BreakerStateName {
    const document = this.#document;
    const forced = document && forcedAt(document, this.#parts.time.nowMs());
    if (forced !== undefined) return forced.state;
    const stored = document?.state ?? 'closed';
    return this.#isOpened && stored === 'closed' ? 'open' : stored;
  }

  #count(failed: boolean, error: SanitisedError | undefined): void {
    const inARow = this.#outcomes.add(failed, this.#document, shortError(error));
    if (!failed || inARow < this.settings.threshold) return;
    this.#isOpened = true;
    this.#outcomes.report();
    this.#show();
  }

  /** Outcomes of calls that were admitted before no longer count. */
  #endPeriod(): void {
    this.#serial += 1;
    this.#permit = this.#serial;
    this.#outcomes.drop();
  }

  #show(): void {
    const from = this.#state;
    this.#state = this.#stateNow();
    if (from === this.#state) return;
    const document = this.#document;
    const to = this.#state;
    this.#parts.onChanged({
      key: this.#key,
      from,
      to,
      failureCount: document?.failures ?? 0,
      nextProbeInMs: to === 'open' ? this.#nextProbeInMs() : undefined,
      forcedBy: document && forcedAt(document, this.#parts.time.nowMs())?.by,
    });
  }

  /** The process that opens it has not written when its probe begins: after the timeout, and a little later. */
  #nextProbeInMs(): number | undefined {
    const document = this.#document;
    if (this.#isOpened || document === undefined) return this.settings.timeoutMs;
    const inMs = nextProbeInMs(document, this.#parts.time.nowMs());
    return inMs === Infinity ? undefined : inMs;
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

/** Whether outcomes of calls admitted before still count. */
function isSameClosedTime(
  before: SharedBreaker | undefined,
  after: SharedBreaker | undefined,
): boolean {
  if (after?.state !== 'closed') return false;
  return before === undefined || before.changedAtMs === after.changedAtMs;
}
