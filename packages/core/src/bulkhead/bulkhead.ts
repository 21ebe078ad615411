import { Alarm } from '../clock/alarm.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/rules.ts';

/** The port of a bulkhead: a limit of attempts that run at once. */
export interface Bulkhead {
  /** Takes a slot now if one is free and the queue is empty. */
  tryEnter(): boolean;
  /**
   * Waits in the queue for a slot. Rejects with `bulkhead_full` at once when the queue is full, and with the signal's
   * reason when it aborts; then no slot is held.
   */
  enter(signal: AbortSignal | undefined): Promise<void>;
  /** Releases a slot. Called when the work itself has ended, not when its caller stopped waiting for it. */
  leave(): void;
}

export interface BulkheadOptions {
  /** The number of calls that may run at once. */
  readonly limit: number;
  /** The number of calls that may wait for a slot. Default 0: a call without a slot is refused at once. */
  readonly queue?: number;
  /** The longest wait in the queue. Default: none. */
  readonly queueTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<BulkheadOptions> = {
  limit: [null, { kind: 'integer', min: 1, max: 1_000_000_000 }],
  queue: [0, { kind: 'integer', min: 0, max: 1_000_000_000 }],
  queueTimeoutMs: [Infinity, { kind: 'number', min: Number.MIN_VALUE, max: Infinity }],
  clock: [systemClock, aClock],
};

/**
 * A counting semaphore with a bounded queue, first come, first served. A released slot goes directly to the first waiter,
 * so a new call cannot overtake the queue.
 */
export class Semaphore implements Bulkhead {
  readonly #options: Required<BulkheadOptions>;
  /** The functions that admit the waiters, first come first. */
  readonly #waiters = new Set<() => void>();
  #inside = 0;

  /** @internal Use `bulkhead`. */
  constructor(options: Required<BulkheadOptions>) {
    this.#options = options;
  }

  /** The number of taken slots. */
  get inside(): number {
    return this.#inside;
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return this.#waiters.size;
  }

  tryEnter(): boolean {
    if (this.#inside >= this.#options.limit) return false;
    this.#inside += 1;
    return true;
  }

  enter(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      else if (this.tryEnter()) resolve();
      else if (this.waiting >= this.#options.queue) reject(this.#full('the queue is full'));
      else this.#wait(signal, resolve, reject);
    });
  }

  leave(): void {
    for (const admit of this.#waiters) {
      admit();
      return;
    }
    if (this.#inside > 0) this.#inside -= 1;
  }

  /** Waits in the queue for a slot, the timeout or the signal. The first of the three cancels the other two. */
  #wait(
    signal: AbortSignal | undefined,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): void {
    const { clock, queueTimeoutMs } = this.#options;
    const admit = (): void => {
      this.#waiters.delete(admit);
      alarm.cancel();
      resolve();
    };
    const alarm = new Alarm(clock, queueTimeoutMs, false, signal, () => {
      this.#waiters.delete(admit);
      const isLate = !signal?.aborted;
      reject(isLate ? this.#full(`none came free in ${queueTimeoutMs} ms`) : signal.reason);
    });
    this.#waiters.add(admit);
  }

  #full(why: string): RedriveError {
    const { limit, queue } = this.#options;
    return new RedriveError('bulkhead_full', `All ${limit} slots are taken and ${why}.`, {
      limit,
      queue,
    });
  }
}

/**
 * Creates a bulkhead, which limits the number of calls that run at once.
 *
 * Only `leave` releases a slot: call it when the work itself has ended, not when its caller stopped waiting for it.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function bulkhead(options: BulkheadOptions): Semaphore {
  return new Semaphore(resolveOptions('bulkhead', options, OPTIONS));
}
