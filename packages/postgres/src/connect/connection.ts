import { type Clock, isRedriveError, systemClock } from '@redrive/core';
import type { Client, Notification } from 'pg';
import { storeError, unavailable } from './errors.ts';

/** Returns values as the server's text: type parsers that an application sets for `pg` must not change the store's. */
export type Row = readonly (string | null)[];

export interface Statement {
  /** Prepared once per connection under this name. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly (string | number | boolean | null | undefined)[];
}

/** A connection, for one user at a time. */
export interface Session {
  query(statement: Statement): Promise<readonly Row[]>;
}

export interface ConnectionOptions {
  /** The store's name, for errors. */
  readonly store: string;
  /** A new client that has not connected yet. */
  readonly makeClient: () => Client;
  /** Sends the first statements of a new connection. `processId`: the server process named at the login. */
  readonly prepare: (session: Session, processId: number | undefined) => Promise<void>;
  readonly onNotification?: (notification: Notification, ownPid: number | undefined) => void;
  /** Called when an open connection is lost. */
  readonly onLost?: () => void;
}

const TEXT_TYPES = { getTypeParser: () => (value: string) => value };

/**
 * One connection to the server, made when it is first needed, and again after it was lost. One user at a time; others
 * wait for their turn.
 *
 * Every call ends within its limit. Then the socket is destroyed, because the server may never answer again: on a
 * half-open connection the operating system notices it only after many minutes. It is unknown whether the statement was
 * applied.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  // Not the virtual clock of tests: a real network does not follow it.
  readonly #clock: Clock = systemClock;
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  /** Resolves when the last exclusive user is done. */
  #alone: Promise<void> = Promise.resolve();
  /** Resolves when the users that share it since then are done. */
  #shared: Promise<void> = Promise.resolve();
  /** Calls that use the connection, or wait for their turn. */
  #users = 0;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Whether the connection is open. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Whether a call that begins now may have to wait for another one. */
  get isBusy(): boolean {
    return this.#users > 0;
  }

  /**
   * Runs `work` with exclusive use of the connection.
   *
   * @throws RedriveError `store_unavailable` if there is no connection or `work` is not done within `limitMs`; an error of
   *   the server has its code in `details.sqlState`.
   */
  use<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    const turn = Promise.all([this.#alone, this.#shared]).then(() => {});
    const { done, whenDone } = ending();
    this.#alone = whenDone;
    this.#shared = Promise.resolve();
    return this.#run(work, limitMs, turn, done);
  }

  /**
   * Runs `work`, which must be one statement, together with others of this kind: each is sent at once, before the previous
   * one is answered, and the server carries them out in this order. So the server need not wait between two of them.
   */
  share<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    if (this.#client !== undefined && !pipelines(this.#client)) return this.use(work, limitMs);
    const { done, whenDone } = ending();
    this.#shared = Promise.all([this.#shared, whenDone]).then(() => {});
    return this.#run(work, limitMs, this.#alone, done);
  }

  async #run<T>(
    work: (session: Session) => Promise<T>,
    limitMs: number,
    turn: Promise<void>,
    done: () => void,
  ): Promise<T> {
    const endsAtMs = this.#clock.monotonic() + limitMs;
    let client: Client | undefined;
    this.#users += 1;
    try {
      await this.#within(endsAtMs, turn, () => {});
      const used = this.#client ?? (await this.#connected(endsAtMs));
      client = used;
      return await this.#within(endsAtMs, work(sessionOf(used)), () => this.#destroy(used));
    } catch (error) {
      const known = storeError(this.#options.store, error);
      const isAway = known.code === 'store_unavailable' || known.code === 'store_forbidden';
      if (isAway && known.details.rolledBack !== true) {
        this.#drop(client);
      }
      throw known;
    } finally {
      this.#users -= 1;
      // After a timeout in the queue this turn has not begun: the next user must still wait for the previous one.
      void turn.then(done);
    }
  }

  /** Closes the connection for good when its current users are done. Safe to call twice. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    await this.disconnect(limitMs);
  }

  /** Closes the connection when its current users are done. The next use makes a new one. */
  async disconnect(limitMs: number): Promise<void> {
    const endsAtMs = this.#clock.monotonic() + limitMs;
    const last = Promise.all([this.#alone, this.#shared]);
    await this.#within(endsAtMs, last, () => {}).catch(() => {});
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    await this.#within(endsAtMs, client.end(), () => this.#destroy(client)).catch(() => {});
  }

  /** Users that share a connection wait for one attempt to connect. */
  #connected(endsAtMs: number): Promise<Client> {
    this.#connecting ??= this.#connect(endsAtMs).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(endsAtMs: number): Promise<Client> {
    const { store, makeClient, prepare, onNotification, onLost } = this.#options;
    if (this.#closed) throw unavailable(store, 'The store is closed.');
    const client = makeClient();
    const forget = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      onLost?.();
    };
    // Without a listener an error of an idle connection would end the process.
    client.on('error', forget);
    client.on('end', forget);
    if (onNotification !== undefined) {
      client.on('notification', (message) => onNotification(message, processIdOf(client)));
    }
    const abandon = (): void => this.#destroy(client);
    try {
      await this.#within(endsAtMs, client.connect(), abandon);
      await this.#within(endsAtMs, prepare(sessionOf(client), processIdOf(client)), abandon);
      // close() may have been called in the meantime; if it timed out, it will not close this connection.
      if (this.#closed) throw unavailable(store, 'The store is closed.');
    } catch (error) {
      abandon();
      if (isRedriveError(error)) throw error;
      const known = storeError(store, error);
      if (known.code === 'store_forbidden') throw known;
      throw unavailable(store, `Cannot connect: ${String(error)}`, error);
    }
    this.#client = client;
    return client;
  }

  /** Stops using this client. Other users of it fail later, when a new client may already exist. */
  #drop(client: Client | undefined): void {
    if (client === undefined || this.#client !== client) return;
    this.#client = undefined;
    this.#destroy(client);
    this.#options.onLost?.();
  }

  /** Destroys the socket without a message to the server, which may not answer. */
  #destroy(client: Client): void {
    // Not in the types; every version of pg has it. `end()` alone would wait for the server on an idle connection.
    const { connection } = client as unknown as {
      connection?: { stream?: { destroy?: () => void } };
    };
    connection?.stream?.destroy?.();
    client.end().catch(() => {});
  }

  /** Settles as the promise does; after `endsAtMs` calls `giveUp` and rejects. */
  #within<T>(endsAtMs: number, promise: Promise<T>, giveUp: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const leftMs = Math.max(0, endsAtMs - this.#clock.monotonic());
      const timer = this.#clock.setTimer(leftMs, () => {
        giveUp();
        reject(unavailable(this.#options.store, 'The server did not answer in time.'));
      });
      promise.then(resolve, reject).finally(() => timer.cancel());
    });
  }
}

/** A promise that is resolved from outside. */
function ending(): { done: () => void; whenDone: Promise<void> } {
  let done = (): void => {};
  const whenDone = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { done, whenDone };
}

/** Whether the client sends a statement before the previous one is answered. Older versions of pg do not. */
function pipelines(client: Client): boolean {
  return 'pipeline' in client && client.pipeline === true;
}

function sessionOf(client: Client): Session {
  return {
    async query({ name, text, values = [] }) {
      const result = await client.query<(string | null)[]>({
        ...(name === undefined ? {} : { name }),
        text,
        values: [...values],
        types: TEXT_TYPES,
        rowMode: 'array',
      });
      // Several statements in one text, as in a migration, return a list of results; none has rows.
      return result.rows ?? [];
    },
  };
}

function processIdOf(client: Client): number | undefined {
  // Not in the types; a client has it as soon as it is connected.
  return (client as unknown as { processID?: number }).processID;
}
