import type { Clock, Timer } from '@redrive/core';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { StoreContact, StoreTime } from '../worker/store-contact.ts';
import type { ControlView } from './control-view.ts';
import type { AllOutcomes } from './dependency-outcomes.ts';
import { dependencyOf, isLeftToTime, reasonOf, stoppedJobs } from './parked-cause.ts';
import { PARKED_AT_MOST_MS, type ParkedCause } from './rules/documents.ts';
import { planRelease, type ReleasePlan } from './rules/plan-release.ts';

/** Least time between two releases of one cause by this process. */
const TURN_MS = 100;
/** Least time between two searches for jobs that are yet to be parked under a cause. */
const MORE_TO_COME_MS = 10_000;
/** Least wait while the store is away, or the view is not current. */
const AGAIN_MS = 250;
/** Wait after a failed release. */
const FAILED_MS = 5_000;

export interface ReleaserParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly contact: StoreContact;
  readonly view: Pick<ControlView, 'get' | 'of' | 'update' | 'onChange' | 'mayClaim'>;
  readonly actor: Actor;
  /** Least time between two searches for causes that this process does not know. */
  readonly sweepMs: number;
  readonly outcomes: AllOutcomes;
  /** Whether this process has no room for more jobs. */
  readonly isFull: () => boolean;
}

interface MoreToCome {
  /** The bound of the release that was asked about. */
  readonly submittedBeforeMs: number;
  readonly askedAtMs: number;
  readonly isMore: boolean;
}

/**
 * Releases parked jobs, cause by cause: one job when a probe is due, and all of them, at the pace that the processes
 * share, when the cause is gone. `planRelease` decides; the process that writes the cause's document first carries it
 * out. All state is stored, so any process can continue where another one was killed.
 */
export class Releaser {
  readonly #parts: ReleaserParts;
  /** How many are parked under each cause, as last counted. */
  #counts = new Map<string, number>();
  /** Next turn of each cause, on the monotonic clock. */
  readonly #turnAtMs = new Map<string, number>();
  /** Last turn of each cause in this process. */
  readonly #turnedAtMs = new Map<string, number>();
  /** Last answer of `#hasMoreToCome`, by cause. */
  readonly #more = new Map<string, MoreToCome>();
  /** The view has changed, and the causes have not been checked since. */
  #isChanged = false;
  #lookAtMs = Infinity;
  #lookedAtMs = -Infinity;
  #timer: Timer | undefined;
  #busy = false;
  #stopWatching: (() => void) | undefined;
  #closed = false;

  constructor(parts: ReleaserParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopWatching = this.#parts.view.onChange(() => this.#changed());
  }

  /** A job was parked here. */
  parked(cause: string | undefined): void {
    if (cause === undefined || isLeftToTime(cause)) return;
    const count = this.#counts.get(cause) ?? 0;
    this.#counts.set(cause, count + 1);
    if (count > 0) return;
    this.#turnSoon(cause);
    this.#arm();
  }

  /** The store's pulse: jobs may be parked that this process does not know. */
  mayBeParked(): void {
    this.#lookAtMs = Math.min(this.#lookAtMs, this.#lookedAtMs + this.#parts.sweepMs);
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#stopWatching?.();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Many changes at once cause one check: there can be many causes. */
  #changed(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#arm();
  }

  #causes(): ReadonlySet<string> {
    return new Set([...this.#counts.keys(), ...this.#parts.view.of('park').keys()]);
  }

  #turnSoon(cause: string): void {
    const atMs = (this.#turnedAtMs.get(cause) ?? -Infinity) + TURN_MS;
    this.#turnAtMs.set(cause, Math.min(atMs, this.#turnAtMs.get(cause) ?? Infinity));
  }

  #arm(): void {
    if (this.#closed || this.#busy) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    const { clock, contact, view } = this.#parts;
    const wakeAtMs = this.#isChanged ? -Infinity : this.#nextAtMs;
    if (wakeAtMs === Infinity) return;
    const leastMs = contact.isOpen && view.mayClaim ? 0 : AGAIN_MS;
    const delayMs = Math.max(leastMs, wakeAtMs - clock.monotonic());
    this.#timer = clock.setTimer(delayMs, () => void this.#wake());
  }

  get #nextAtMs(): number {
    let nextAtMs = this.#lookAtMs;
    for (const atMs of this.#turnAtMs.values()) nextAtMs = Math.min(nextAtMs, atMs);
    return nextAtMs;
  }

  async #wake(): Promise<void> {
    const { clock, contact, view } = this.#parts;
    this.#busy = true;
    if (this.#isChanged) {
      this.#isChanged = false;
      for (const cause of this.#causes()) this.#turnSoon(cause);
    }
    if (this.#lookAtMs <= clock.monotonic()) await this.#look();
    for (const [cause, atMs] of this.#turnAtMs) {
      if (!contact.isOpen || !view.mayClaim || this.#closed) break;
      if (atMs <= clock.monotonic()) await this.#tryTurn(cause);
    }
    this.#busy = false;
    this.#arm();
  }

  /** A failure under one cause does not hold up the others. */
  async #tryTurn(cause: string): Promise<void> {
    try {
      await this.#turn(cause);
    } catch (error) {
      this.#parts.contact.refused(error);
      this.#turnAtMs.set(cause, this.#parts.clock.monotonic() + FAILED_MS);
    }
  }

  /** Counts parked jobs. */
  async #look(): Promise<void> {
    const { store, clock, contact } = this.#parts;
    if (!contact.isOpen) return;
    this.#lookAtMs = Infinity;
    this.#lookedAtMs = clock.monotonic();
    const parks = await contact.askByTimer('read', () => store.parks());
    if (parks === undefined) return;
    const known = parks.filter(({ cause }) => !isLeftToTime(cause));
    this.#counts = new Map(known.map(({ cause, count }) => [cause, count]));
    const causes = this.#causes();
    for (const cause of causes) if (!this.#turnAtMs.has(cause)) this.#turnAtMs.set(cause, 0);
    for (const cause of this.#turnAtMs.keys()) if (!causes.has(cause)) this.#forget(cause);
  }

  #forget(cause: string): void {
    this.#turnAtMs.delete(cause);
    this.#turnedAtMs.delete(cause);
    this.#more.delete(cause);
  }

  /** Plans and carries out the next step of one cause. */
  async #turn(cause: string): Promise<void> {
    const { clock } = this.#parts;
    this.#turnedAtMs.set(cause, clock.monotonic());
    this.#turnAtMs.set(cause, Infinity);
    let plan = await this.#plan(cause);
    if (plan.kind === 'forget') {
      // An old count must not decide that nothing is left.
      await this.#look();
      plan = await this.#plan(cause);
    }
    if (plan.kind !== 'wait') await this.#carryOut(cause);
    const waitMs = Math.max(1, plan.kind === 'wait' ? plan.forMs : TURN_MS);
    const beforeMs = this.#turnAtMs.get(cause);
    if (beforeMs === undefined) return;
    this.#turnAtMs.set(cause, Math.min(beforeMs, clock.monotonic() + waitMs));
  }

  async #plan(cause: string): Promise<ReleasePlan> {
    const { view, time } = this.#parts;
    const park = view.get('park', cause)?.document;
    if (await this.#hasMoreToCome(cause, park)) return { kind: 'wait', forMs: MORE_TO_COME_MS };
    return this.#planFor(cause, park, time.nowMs());
  }

  /**
   * After a kill switch was released at a pace: jobs that it had stopped and that were not claimed since. Some of them may
   * never be claimed, such as those of a paused queue: they are waited for no longer than parked ones.
   */
  async #hasMoreToCome(cause: string, park: ParkedCause | undefined): Promise<boolean> {
    const { store, contact, clock, time } = this.#parts;
    const { submittedBeforeMs } = park ?? {};
    if (submittedBeforeMs === undefined || this.#counts.has(cause)) return false;
    if (time.nowMs() - submittedBeforeMs > PARKED_AT_MOST_MS) return false;
    const known = this.#more.get(cause);
    const askedAtMs = clock.monotonic();
    const isKnown = known?.submittedBeforeMs === submittedBeforeMs;
    if (isKnown && askedAtMs - known.askedAtMs < MORE_TO_COME_MS) return known.isMore;
    const filter = { states: ['ready'], submittedBeforeMs, ...stoppedJobs(cause) } as const;
    let isMore = false;
    let after: string | undefined;
    do {
      const request = { limit: 1, after };
      const page = await contact.askByTimer('read', () => store.jobs(filter, request));
      if (page === undefined) return true;
      isMore = page.jobs.length > 0;
      after = page.next;
    } while (!isMore && after !== undefined);
    this.#more.set(cause, { submittedBeforeMs, askedAtMs, isMore });
    return isMore;
  }

  #planFor(cause: string, park: ParkedCause | undefined, nowMs: number): ReleasePlan {
    const { view, outcomes, isFull } = this.#parts;
    const count = this.#counts.get(cause) ?? 0;
    return planRelease(
      {
        ...reasonOf(cause, view, nowMs),
        park,
        // A full process releases one job at a time: more would only stand in the way, and none would look forgotten.
        parked: isFull() ? Math.min(1, count) : count,
        feedback: outcomes.of(dependencyOf(cause)).feedback,
      },
      nowMs,
    );
  }

  /** By compare-and-set: one of several processes does it. */
  async #carryOut(cause: string): Promise<void> {
    const { view, contact, outcomes } = this.#parts;
    const decided: { plan?: ReleasePlan } = {};
    const update = await contact.askByTimer('release', () =>
      view.update({
        of: 'park',
        key: cause,
        next: (park, nowMs) => {
          const plan = this.#planFor(cause, park, nowMs);
          decided.plan = plan;
          if (plan.kind === 'wait') return undefined;
          return plan.kind === 'forget' ? null : plan.park;
        },
      }),
    );
    const { plan } = decided;
    if (!update?.changed || plan === undefined) return;
    if (plan.kind === 'probe') return this.#release(cause, 1, true);
    if (plan.kind !== 'release') return this.#forget(cause);
    outcomes.of(dependencyOf(cause)).reset();
    return this.#release(cause, plan.jobs);
  }

  async #release(cause: string, limit: number, inTurn = false): Promise<void> {
    const { store, contact, actor } = this.#parts;
    const results = await contact.askByTimer('release', () =>
      store.apply([{ kind: 'release', cause, limit, inTurn, actor }]),
    );
    if (results === undefined) return;
    const [{ released, more }] = results;
    const left = (this.#counts.get(cause) ?? 0) - released;
    if (more) this.#counts.set(cause, Math.max(1, left));
    else this.#counts.delete(cause);
  }
}
