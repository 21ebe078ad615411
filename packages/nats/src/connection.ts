import { connect, type NatsConnection } from '@nats-io/transport-node';
import { RedriveError } from '@redrive/core';
import { natsErrors } from '@redrive/core/classify/nats';
import { nodeErrors } from '@redrive/core/classify/node';
import { BUS_TIMEOUTS, type BusNotice } from '@redrive/durable/events';
import type { BusCalls } from '@redrive/durable/store';
import type { NatsAddress } from './address.ts';

/** The classifiers of every call: NATS first, then the network beneath it. */
export const CLASSIFIERS = [natsErrors, nodeErrors];

/** A silent connection is closed after three of these. */
const PING_INTERVAL_MS = 5_000;
const RECONNECT_WAIT_MS = 250;

/** The one connection of a bus: made when it is first needed, and again by the client itself after it is lost. */
export class Link {
  readonly #address: NatsAddress;
  readonly #calls: BusCalls;
  readonly #listeners = new Set<(change: BusNotice) => void>();
  #connection: Promise<NatsConnection> | undefined;
  #isClosed = false;

  constructor(address: NatsAddress, calls: BusCalls) {
    this.#address = address;
    this.#calls = calls;
  }

  /** @throws RedriveError `bus_unavailable`, `bus_refused`. */
  async get(): Promise<NatsConnection> {
    if (this.#isClosed) throw this.closedError();
    const connection = this.#connection ?? this.#connect();
    this.#connection = connection;
    try {
      return await connection;
    } catch (error) {
      if (this.#connection === connection) this.#connection = undefined;
      throw error;
    }
  }

  closedError(): RedriveError {
    return this.#error('is closed');
  }

  #error(text: string): RedriveError {
    const { name: bus } = this.#address;
    return new RedriveError('bus_unavailable', `The connection to ${bus} ${text}`, { bus });
  }

  /** @returns a function that ends the observation. */
  observe(listener: (change: BusNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  #connect(): Promise<NatsConnection> {
    const { servers, user, pass, token, tls } = this.#address;
    return this.#calls.run('NATS_CONNECT', 'Connect', BUS_TIMEOUTS.connectMs, async (signal) => {
      const connection = await connect({
        servers: [...servers],
        name: 'redrive',
        timeout: BUS_TIMEOUTS.connectMs,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_WAIT_MS,
        pingInterval: PING_INTERVAL_MS,
        maxPingOut: 2,
        noAsyncTraces: true,
        ...(user !== undefined && { user, pass: pass ?? '' }),
        ...(token !== undefined && { token }),
        ...(tls && { tls: {} }),
      });
      // The attempt has ended by its limit, or the bus was closed: nobody else would close this connection.
      if (signal.aborted || this.#isClosed) {
        await connection.close();
        throw this.closedError();
      }
      void this.#follow(connection);
      return connection;
    });
  }

  async #follow(connection: NatsConnection): Promise<void> {
    void connection.closed().then((error) => {
      if (this.#isClosed) return;
      this.#connection = undefined;
      const reason = error ?? this.closedError();
      this.#report({ kind: 'failed', error: this.#calls.asBusError('Reconnect', reason) });
    });
    for await (const { type } of connection.status()) {
      if (this.#isClosed) return;
      if (type === 'disconnect') this.#report({ kind: 'lost', error: this.#error('is lost') });
      if (type === 'reconnect') this.#report({ kind: 'restored' });
    }
  }

  #report(change: BusNotice): void {
    for (const listener of this.#listeners) listener(change);
  }
}
