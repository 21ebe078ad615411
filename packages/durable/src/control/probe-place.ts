import { type BreakerPermit, type Clock, REFUSED, type Timer } from '@redrive/core';
import {
  type BreakerError,
  endProbe,
  keepProbe,
  PROBE_TIMEOUT_MS,
  takeProbe,
} from '@redrive/core/control';
import type { WriteBreaker } from './breaker-writes.ts';
import type { BreakerSettings } from './untold-ends.ts';

/** Whoever runs a probe keeps its place so often. */
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
  /** Whether it is being asked for. */
  isAsked = false;

  constructor(clock: Clock, write: WriteBreaker, settings: () => BreakerSettings) {
    this.#clock = clock;
    this.#write = write;
    this.#settings = settings;
  }

  has(permit: BreakerPermit): boolean {
    return this.#probe !== undefined && this.#permit === permit;
  }

  /** Takes it, if it is its time and nobody else was faster. `permit`: what its holder will end it with. */
  async ask(permit: BreakerPermit): Promise<boolean> {
    this.isAsked = true;
    try {
      const { changed, after } = await this.#write((current, nowMs) => {
        const taken = current && takeProbe(current, nowMs);
        // A policy that was reloaded says when the next one comes.
        return taken ? { ...taken, ...this.#settings() } : current;
      });
      if (!changed || after?.probe === undefined) return false;
      this.#probe = after.probe;
      this.#permit = permit;
      // The one before it has lost its place.
      this.#timer?.cancel();
      this.#keepOn(after.probe);
      return true;
    } catch {
      // If it was written all the same, the place is free again after its time.
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
      // Its place is free again after its time.
      () => {},
    );
  }

  /** Resolves when its end is written, or cannot be. */
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
