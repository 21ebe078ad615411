import { type Clock, isRedriveError, systemClock } from '@redrive/core';
import type { Client, Notification } from 'pg';
import { storeError, unavailable } from './errors.ts';

/** Values come as the server wrote them: parsers that an application has set for all of `pg` do not reach the store. */
export type Row = readonly (string | null)[];

export interface Statement {
  /** Prepared once per connection under this name. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly (string | number | boolean | null | undefined)[];
}

/** A connection in the hands of its one user. */
export interface Session {
  query(statement: Statement): Promise<readonly Row[]>;
}

export interface ConnectionOptions {
  /** The store's name, for errors. */
  readonly store: string;
  /** A new client that has not connected yet. */
  readonly makeClient: () => Client;
  /** The first statements of a new connection. `processId`: the server process that the client was told at its login. */
  readonly prepare: (session: Session, processId: number | undefined) => Promise<void>;
  readonly onNotification?: (notification: Notification, ownPid: number | undefined) => void;
  /** Told when a connection that was there is gone. */
  readonly onLost?: () => void;
}

const TEXT_TYPES = { getTypeParser: () => (value: string) => value };

/**
 * One connection to the server, made when it is first needed and again after it was lost. One user at a time; others wait
 * for their turn.
 *
 * Nothing here waits for longer than it is told to. When the time is up the socket is destroyed, because a connection that
 * has stopped answering may never do so again, and on a half-open one even the operating system learns of it only after
 * many minutes. What its statement has done is then not known.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  // Virtual time has no say here: a network does not stall in it.
  readonly #clock: Clock = systemClock;
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  /** When the last one that has the connection alone is done. */
  #alone: Promise<void> = Promise.resolve();
  /** When those are done that share it since. */
  #shared: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Whether there is a connection at this moment. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Lets `work` use the connection alone.
   *
   * @throws RedriveError `store_unavailable` when it cannot be had or `work` is not done within `limitMs`; what the server
   *   refuses comes with `details.sqlState`.
   */
  use<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    const turn = Promise.all([this.#alone, this.#shared]).then(() => {});
    const { done, whenDone } = ending();
    this.#alone = whenDone;
    this.#shared = Promise.resolve();
    return this.#run(work, limitMs, turn, done);
  }

  /**
   * Lets `work`, which is one statement, use the connection together with others of its kind: they are sent at once, and
   * carried out in the order in which they were sent. The server then does not wait for this process between two of them.
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
      // Who ran out of time while waiting has not had its turn yet: the next one still waits for the one before.
      void turn.then(done);
    }
  }

  /** Ends the connection for good, after its present users. Safe to call twice. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    await this.disconnect(limitMs);
  }

  /** Ends the connection after its present users. The next use makes a new one. */
  async disconnect(limitMs: number): Promise<void> {
    const endsAtMs = this.#clock.monotonic() + limitMs;
    const last = Promise.all([this.#alone, this.#shared]);
    await this.#within(endsAtMs, last, () => {}).catch(() => {});
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    await this.#within(endsAtMs, client.end(), () => this.#destroy(client)).catch(() => {});
  }

  /** Those who share a connection make it together. */
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
      // Who closed it meanwhile and did not wait so long ends no connection any more.
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

  /** Uses this one no more. Who shared it learns of it later, when there may be another one already. */
  #drop(client: Client | undefined): void {
    if (client === undefined || this.#client !== client) return;
    this.#client = undefined;
    this.#destroy(client);
    this.#options.onLost?.();
  }

  /** Ends it without a word to the server, which may not be listening. */
  #destroy(client: Client): void {
    // Not in the types; every version of pg has it. `end()` alone would wait for the server on an idle connection.
    const { connection } = client as unknown as {
      connection?: { stream?: { destroy?: () => void } };
    };
    connection?.stream?.destroy?.();
    client.end().catch(() => {});
  }

  /** What the promise brings, if it does so in time; otherwise `giveUp`, and an error. */
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

/** Whether it sends a statement before the one before is answered. Older versions of pg do not. */
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
      // Several statements in one text, as in a migration, answer with a list of results, and none has rows.
      return result.rows ?? [];
    },
  };
}

function processIdOf(client: Client): number | undefined {
  // Not in the types; a client has it as soon as it is connected.
  return (client as unknown as { processID?: number }).processID;
}
