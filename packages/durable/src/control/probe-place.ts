import type { BreakerPermit, Clock, Timer } from '@redrive/core';
import { REFUSED } from '@redrive/core/stored';
import type { WriteBreaker } from './breaker-writes.ts';
import {
  type BreakerError,
  endProbe,
  keepProbe,
  PROBE_TIMEOUT_MS,
  takeProbe,
} from './rules/shared-breaker.ts';
import type { BreakerSettings } from './unreported-outcomes.ts';

/** The process that runs a probe renews its place this often. */
const KEEP_EVERY_MS = PROBE_TIMEOUT_MS / 3;

/** The place of the one probe of a dependency, while this process has it. */
export class ProbePlace {
  readonly #clock: Clock;
  readonly #write: WriteBreaker;
  readonly #settings: () => BreakerSettings;
  #probe: number | undefined;
  #permit: BreakerPermit = REFUSED;
  #timer: Timer | undefined;
  #ending: Promise<void> | undefined;
  #closed = false;
  /** Whether this process is asking for it now. */
  isAsked = false;

  constructor(clock: Clock, write: WriteBreaker, settings: () => BreakerSettings) {
    this.#clock = clock;
    this.#write = write;
    this.#settings = settings;
  }

  has(permit: BreakerPermit): boolean {
    return this.#probe !== undefined && this.#permit === permit;
  }

  /** Takes the place if a probe is due and no other process was first. The holder ends it with the same `permit`. */
  async ask(permit: BreakerPermit): Promise<boolean> {
    this.isAsked = true;
    try {
      const { changed, after } = await this.#write((current, nowMs) => {
        const taken = current && takeProbe(current, nowMs);
        // A reloaded policy may set another interval.
        return taken ? { ...taken, ...this.#settings() } : current;
      });
      if (!changed || after?.probe === undefined) return false;
      this.#probe = after.probe;
      this.#permit = permit;
      // An earlier probe of this process has lost its place.
      this.#timer?.cancel();
      this.#keepOn(after.probe);
      return true;
    } catch {
      // If the write happened nevertheless, the place becomes free when its time is over.
      return false;
    } finally {
      this.isAsked = false;
    }
  }

  end(how: 'succeeded' | 'failed' | 'nothing', error?: BreakerError): void {
    const probe = this.#probe;
    if (probe === undefined) return;
    this.#probe = undefined;
    this.#timer?.cancel();
    this.#ending = this.#write(
      (current, nowMs, random) => current && endProbe(current, probe, how, nowMs, random, error),
    ).then(
      () => {},
      // The place becomes free when its time is over.
      () => {},
    );
  }

  /** Resolves when the probe's result is written, or cannot be. */
  async ended(): Promise<void> {
    await this.#ending;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #keepOn(probe: number): void {
    if (this.#closed) return;
    this.#timer = this.#clock.setTimer(KEEP_EVERY_MS, () => {
      this.#write((current, nowMs) => current && keepProbe(current, probe, nowMs)).catch(() => {});
      this.#keepOn(probe);
    });
  }
}
