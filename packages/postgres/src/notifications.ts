import { systemClock, type Timer } from '@redrive/core';
import type { Change } from '@redrive/durable/store';
import type { Connection, Session } from './connect/connection.ts';

/** Two notifications of one process are at least so far apart: NOTIFY takes a lock that all of the server shares. */
const GAP_MS = 20;
const RECONNECT_MS = 1_000;

export interface NotificationOptions {
  readonly channel: string;
  readonly timeoutMs: number;
  /** Calls `listen` for each new connection, `receive` for each notification, and `lost` when the connection is gone. */
  readonly connection: Connection;
}

/**
 * Tells the listeners of this process, and through LISTEN and NOTIFY those of others. NOTIFY comes after the commit, in a
 * transaction of its own: inside the enqueueing one it would make all commits of the server wait for each other.
 * Hints only: whoever relies on them alone must ask now and then.
 */
export class Notifications {
  readonly #options: NotificationOptions;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #unsent = new Set<Change>();
  #sending = false;
  #listening = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: NotificationOptions) {
    this.#options = options;
  }

  /** LISTEN, if there is a listener: a session that listens costs every NOTIFY of the database. */
  async listen(session: Session): Promise<void> {
    if (this.#listeners.size === 0 || this.#listening) return;
    await session.query({ text: `listen ${this.#options.channel}` });
    this.#listening = true;
  }

  /** A notification; `own`: this process sent it. */
  receive(payload: string, own: boolean): void {
    if (own) return;
    for (const change of payload.split(',')) if (isChange(change)) this.tellHere(change);
  }

  /** The connection is gone, and its LISTEN with it. */
  lost(): void {
    this.#listening = false;
    this.#reconnectLater();
  }

  watch(listener: (change: Change) => void): () => void {
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    this.#ensureListening();
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

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#listeners.clear();
  }

  async #send(): Promise<void> {
    const { channel, timeoutMs, connection } = this.#options;
    this.#sending = true;
    const payload = [...this.#unsent].join(',');
    this.#unsent.clear();
    try {
      await connection.share(
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
  #ensureListening(): void {
    if (this.#closed || this.#listening) return;
    const { connection, timeoutMs } = this.#options;
    connection
      .share((session) => this.listen(session), timeoutMs)
      .catch(() => this.#reconnectLater());
  }

  #reconnectLater(): void {
    if (this.#closed || this.#listeners.size === 0) return;
    this.#timer?.cancel();
    this.#timer = systemClock.setTimer(RECONNECT_MS, () => {
      this.#ensureListening();
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
