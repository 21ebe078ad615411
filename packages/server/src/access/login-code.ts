import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@redrive/core';
import { sha256 } from './access-file.ts';
import { secret } from './secret.ts';

const GOOD_FOR_MS = 600_000;

/** A code that makes one session, within ten minutes. */
export class LoginCode {
  readonly code = secret();
  readonly #clock: Clock;
  readonly #untilMs: number;
  #isUsed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#untilMs = clock.monotonic() + GOOD_FOR_MS;
  }

  /** `true` once, for the right code. */
  use(given: string): boolean {
    const same = timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(this.code)));
    if (!same || this.#isUsed || this.#clock.monotonic() >= this.#untilMs) return false;
    this.#isUsed = true;
    return true;
  }

  /** After a use that made no session: the code can be used again. */
  giveBack(): void {
    this.#isUsed = false;
  }
}
