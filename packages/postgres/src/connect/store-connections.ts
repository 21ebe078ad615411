import { systemClock } from '@redrive/core';
import { within } from '../in-turn.ts';
import type { RunOn } from '../query/reader.ts';
import type { Connection } from './connection.ts';
import { unavailable } from './errors.ts';

export interface StoreConnectionsOptions {
  /** The store's name, for errors. */
  readonly store: string;
  /** 2, 3 or 4: see the option of `openStore`. */
  readonly count: number;
  readonly timeoutMs: number;
  /** The connection that was opened to check the server. */
  readonly reading: Connection;
  /** Makes a connection for writes. */
  readonly writing: () => Connection;
  /** Makes a connection for writes that also listens for notifications. */
  readonly listening: () => Connection;
}

/**
 * The connections of a store. Work that may wait for the lock of another transaction shares no connection with claims,
 * settlements or heartbeats.
 */
export class StoreConnections {
  /** Claims, settlements, new jobs, idempotency keys. None of them waits for a transaction of an application. */
  readonly working: Connection;
  /** Heartbeats, LISTEN and NOTIFY; control documents while the connection for them is busy. */
  readonly beating: Connection;
  /**
   * Enqueueing with a unique key, acts on jobs, control documents, retention: they may wait for a transaction of an
   * application, or take long because of one.
   */
  readonly waiting: Connection;
  readonly #reading: Connection;
  readonly #options: StoreConnectionsOptions;
  /** Resolves when the last reader of the audit log is closed. */
  #auditEnd: Promise<void> = Promise.resolve();
  #isAuditOpen = false;

  constructor(options: StoreConnectionsOptions) {
    const { count, reading, writing, listening } = options;
    this.#options = options;
    this.#reading = reading;
    this.beating = listening();
    this.working = count > 2 ? writing() : this.beating;
    this.waiting = count > 3 ? writing() : reading;
  }

  /** Whether heartbeats have their own connection: then a heartbeat may wait for a locked row without delaying claims. */
  get beatsAlone(): boolean {
    return this.beating !== this.working;
  }

  /** Queries, and sealing the audit log. */
  readonly read: RunOn = (work, limitMs) => this.#readingNow.use(work, limitMs);

  /** Reads control documents, in one statement. */
  readonly readControls: RunOn = (work, limitMs) => {
    const usual = this.#readingNow;
    return usual.isBusy ? this.beating.share(work, limitMs) : usual.use(work, limitMs);
  };

  /**
   * For changes of control documents. A kill switch must not wait behind an enqueue that waits for a unique key. No
   * transaction of an application has the lock of control documents, so heartbeats hardly wait behind such a change.
   */
  get controlling(): Connection {
    return this.waiting.isBusy ? this.beating : this.waiting;
  }

  get #readingNow(): Connection {
    return this.#isAuditOpen ? this.waiting : this.#reading;
  }

  /**
   * Makes room for the connection of a reader of the audit log, which keeps a transaction open: closes the reading
   * connection, and sends queries to the waiting one. One reader at a time. With fewer than four connections the reader's
   * connection is an additional one.
   *
   * @returns a function that gives the room back.
   * @throws RedriveError `store_unavailable` if another reader is not closed in time.
   */
  async beginAudit(limitMs: number): Promise<() => void> {
    const { count, store } = this.#options;
    const endsAtMs = systemClock.monotonic() + limitMs;
    if (count < 4) return () => {};
    const before = this.#auditEnd;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#auditEnd = before.then(() => promise);
    const refusal = () =>
      unavailable(store, `Another readAudit() of this store was not closed within ${limitMs} ms`);
    try {
      await within(before, { waitMs: limitMs, refusal });
    } catch (error) {
      resolve();
      throw error;
    }
    this.#isAuditOpen = true;
    await this.#reading.disconnect(Math.max(0, endsAtMs - systemClock.monotonic()));
    return () => {
      this.#isAuditOpen = false;
      resolve();
    };
  }

  async close(): Promise<void> {
    const { working, beating, waiting } = this;
    const all = new Set([working, beating, waiting, this.#reading]);
    await Promise.all([...all].map((one) => one.close(this.#options.timeoutMs)));
  }
}
