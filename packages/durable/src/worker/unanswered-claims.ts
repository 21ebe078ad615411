import type { Clock, Timer } from '@redrive/core';
import type { Store } from '../store/store.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { StoreAnswers } from './store-answers.ts';

/** Looks per lease: a claim may be carried out some time after its caller has given up. */
const LOOKS_PER_LEASE = 3;
/** More leases than one worker has. */
const MAX_LEASES = 10_000;

export interface UnansweredClaimsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly worker: string;
  readonly leaseMs: number;
  readonly jobs: HeldJobs;
  readonly answers: StoreAnswers;
  readonly requests: LoopRequests;
}

/**
 * Claims that the store did not answer. It may have carried them out all the same: then this worker has leases that it
 * does not know of, and the rescue would charge an attempt that never started. So the worker looks for them as soon as
 * the store answers again, until all leases of that time have run out.
 */
export class UnansweredClaims {
  readonly #parts: UnansweredClaimsParts;
  #firstAtMs = Infinity;
  #lastAtMs = -Infinity;
  #timer: Timer | undefined;
  #closed = false;
  /** Whether it is time to look. Not while a claim is under way: its jobs are not known yet either. */
  isDue = false;
  /** The last look was not answered, or not yet. */
  #inVain = false;

  constructor(parts: UnansweredClaimsParts) {
    this.#parts = parts;
  }

  /** The worker stops. Where the store does not answer its last look either, the leases are left to run out. */
  lookOnceMore(): void {
    this.#inVain = false;
  }

  /** Whether this worker may have leases that it does not know of. */
  get isOpen(): boolean {
    return this.#firstAtMs !== Infinity;
  }

  /** Whether a stop has to wait for a look. */
  get isAwaited(): boolean {
    return this.isDue && !this.#inVain;
  }

  /** There was no answer to a claim. */
  add(askedAtMs: number): void {
    this.#firstAtMs = Math.min(this.#firstAtMs, askedAtMs);
    this.#lastAtMs = Math.max(this.#lastAtMs, askedAtMs);
    this.isDue = true;
  }

  /** Rejects when the store does not answer; then it is still due. */
  async look(): Promise<void> {
    const { store, worker, jobs, answers } = this.#parts;
    // Taken before the look: a job that is settled meanwhile was known.
    const known = new Set([...jobs.all].map(({ job }) => `${job.token} ${job.id}`));
    this.#inVain = true;
    const leases = await store.leasesOf(worker, MAX_LEASES);
    this.isDue = false;
    const unknown = leases.filter(({ id, token }) => !known.has(`${token} ${id}`));
    if (unknown.length > 0) answers.found(unknown, this.#firstAtMs);
    this.#lookAgain();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #lookAgain(): void {
    const { clock, leaseMs, requests } = this.#parts;
    if (clock.monotonic() >= this.#lastAtMs + leaseMs) {
      this.#firstAtMs = Infinity;
      return;
    }
    if (this.#closed) return;
    this.#timer ??= clock.setTimer(leaseMs / LOOKS_PER_LEASE, () => {
      this.#timer = undefined;
      this.isDue = true;
      requests.wake();
    });
  }
}
