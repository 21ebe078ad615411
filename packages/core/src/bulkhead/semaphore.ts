import type { Clock, Timer } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/ports.ts';
import type { Bulkhead } from './bulkhead.ts';

export interface BulkheadOptions {
  /** How many may be inside at once. */
  readonly limit: number;
  /** How many may wait for a slot. Default 0: who finds no slot is refused at once. */
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
 * A counting semaphore with a bounded queue, first come, first served. A slot that is left goes straight to the first
 * one in the queue, so nobody is waiting while a slot is free, and nobody can push in.
 */
export class Semaphore implements Bulkhead {
  readonly #options: Required<BulkheadOptions>;
  /** What lets each of them in, first come first. */
  readonly #waiters = new Set<() => void>();
  #inside = 0;

  /** @internal Use `bulkhead`. */
  constructor(options: Required<BulkheadOptions>) {
    this.#options = options;
  }

  /** How many hold a slot. */
  get inside(): number {
    return this.#inside;
  }

  /** How many are queued. */
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

  /** Queues up. Whichever way the wait ends, the other two are closed. */
  #wait(
    signal: AbortSignal | undefined,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): void {
    const { clock, queueTimeoutMs } = this.#options;
    const untilMs = clock.monotonic() + queueTimeoutMs;
    let timer: Timer | undefined;
    const end = (): void => {
      this.#waiters.delete(admit);
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
    };
    const admit = (): void => {
      end();
      resolve();
    };
    const onAbort = (): void => {
      end();
      reject(signal?.reason);
    };
    // A timer may be early, and is cut at 24.8 days: it is time when the clock says so.
    const onTimer = (): void => {
      const leftMs = untilMs - clock.monotonic();
      if (leftMs > 0) {
        timer = clock.setTimer(leftMs, onTimer);
        return;
      }
      end();
      reject(this.#full(`none came free in ${queueTimeoutMs} ms`));
    };
    this.#waiters.add(admit);
    signal?.addEventListener('abort', onAbort);
    if (queueTimeoutMs < Infinity) onTimer();
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
 * Bounds how many calls run at once.
 *
 * A slot is free again when `leave` is called, and at no other time: call it when the work itself has ended, not when
 * somebody stopped waiting for it.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function bulkhead(options: BulkheadOptions): Semaphore {
  return new Semaphore(resolveOptions('bulkhead', options, OPTIONS));
}
