import type { Clock } from '@redrive/core';
import { type FoundRecord, foundDocument } from '@redrive/durable/store';

/** Above this many records in half a second only their number is sent. */
const MAX_RECORDS = 200;
const WINDOW_MS = 500;
const HEARTBEAT_MS = 15_000;
/** Text that waits for a reader. A reader that is behind by more is disconnected. */
const MAX_WAITING = 1024 * 1024;

export interface Listener {
  readonly tenant: string | undefined;
  /** Ends the connection at once, whether it is read or not. */
  readonly cut: () => void;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
}

/** What one reader still has to get. */
export class ChangeStream {
  readonly listener: Listener;
  readonly #clock: Clock;
  #waiting: string[] = [];
  #size = 0;
  #windowMs = -Infinity;
  #sent = 0;
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
  deliver(all: readonly FoundRecord[]): void {
    const found = all.filter(({ block }) => !this.caughtUp.has(block));
    if (found.length === 0 || this.#isEnded) return;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#windowMs >= WINDOW_MS) {
      this.#windowMs = nowMs;
      this.#sent = 0;
    }
    this.#sent += found.length;
    const text = this.#sent > MAX_RECORDS ? countsText(found) : found.map(changeText).join('');
    this.#waiting.push(text);
    this.#size += text.length;
    if (this.#size > MAX_WAITING) {
      this.listener.cut();
      this.end();
    } else this.#wake();
  }

  /** What waits, as soon as there is something; every 15 seconds a comment. */
  async *texts(): AsyncGenerator<string> {
    while (!this.#isEnded) {
      if (this.#waiting.length === 0 && !(await this.#something())) {
        if (!this.#isEnded) yield ': heartbeat\n\n';
        continue;
      }
      const text = this.#waiting.join('');
      this.#waiting = [];
      yield text;
      // Only now: until it is taken, it waits.
      this.#size -= text.length;
    }
  }

  #something(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#clock.setTimer(HEARTBEAT_MS, () => resolve(false));
    this.#wake = () => resolve(true);
    return promise.finally(() => timer.cancel());
  }
}

export function changeText(found: FoundRecord): string {
  return eventText('change', found.block, foundDocument(found));
}

/** Of many records: their number by event. Whoever shows them reads its list again. */
export function countsText(found: readonly FoundRecord[]): string {
  const counts: Record<string, number> = {};
  for (const { record } of found) counts[record[2]] = (counts[record[2]] ?? 0) + 1;
  const blocks = found.map(({ block }) => block);
  const newest = blocks.reduce((one, other) => Math.max(one, other), 0);
  return eventText('counts', newest, { records: found.length, counts });
}

/** @param block the stream's id: a reconnect says from where on it goes. */
export function eventText(name: string, block: number, data: unknown): string {
  return `id: ${block}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
