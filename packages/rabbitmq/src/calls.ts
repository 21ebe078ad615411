import { definePolicy, isRedriveError, type Policy, RedriveError } from '@redrive/core';
import { amqpErrors } from '@redrive/core/classify/amqp';
import { nodeErrors } from '@redrive/core/classify/node';
import { RetryManager } from '@redrive/core/manager';

/** The category of every call to RabbitMQ. */
const CATEGORY = 'API_REQUEST';
/** The classifiers of every call: AMQP first, then the network beneath it. */
const CLASSIFIERS = [amqpErrors, nodeErrors];

/** Runs calls to one server under the category's policy, and makes their errors those of the port. */
export class Calls {
  readonly #bus: string;
  readonly #manager: RetryManager;
  readonly #policies = new Map<string, Policy>();

  constructor(bus: string, manager = new RetryManager()) {
    this.#bus = bus;
    this.#manager = manager;
  }

  /**
   * @param limitMs ends the call with all its attempts.
   * @param attemptMs ends one attempt.
   * @throws RedriveError `bus_unavailable` or `bus_refused`.
   */
  async run<T>(
    operation: string,
    limitMs: number,
    call: (signal: AbortSignal) => Promise<T>,
    attemptMs = limitMs,
  ): Promise<T> {
    const policy = this.#policy(limitMs, attemptMs);
    try {
      return await this.#manager.executeWithRetry(CATEGORY, operation, (c) => call(c.signal), {
        policy,
      });
    } catch (error) {
      throw this.asBusError(operation, error);
    }
  }

  /** Made once: a policy that is checked anew for each message costs more than the message. */
  #policy(limitMs: number, attemptMs: number): Policy {
    const key = `${limitMs} ${attemptMs}`;
    const known = this.#policies.get(key);
    if (known !== undefined) return known;
    const policy = definePolicy({
      ...this.#manager.getPolicy(CATEGORY),
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

function classOf(error: unknown): string | undefined {
  for (const classifier of CLASSIFIERS) {
    const found = classifier(error, { attempt: 1, nowMs: 0 });
    if (found !== undefined) return found.errorClass;
  }
  return undefined;
}

export function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

/** The reply code with which the server closed a channel. */
export function replyCodeOf(error: unknown): unknown {
  const { code }: { code?: unknown } = Object(error);
  return code;
}
