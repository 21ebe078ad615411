import { RedriveError } from '@redrive/core';
import { amqpErrors } from '@redrive/core/classify/amqp';
import { nodeErrors } from '@redrive/core/classify/node';
import { BUS_TIMEOUTS } from '@redrive/durable/events';
import { type BusCalls, settledSoon } from '@redrive/durable/store';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import type { RabbitmqAddress } from './address.ts';

/** The category of every call to RabbitMQ. */
export const CATEGORY = 'API_REQUEST';
/** The classifiers of every call: AMQP first, then the network beneath it. */
export const CLASSIFIERS = [amqpErrors, nodeErrors];

/** The one connection of a bus: made when it is first needed, and anew when somebody needs it after it was lost. */
export class Link {
  readonly #address: RabbitmqAddress;
  readonly #calls: BusCalls;
  #connection: Promise<ChannelModel> | undefined;
  #isClosed = false;
  /** Attempts to connect: each is to the next node. */
  #attempts = 0;

  constructor(address: RabbitmqAddress, calls: BusCalls) {
    this.#address = address;
    this.#calls = calls;
  }

  /** @throws RedriveError `bus_unavailable`, `bus_refused`. */
  async get(): Promise<ChannelModel> {
    if (this.#isClosed) throw this.closedError();
    const connection = this.#connection ?? this.#connect();
    this.#connection = connection;
    try {
      return await connection;
    } catch (error) {
      this.#forget(connection);
      throw error;
    }
  }

  /** Runs a few calls on a channel of their own: a call that fails closes its channel. */
  async onChannel<T>(run: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await (await this.get()).createChannel();
    // The failed call rejects with the same error.
    channel.on('error', () => {});
    let isClosed = false;
    channel.on('close', () => {
      isClosed = true;
    });
    try {
      return await run(channel);
    } finally {
      if (!isClosed) await closeSoon(channel);
    }
  }

  closedError(): RedriveError {
    const { name: bus } = this.#address;
    return new RedriveError('bus_unavailable', `The connection to ${bus} is closed`, { bus });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await closeSoon(connection);
  }

  #connect(): Promise<ChannelModel> {
    const limitMs = BUS_TIMEOUTS.connectMs;
    const connecting = this.#calls.run(CATEGORY, 'Connect', limitMs, async (signal) => {
      const { urls } = this.#address;
      const url = urls[this.#attempts % urls.length] ?? urls[0];
      this.#attempts += 1;
      const connection = await connect(url, {
        timeout: limitMs,
        clientProperties: { connection_name: 'redrive' },
      });
      connection.on('error', () => {});
      connection.on('close', () => this.#forget(connecting));
      // The attempt has ended by its limit, or the bus was closed: nobody else would close this connection.
      if (signal.aborted || this.#isClosed) {
        await connection.close();
        throw this.closedError();
      }
      return connection;
    });
    return connecting;
  }

  #forget(connection: Promise<ChannelModel>): void {
    if (this.#connection === connection) this.#connection = undefined;
  }
}

/** Closes a channel or a connection. A closed one throws at once; the client never answers for one that was lost. */
export function closeSoon(open: { close(): Promise<void> } | undefined): Promise<void> {
  return settledSoon(Promise.resolve().then(() => open?.close()));
}

/** The reply code with which the server closed a channel. */
export function replyCodeOf(error: unknown): unknown {
  const { code }: { code?: unknown } = Object(error);
  return code;
}
