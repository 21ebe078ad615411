import type { Clock } from '@redrive/core';
import type { Delivery } from './delivery.ts';

const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(': heartbeat\n\n');
/** Bytes that wait for a reader. A reader that is behind by more is disconnected. */
const MAX_WAITING = 1024 * 1024;

export interface Listener {
  readonly tenant: string | undefined;
  /** Whose stream it is: a token or a user. */
  readonly owner: string;
  /** Ends the connection at once, whether it is read or not. */
  readonly cut: () => void;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
}

/** The deliveries that one reader still has to get. */
export class ChangeStream {
  readonly listener: Listener;
  readonly #clock: Clock;
  readonly #waiting: Delivery[] = [];
  #size = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;
  /** Blocks that it has got from the log itself, so that the feed does not bring them again. */
  readonly caughtUp = new Set<number>();

  constructor(listener: Listener, clock: Clock) {
    this.listener = listener;
    this.#clock = clock;
    listener.closed.addEventListener('abort', () => this.end(), { once: true });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Never waits: a slow reader is disconnected. */
  deliver(delivery: Delivery): void {
    if (this.#isEnded) return;
    this.#waiting.push(delivery);
    this.#size += delivery.bytes.length;
    if (this.#size > MAX_WAITING) {
      this.listener.cut();
      this.end();
    } else this.#wake();
  }

  /** The deliveries that wait, as soon as there are some; every 15 seconds a comment. */
  async *parts(): AsyncGenerator<Buffer> {
    while (!this.#isEnded) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        // Not when it is delivered: the stream may still read the log itself then.
        const bytes = next.bytesWithout(this.caughtUp);
        if (bytes.length > 0) yield bytes;
        // Only now: until it is taken, it waits.
        this.#size -= next.bytes.length;
      } else if (!(await this.#something()) && !this.#isEnded) yield HEARTBEAT;
    }
  }

  #something(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#clock.setTimer(HEARTBEAT_MS, () => resolve(false));
    this.#wake = () => resolve(true);
    return promise.finally(() => timer.cancel());
  }
}
