import {
  type Classifier,
  definePolicy,
  isRedriveError,
  type Policy,
  RedriveError,
  systemClock,
} from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { BUS_TIMEOUTS } from '../event/bus.ts';

/** Runs an adapter's calls to one broker under the policies of their categories, and makes their errors those of the port. */
export class BusCalls {
  readonly #bus: string;
  readonly #classifiers: readonly Classifier[];
  readonly #manager: RetryManager;
  readonly #policies = new Map<string, Policy>();

  /** @param classifiers of every call: the broker's table first, then that of the network beneath it. */
  constructor(bus: string, classifiers: readonly Classifier[], manager = new RetryManager()) {
    this.#bus = bus;
    this.#classifiers = classifiers;
    this.#manager = manager;
  }

  /**
   * @param category `NATS_CONNECT`, `API_REQUEST`, …: its policy is the manager's.
   * @param limitMs ends the call with all its attempts.
   * @param attemptMs ends one attempt.
   * @throws RedriveError `bus_unavailable` or `bus_refused`.
   */
  async run<T>(
    category: string,
    operation: string,
    limitMs: number,
    call: (signal: AbortSignal) => Promise<T>,
    attemptMs = limitMs,
  ): Promise<T> {
    const policy = this.#policy(category, limitMs, attemptMs);
    try {
      return await this.#manager.executeWithRetry(category, operation, (c) => call(c.signal), {
        policy,
      });
    } catch (error) {
      throw this.asBusError(operation, error);
    }
  }

  /** Made once: a policy that is checked anew for each message costs more than the message. */
  #policy(category: string, limitMs: number, attemptMs: number): Policy {
    const key = `${category} ${limitMs} ${attemptMs}`;
    const known = this.#policies.get(key);
    if (known !== undefined) return known;
    const policy = definePolicy({
      ...this.#manager.getPolicy(category),
      ttlMs: limitMs,
      attemptTimeoutMs: attemptMs,
      classify: this.#classifiers,
    });
    this.#policies.set(key, policy);
    return policy;
  }

  asBusError(operation: string, error: unknown): RedriveError {
    // The session gave up on an error of the broker: that one says more than the number of attempts.
    const cause = isRedriveError(error, 'retry_gave_up') ? (error.cause ?? error) : error;
    if (isRedriveError(cause, 'bus_refused') || isRedriveError(cause, 'bus_unavailable')) {
      return cause;
    }
    const code = this.isFinal(cause) ? 'bus_refused' : 'bus_unavailable';
    const text = `${operation} failed on ${this.#bus}: ${textOf(cause)}`;
    return new RedriveError(code, text, { bus: this.#bus }, { cause });
  }

  /** Whether the tables alone call an error final. */
  isFinal(error: unknown): boolean {
    for (const classifier of this.#classifiers) {
      const found = classifier(error, { attempt: 1, nowMs: 0 });
      if (found !== undefined) return found.errorClass === 'final';
    }
    return false;
  }
}

export function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

/** Resolves when the promise settles, or after 2 s: the client of a lost connection may never answer. */
export function settledSoon(promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemClock.setTimer(BUS_TIMEOUTS.fetchMs, resolve);
    const settle = () => {
      timer.cancel();
      resolve();
    };
    promise.then(settle, settle);
  });
}
