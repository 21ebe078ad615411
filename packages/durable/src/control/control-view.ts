import { type Clock, nominalDelayMs, type Timer } from '@redrive/core';
import type { FullStore } from '../store/full-store.ts';
import type { Pause } from '../store/store.ts';
import type { Notice } from '../worker/notice.ts';
import type { StoreTime } from '../worker/store-time.ts';
import { ChangeListeners } from './change-listeners.ts';
import type { ControlKind, Controls } from './control-store.ts';
import { type SeenControl, SeenControls } from './seen-controls.ts';
import {
  type ControlUpdate,
  type ControlUpdated,
  controlCommand,
  updateControl,
} from './update-control.ts';

/** What the store has confirmed holds for so long. After that, nothing new starts. */
export const FRESH_MS = 1_000;
/** While it is needed, the store is asked so often, and ever more rarely while it does not answer. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 200,
  maxDelayMs: 1_000,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;
const DOUBT_EVERY_MS = 1_000;
/** However often it is told of changes, it asks no sooner than this after it has last asked. */
const GAP_MS = 10;

export interface ControlViewParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly notify: (notice: Notice) => void;
  /** Whether the worker holds jobs, or is about to. */
  readonly isNeeded: () => boolean;
  /** It is confirmed again, or for the first time: what waited for that may start. */
  readonly onFresh: () => void;
}

/**
 * What one worker knows of the store's control documents and pauses. It is told of changes by the store's watch. While
 * the worker holds jobs, it confirms several times a second that it has heard of all, on a timer of its own and on the
 * path of heartbeats; an idle worker's pulse does it. Where it could not be confirmed for a second, nobody knows what has
 * been stopped meanwhile, so it is not fresh, and nothing may start.
 *
 * Times in documents are the store's: compare them with `StoreTime`.
 */
export class ControlView {
  readonly #parts: ControlViewParts;
  readonly #seen = new SeenControls();
  readonly #listeners: ChangeListeners;
  /** The last write under way of each document: the next one waits for it. */
  readonly #writes = new Map<string, Promise<void>>();
  /** When the question was sent that was last answered. All on the monotonic clock. */
  #confirmedAtMs = -Infinity;
  #doubtedAtMs = -Infinity;
  /** Since when it is asked all the time; `undefined`: nobody needs it. */
  #neededSinceMs: number | undefined;
  #askAtMs = Infinity;
  #askedAtMs = -Infinity;
  #asking = false;
  #failures = 0;
  #lastError: unknown;
  #toldLost = false;
  #timer: Timer | undefined;
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
  }

  /** Whether the store has confirmed within the last second that this is all. `nowMs`: on the monotonic clock. */
  isFresh(nowMs: number = this.#parts.clock.monotonic()): boolean {
    return nowMs - this.#confirmedAtMs < FRESH_MS && this.#confirmedAtMs > this.#doubtedAtMs;
  }

  /** Claims obey what is stopped by themselves. But there is no point in jobs that could not be started. */
  get mayClaim(): boolean {
    return this.#seen.revision >= 0 && !this.#toldLost && this.#confirmedAtMs > this.#doubtedAtMs;
  }

  get pauses(): readonly Pause[] {
    return this.#seen.pauses;
  }

  get<K extends ControlKind>(kind: K, key: string): SeenControl<K> | undefined {
    return this.#seen.of(kind).get(key);
  }

  /** All of one kind, by key. Ask again after a change. */
  of<K extends ControlKind>(kind: K): ReadonlyMap<string, SeenControl<K>> {
    return this.#seen.of(kind);
  }

  /** Calls back after every change of what it shows, in the same turn. Answers how to stop. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Something is about to start, or runs: from now on, and until nothing does, it is asked all the time. */
  need(): void {
    if (this.#neededSinceMs !== undefined) return;
    const nowMs = this.#parts.clock.monotonic();
    this.#neededSinceMs = nowMs;
    const isFresh = this.isFresh(nowMs);
    this.#askBy(isFresh ? this.#confirmedAtMs + POLL.baseDelayMs : this.#askedAtMs + GAP_MS);
  }

  /**
   * Something has changed: asks soon. `isStopped`: what was stopped may be so no longer, and claims may bring it already; it
   * looks first, or that would be given back. But not at each of many changes: everything else has to wait for it.
   */
  told(isStopped = false): void {
    const nowMs = this.#parts.clock.monotonic();
    if (isStopped && nowMs - this.#doubtedAtMs >= DOUBT_EVERY_MS) this.doubt();
    else this.#askBy(this.#askedAtMs + GAP_MS);
  }

  /** Somebody else has asked for the revision, at this time on the monotonic clock. */
  heard(revision: number, askedAtMs: number): void {
    if (this.#mayConfirm && revision === this.#seen.revision) this.#confirmed(askedAtMs);
    else this.told();
  }

  /** The store behaves as if it knew better: not fresh until it was asked again. */
  doubt(): void {
    this.#doubtedAtMs = this.#parts.clock.monotonic();
    // What was asked in the same moment may have been asked before.
    this.#askBy(Math.max(this.#askedAtMs + GAP_MS, this.#doubtedAtMs + 1));
  }

  /**
   * Writes a document: by its own copy first, and where somebody else was faster, by reading it anew. The view shows the
   * new document from the moment in which it is sent. Writes of one document wait for each other.
   *
   * @throws RedriveError like `updateControl`; then the view shows what the store has.
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
      this.told();
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
    this.#tellLost(nowMs);
    if (!this.#asking && nowMs >= this.#askAtMs) void this.#ask(nowMs);
    this.#arm();
  }

  /** Until the next question, or until the answer to this one is too late. */
  #arm(): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    const { clock } = this.#parts;
    const wakeAtMs = Math.min(this.#asking ? Infinity : this.#askAtMs, this.#lostAtMs);
    if (wakeAtMs === Infinity) return;
    const delayMs = Math.max(0, wakeAtMs - clock.monotonic());
    this.#timer = clock.setTimer(delayMs, () => this.#wake());
  }

  /** When it is to be told that it is lost. */
  get #lostAtMs(): number {
    if (this.#toldLost || this.#neededSinceMs === undefined) return Infinity;
    return Math.max(this.#confirmedAtMs, this.#neededSinceMs) + FRESH_MS;
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
    // What could not be seen, or was seen too late, is asked for until it is.
    if (this.isFresh() && !this.#parts.isNeeded()) this.#neededSinceMs = undefined;
    else this.#askAtMs = Math.min(this.#askAtMs, clock.monotonic() + this.#waitMs);
    this.#arm();
  }

  get #waitMs(): number {
    return nominalDelayMs(POLL, this.#failures + 1);
  }

  /** Whether a revision alone says enough. Not after a question that failed: who answers now may have taken over. */
  get #mayConfirm(): boolean {
    return this.#seen.hasAll && this.#failures === 0;
  }

  #take(controls: Controls, askedAtMs: number, highest: number): void {
    if (this.#closed) return;
    this.#parts.time.hear(controls.nowMs, askedAtMs);
    const isNews = this.#seen.take(controls, { highest, isSuspect: this.#failures > 0 });
    this.#confirmed(askedAtMs);
    if (isNews) this.#changed();
  }

  #confirmed(askedAtMs: number): void {
    const { clock, notify, onFresh } = this.#parts;
    const nowMs = clock.monotonic();
    const wasFresh = this.isFresh(nowMs);
    const before = Math.max(this.#confirmedAtMs, this.#neededSinceMs ?? 0);
    this.#confirmedAtMs = Math.max(this.#confirmedAtMs, askedAtMs);
    if (wasFresh || this.#closed || !this.isFresh(nowMs)) return;
    if (this.#toldLost) {
      this.#toldLost = false;
      notify({ kind: 'controls_confirmed', afterMs: Math.round(nowMs - before) });
    }
    onFresh();
  }

  #tellLost(nowMs: number): void {
    const forMs = nowMs - this.#lostAtMs + FRESH_MS;
    if (forMs < FRESH_MS) return;
    this.#toldLost = true;
    const { notify } = this.#parts;
    notify({ kind: 'controls_unconfirmed', forMs: Math.round(forMs), error: this.#lastError });
  }

  #changed(): void {
    if (!this.#closed) this.#listeners.call();
  }
}
