import { definePolicy, isRedriveError, type Policy, RedriveError } from '@redrive/core';
import { natsErrors } from '@redrive/core/classify/nats';
import { nodeErrors } from '@redrive/core/classify/node';
import { RetryManager } from '@redrive/core/manager';

/** The classifiers of every call: NATS first, then the network beneath it. */
export const CLASSIFIERS = [natsErrors, nodeErrors];

/** Runs calls to one server under the policy of their category, and makes their errors those of the port. */
export class Calls {
  readonly #bus: string;
  readonly #manager: RetryManager;
  readonly #policies = new Map<string, Policy>();

  constructor(bus: string, manager = new RetryManager()) {
    this.#bus = bus;
    this.#manager = manager;
  }

  /**
   * @param category `NATS_CONNECT`, `KV_GET`, …: its policy is the manager's.
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
      classify: CLASSIFIERS,
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
    const code = classOf(cause) === 'final' ? 'bus_refused' : 'bus_unavailable';
    const text = `${operation} failed on ${this.#bus}: ${textOf(cause)}`;
    return new RedriveError(code, text, { bus: this.#bus }, { cause });
  }
}

/** The error's class by the tables alone. */
export function classOf(error: unknown): string | undefined {
  for (const classifier of CLASSIFIERS) {
    const found = classifier(error, { attempt: 1, nowMs: 0 });
    if (found !== undefined) return found.errorClass;
  }
  return undefined;
}

export function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
