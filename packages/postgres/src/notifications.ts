import { systemClock, type Timer } from '@redrive/core';
import type { Change } from '@redrive/durable/store';
import type { Connection, Session } from './connect/connection.ts';

/** The least time between two notifications of one process: NOTIFY takes a lock that the whole server shares. */
const GAP_MS = 20;
const RECONNECT_MS = 1_000;

export interface NotificationOptions {
  readonly channel: string;
  readonly timeoutMs: number;
  /** Calls `listen` for each new connection, `receive` for each notification, and `lost` when the connection is gone. */
  readonly connection: Connection;
}

/**
 * Notifies the listeners of this process, and those of other processes through LISTEN and NOTIFY. NOTIFY is sent after the
 * commit, in its own transaction: inside the enqueueing one it would make all commits of the server wait for each other.
 * Notifications are hints and can be lost, so listeners must also poll.
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

  /** Sends LISTEN only if there is a listener: every listening session makes each NOTIFY of the database slower. */
  async listen(session: Session): Promise<void> {
    if (this.#listeners.size === 0 || this.#listening) return;
    await session.query({ text: `listen ${this.#options.channel}` });
    this.#listening = true;
  }

  /** A notification has arrived. `own`: this process sent it. */
  receive(payload: string, own: boolean): void {
    if (own) return;
    for (const change of payload.split(',')) if (isChange(change)) this.notifyHere(change);
  }

  /** The connection is lost, and so is its LISTEN. */
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

  /** Calls the listeners of this process at once. */
  notifyHere(change: Change): void {
    for (const listener of this.#listeners) {
      // An error of one listener must not reach the others or the caller; it is reported as an uncaught error.
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Notifies other processes, within the least time between two notifications. */
  notifyOthers(changes: Iterable<Change>): void {
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
      // The poll of the other processes finds the change.
    }
    await this.#pause(GAP_MS);
    this.#sending = false;
    this.notifyOthers([]);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = systemClock.setTimer(ms, resolve);
      timer.hold(false);
    });
  }

  /** Makes sure that a connection listens. */
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
      // Notifications that were sent in the meantime have been lost.
      this.notifyHere('ready');
      this.notifyHere('finished');
      this.notifyHere('control');
    });
    this.#timer.hold(false);
  }
}

function isChange(text: string): text is Change {
  return text === 'ready' || text === 'finished' || text === 'control';
}
