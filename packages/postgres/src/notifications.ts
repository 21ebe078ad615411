import { systemClock, type Timer } from '@redrive/core';
import type { Change } from '@redrive/durable/store';
import type { Connection } from './connect/connection.ts';

/** Two notifications of one process are at least so far apart: NOTIFY takes a lock that all of the server shares. */
const GAP_MS = 20;
const RECONNECT_MS = 1_000;

export interface NotificationOptions {
  readonly channel: string;
  readonly timeoutMs: number;
  /** Makes the connection; `prepare`d with LISTEN by the one who makes it. */
  readonly connect: (events: {
    onMessage: (payload: string, own: boolean) => void;
    onLost: () => void;
  }) => Connection;
}

/**
 * Tells the listeners of this process, and through LISTEN and NOTIFY those of others. NOTIFY comes after the commit, on a
 * connection of its own: inside the enqueueing transaction it would make all commits of the server wait for each other.
 * Hints only: whoever relies on them alone must ask now and then.
 */
export class Notifications {
  readonly #options: NotificationOptions;
  readonly #connection: Connection;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #unsent = new Set<Change>();
  #sending = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: NotificationOptions) {
    this.#options = options;
    this.#connection = options.connect({
      onMessage: (payload, own) => {
        if (own) return;
        for (const change of payload.split(',')) if (isChange(change)) this.tellHere(change);
      },
      onLost: () => this.#reconnectLater(),
    });
  }

  watch(listener: (change: Change) => void): () => void {
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    this.#listen();
    return () => void this.#listeners.delete(own);
  }

  /** Tells this process's listeners, now. */
  tellHere(change: Change): void {
    for (const listener of this.#listeners) {
      // What a listener throws is its own affair, but is not lost either.
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Tells other processes, soon. */
  tellOthers(changes: Iterable<Change>): void {
    for (const change of changes) this.#unsent.add(change);
    if (this.#unsent.size > 0 && !this.#sending && !this.#closed) void this.#send();
  }

  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    this.#listeners.clear();
    await this.#connection.close(limitMs);
  }

  async #send(): Promise<void> {
    const { channel, timeoutMs } = this.#options;
    this.#sending = true;
    const payload = [...this.#unsent].join(',');
    this.#unsent.clear();
    try {
      await this.#connection.use(
        (session) =>
          session.query({
            name: 'redrive notify',
            text: 'select pg_notify($1, $2)',
            values: [channel, payload],
          }),
        timeoutMs,
      );
    } catch {
      // The poll of the others finds what they were not told.
    }
    await this.#pause(GAP_MS);
    this.#sending = false;
    this.tellOthers([]);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = systemClock.setTimer(ms, resolve);
      timer.hold(false);
    });
  }

  /** Makes sure that there is a connection that listens. */
  #listen(): void {
    if (this.#closed || this.#connection.isOpen) return;
    this.#connection
      .use(async () => {}, this.#options.timeoutMs)
      .catch(() => this.#reconnectLater());
  }

  #reconnectLater(): void {
    if (this.#closed || this.#listeners.size === 0) return;
    this.#timer?.cancel();
    this.#timer = systemClock.setTimer(RECONNECT_MS, () => {
      this.#listen();
      // Whatever was sent meanwhile has not arrived.
      this.tellHere('ready');
      this.tellHere('finished');
      this.tellHere('control');
    });
    this.#timer.hold(false);
  }
}

function isChange(text: string): text is Change {
  return text === 'ready' || text === 'finished' || text === 'control';
}
