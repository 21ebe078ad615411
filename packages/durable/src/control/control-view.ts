import { type Clock, nominalDelayMs, type Timer } from '@redrive/core';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';
import type { StoreTime } from '../worker/store-contact.ts';
import { ChangeListeners } from './change-listeners.ts';
import type { ControlKind, Controls } from './control-store.ts';
import { type SeenControl, SeenControls } from './seen-controls.ts';
import {
  type ControlUpdate,
  type ControlUpdated,
  controlCommand,
  updateControl,
} from './update-control.ts';

/** A confirmation of the store is valid this long. After that, nothing new starts. */
export const FRESH_MS = 1_000;
/** Interval of questions to the store while the view is needed; it grows while the store does not answer. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 200,
  maxDelayMs: 1_000,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;
const DOUBT_EVERY_MS = 1_000;
/** Least time between two questions, however many changes are notified. */
const GAP_MS = 10;
/** A timer that fires later than this shows that the process stood still: it was frozen, or got no processor. */
const STOOD_STILL_MS = 100;
/** Such a process asks again for so long before it reports that it has no answer. */
const AFTER_STANDING_STILL_MS = 500;

export interface ControlViewParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly notify: (notice: Notice) => void;
  /** Whether the worker holds jobs, or is about to. */
  readonly isNeeded: () => boolean;
  /** Called when the view is confirmed again, or for the first time: waiting jobs may start. */
  readonly onFresh: () => void;
}

/**
 * One worker's copy of the store's control documents. The store's watch notifies it of changes. While the
 * worker holds jobs, it confirms several times a second that it has seen all of them, on a timer of its own and on the
 * path of heartbeats; an idle worker's pulse does it. Without a confirmation for a second it is not fresh, and nothing may
 * start: an operator may have stopped it in the meantime.
 *
 * Times in documents are the store's: compare them with `StoreTime`.
 */
export class ControlView {
  readonly #parts: ControlViewParts;
  readonly #seen = new SeenControls();
  readonly #listeners: ChangeListeners;
  /** The newest write of each document: the next one waits for it. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Time at which the last answered question was sent. All times here are on the monotonic clock. */
  #confirmedAtMs = -Infinity;
  #doubtedAtMs = -Infinity;
  /** Since when the store is asked all the time; `undefined`: the view is not needed. */
  #neededSinceMs: number | undefined;
  #askAtMs = Infinity;
  #askedAtMs = -Infinity;
  #asking = false;
  #failures = 0;
  #lastError: unknown;
  readonly #awaiting = new Set<(isConfirmed: boolean) => void>();
  #lossReported = false;
  /** The process stood still, perhaps with an answer that it had not read: no report before this time. */
  #patientUntilMs = -Infinity;
  #timer: Timer | undefined;
  #wakeAtMs = Infinity;
  #closed = false;

  constructor(parts: ControlViewParts) {
    this.#parts = parts;
    const { clock, notify } = parts;
    this.#listeners = new ChangeListeners(clock, (error) => notify({ kind: 'store_error', error }));
  }

  start(): void {
    this.need();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const answer of this.#awaiting) answer(false);
  }

  /** Whether the store has confirmed the view within the last second. `nowMs`: on the monotonic clock. */
  isFresh(nowMs: number = this.#parts.clock.monotonic()): boolean {
    return nowMs - this.#confirmedAtMs < FRESH_MS && this.#confirmedAtMs > this.#doubtedAtMs;
  }

  /** Whether the view is fresh, after another question to the store where it is not: at most a second later. */
  async confirmed(): Promise<boolean> {
    if (this.#closed || this.isFresh()) return !this.#closed;
    const { clock } = this.#parts;
    this.need();
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean): void => {
        timer.cancel();
        this.#awaiting.delete(answer);
        resolve(isConfirmed);
      };
      const timer = clock.setTimer(FRESH_MS, () => answer(false));
      this.#awaiting.add(answer);
    });
  }

  /** Claims check kill switches themselves. But a worker should not claim jobs that it could not start. */
  get mayClaim(): boolean {
    return (
      this.#seen.revision >= 0 && !this.#lossReported && this.#confirmedAtMs > this.#doubtedAtMs
    );
  }

  get<K extends ControlKind>(kind: K, key: string): SeenControl<K> | undefined {
    return this.#seen.of(kind).get(key);
  }

  /** All of one kind, by key. Ask again after a change. */
  of<K extends ControlKind>(kind: K): ReadonlyMap<string, SeenControl<K>> {
    return this.#seen.of(kind);
  }

  /** Calls back after every change of the view, in the same turn. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** A job is about to start, or runs: from now on the store is asked all the time, until none does. */
  need(): void {
    if (this.#neededSinceMs !== undefined) return;
    const nowMs = this.#parts.clock.monotonic();
    this.#neededSinceMs = nowMs;
    const isFresh = this.isFresh(nowMs);
    this.#askBy(isFresh ? this.#confirmedAtMs + POLL.baseDelayMs : this.#askedAtMs + GAP_MS);
  }

  /**
   * The store has notified a change: asks soon. `isStopped`: a stop may be over, and claims may bring its jobs already. The
   * view then asks before anything starts, or those jobs would be returned; but not at each of many changes, because
   * everything else has to wait for it.
   */
  changeNotified(isStopped = false): void {
    const nowMs = this.#parts.clock.monotonic();
    if (isStopped && nowMs - this.#doubtedAtMs >= DOUBT_EVERY_MS) this.doubt();
    else this.#askBy(this.#askedAtMs + GAP_MS);
  }

  /** Another part of the worker has read the revision; it asked at this time on the monotonic clock. */
  revisionRead(revision: number, askedAtMs: number): void {
    if (this.#mayConfirm && revision === this.#seen.revision) this.#confirmed(askedAtMs);
    else this.changeNotified();
  }

  /** The store knows something that the view does not show: not fresh until it was asked again. */
  doubt(): void {
    this.#doubtedAtMs = this.#parts.clock.monotonic();
    // A question in the same millisecond may have been sent before.
    this.#askBy(Math.max(this.#askedAtMs + GAP_MS, this.#doubtedAtMs + 1));
  }

  /**
   * Writes a document: based on its own copy first, and on a fresh one if another process was first. The view shows the new
   * document as soon as the write is sent. Writes of one document wait for each other.
   *
   * @throws RedriveError like `updateControl`; then the view shows the store's document.
   */
  update<K extends ControlKind>(update: ControlUpdate<K>): Promise<ControlUpdated<K>> {
    const name = `${update.of} ${update.key}`;
    const earlier = this.#writes.get(name);
    const written = earlier?.then(() => this.#write(update)) ?? this.#write(update);
    const over = written.then(
      () => {},
      () => {},
    );
    this.#writes.set(name, over);
    void over.then(() => {
      if (this.#writes.get(name) === over) this.#writes.delete(name);
    });
    return written;
  }

  async #write<K extends ControlKind>(update: ControlUpdate<K>): Promise<ControlUpdated<K>> {
    const { store, time } = this.#parts;
    const { of, key, next } = update;
    const { document: before, revision: expect = 0 } = this.get(of, key) ?? {};
    const after = next(before, time.nowMs());
    if (after === undefined) return { before, after: before, changed: false, revision: expect };
    try {
      this.#seen.expect(of, key, after);
      this.#changed();
      const [answer] = await store.apply([controlCommand(update, expect, before, after)]);
      const updated = answer.ok
        ? { before, after: after ?? undefined, changed: true, revision: answer.revision }
        : await updateControl(store, update);
      this.#seen.wrote(of, key, updated.revision, updated.after);
      return updated;
    } finally {
      this.#seen.forget(of, key);
      this.#changed();
      this.changeNotified();
    }
  }

  #askBy(atMs: number): void {
    this.#askAtMs = Math.min(this.#askAtMs, atMs);
    if (!this.#asking) this.#arm();
  }

  #wake(): void {
    const { clock } = this.#parts;
    this.#timer = undefined;
    const nowMs = clock.monotonic();
    this.#noticeStall(nowMs);
    this.#reportLoss(nowMs);
    if (!this.#asking && nowMs >= this.#askAtMs) void this.#ask(nowMs);
    this.#arm();
  }

  /** Once per loss, so that a process that stalls again and again still reports it. */
  #noticeStall(nowMs: number): void {
    if (nowMs - this.#wakeAtMs < STOOD_STILL_MS || this.#confirmedAtMs < this.#patientUntilMs)
      return;
    this.#patientUntilMs = nowMs + AFTER_STANDING_STILL_MS;
    this.#askAtMs = Math.min(this.#askAtMs, nowMs);
  }

  /** Until the next question, or until the answer to this one is too late. */
  #arm(): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    const { clock } = this.#parts;
    const nowMs = clock.monotonic();
    const wakeAtMs = Math.min(this.#asking ? Infinity : this.#askAtMs, this.#lostAtMs);
    this.#wakeAtMs = Math.max(wakeAtMs, nowMs);
    if (wakeAtMs === Infinity) return;
    this.#timer = clock.setTimer(this.#wakeAtMs - nowMs, () => this.#wake());
  }

  /** When the loss of the view is to be reported. */
  get #lostAtMs(): number {
    if (this.#lossReported || this.#neededSinceMs === undefined) return Infinity;
    const lostAtMs = Math.max(this.#confirmedAtMs, this.#neededSinceMs) + FRESH_MS;
    return Math.max(lostAtMs, this.#patientUntilMs);
  }

  async #ask(nowMs: number): Promise<void> {
    const { store, clock } = this.#parts;
    this.#asking = true;
    this.#askedAtMs = nowMs;
    this.#askAtMs = Infinity;
    try {
      if (this.#mayConfirm && (await store.controlRevision()) === this.#seen.revision) {
        this.#confirmed(nowMs);
      } else {
        const askedAtMs = clock.monotonic();
        const { highest } = this.#seen;
        this.#take(await store.controls(), askedAtMs, highest);
      }
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#lastError = error;
    }
    this.#asking = false;
    this.#noticeStall(clock.monotonic());
    // After a failed or late answer, it asks until it has one in time.
    if (this.isFresh() && !this.#parts.isNeeded()) this.#neededSinceMs = undefined;
    else this.#askAtMs = Math.min(this.#askAtMs, clock.monotonic() + this.#waitMs);
    this.#arm();
  }

  /** An answer that came too late to count was none, but the store answers. */
  get #waitMs(): number {
    const isLate = this.#failures === 0 && !this.isFresh();
    return isLate ? GAP_MS : nominalDelayMs(POLL, this.#failures + 1);
  }

  /** Whether the revision alone is enough. Not after a failed question: another server may have taken over. */
  get #mayConfirm(): boolean {
    return this.#seen.hasAll && this.#failures === 0;
  }

  #take(controls: Controls, askedAtMs: number, highest: number): void {
    if (this.#closed) return;
    this.#parts.time.observe(controls.nowMs, askedAtMs);
    const hasChanged = this.#seen.take(controls, { highest, isSuspect: this.#failures > 0 });
    this.#confirmed(askedAtMs);
    if (hasChanged) this.#changed();
  }

  #confirmed(askedAtMs: number): void {
    const { clock, notify, onFresh } = this.#parts;
    const nowMs = clock.monotonic();
    const wasFresh = this.isFresh(nowMs);
    const before = Math.max(this.#confirmedAtMs, this.#neededSinceMs ?? 0);
    this.#confirmedAtMs = Math.max(this.#confirmedAtMs, askedAtMs);
    if (wasFresh || this.#closed || !this.isFresh(nowMs)) return;
    if (this.#lossReported) {
      this.#lossReported = false;
      notify({ kind: 'controls_confirmed', afterMs: Math.round(nowMs - before) });
    }
    for (const answer of this.#awaiting) answer(true);
    onFresh();
  }

  #reportLoss(nowMs: number): void {
    if (nowMs < this.#lostAtMs) return;
    const forMs = nowMs - Math.max(this.#confirmedAtMs, this.#neededSinceMs ?? 0);
    this.#lossReported = true;
    const { notify } = this.#parts;
    notify({ kind: 'controls_unconfirmed', forMs: Math.round(forMs), error: this.#lastError });
  }

  #changed(): void {
    if (!this.#closed) this.#listeners.call();
  }
}
