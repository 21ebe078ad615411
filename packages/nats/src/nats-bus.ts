import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { isRedriveError } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { RetryManager } from '@redrive/core/manager';
import {
  BUS_CAPABILITIES,
  BUS_TIMEOUTS,
  type Bus,
  type BusCheck,
  type BusMessage,
  type BusSource,
  type ConsumeOptions,
  type Consumption,
  type Delivery,
  type PublishResult,
  type Take,
} from '@redrive/durable/events';
import { BusCalls, refuseErrors } from '@redrive/durable/store';
import { parseAddress } from './address.ts';
import { CLASSIFIERS, Link } from './connection.ts';
import { NatsConsumption } from './consumption.ts';
import { storedDelivery } from './delivery.ts';
import { publishOne } from './publish.ts';
import { allow, create, find, type NatsSource, namesOf, problemsOf, roomFor } from './source.ts';

/** Short: a cluster that elects a leader answers some requests never, and the consumption asks again. */
const LOOK_MS = 1_000;

export interface NatsBusOptions {
  /**
   * Retries of connect, publish, subscribe and declare, by their categories (`NATS_CONNECT`, …). Default: a manager with
   * the built-in policies and no sink. The time limits of the port hold with any policy.
   */
  readonly manager?: RetryManager | undefined;
}

const OPTIONS: OptionTable<NatsBusOptions> = { manager: [undefined] };

/**
 * Events of NATS JetStream: each source is a durable pull consumer with explicit acknowledgement. Connects at the first
 * call. Works with servers 2.9 and newer.
 *
 * @param url `nats://host:4222`, `tls://…`, several comma-separated; with `user:password@` or `token@`.
 * @throws RedriveError `invalid_option` for another URL.
 */
export function natsBus(url: string, options: NatsBusOptions = {}): Bus {
  return new NatsBus(url, resolveOptions('NATS bus', options, OPTIONS));
}

class NatsBus implements Bus {
  readonly name: string;
  readonly capabilities = BUS_CAPABILITIES.nats;
  readonly #calls: BusCalls;
  readonly #link: Link;
  readonly #consumptions = new Set<NatsConsumption>();

  constructor(url: string, { manager }: NatsBusOptions) {
    const address = parseAddress(url);
    this.name = address.name;
    this.#calls = new BusCalls(address.name, CLASSIFIERS, manager);
    this.#link = new Link(address, this.#calls);
  }

  async publish(messages: readonly BusMessage[]): Promise<readonly PublishResult[]> {
    const connection = await this.#link.get();
    // All are awaited, so that no confirmation comes after this call has rejected.
    const results = await Promise.allSettled(
      messages.map((message) => publishOne(connection, this.#calls, message)),
    );
    return results.map((result) => {
      if (result.status === 'rejected') throw this.#unavailable(result.reason);
      return result.value;
    });
  }

  async consume(source: BusSource, options: ConsumeOptions, take: Take): Promise<Consumption> {
    await this.#link.get();
    const names = namesOf(source);
    await this.#calls.run(
      'NATS_SUBSCRIBE',
      `Subscribe to ${source.name}`,
      BUS_TIMEOUTS.connectMs,
      async () => {
        const manager = await this.#manager();
        const found = await find(manager, names);
        refuseErrors(this.name, source, problemsOf(source, names, found));
        const room = found.consumer ? roomFor(options.prefetch, found.consumer) : 0;
        if (found.consumer?.config.max_ack_pending !== room) await allow(manager, names, room);
      },
    );
    const look = () => this.#look(names, (manager) => find(manager, names), LOOK_MS);
    const makeRoom = (room: number) =>
      this.#look(names, (manager) => allow(manager, names, room), LOOK_MS);
    // Another one than at the beginning, if that was closed during the calls.
    const connection = await this.#link.get();
    const consumption = new NatsConsumption(
      connection,
      { ...names, look, makeRoom },
      options,
      take,
    );
    const forget = this.#link.observe((change) => consumption.onLink(change));
    this.#consumptions.add(consumption);
    return {
      pause: () => consumption.pause(),
      resume: () => consumption.resume(),
      stop: async () => {
        forget();
        await consumption.stop();
        this.#consumptions.delete(consumption);
      },
    };
  }

  async check(source: BusSource): Promise<BusCheck> {
    const names = namesOf(source);
    const found = await this.#look(names, (manager) => find(manager, names));
    const problems = problemsOf(source, names, found);
    const { stream, consumer } = found;
    if (consumer === undefined) return { problems, waiting: stream?.state.messages };
    const { num_pending: waiting, num_ack_pending: unacknowledged } = consumer;
    return { problems, waiting, unacknowledged };
  }

  async declare(source: BusSource): Promise<readonly string[]> {
    const names = namesOf(source);
    if (names.stream === '') refuseErrors(this.name, source, problemsOf(source, names, {}));
    await this.#link.get();
    return this.#calls.run(
      'NATS_STREAM_CREATE',
      `Declare ${source.name}`,
      BUS_TIMEOUTS.connectMs,
      async () => {
        const manager = await this.#manager();
        return create(manager, names, await find(manager, names));
      },
    );
  }

  async peek(source: BusSource, limit: number): Promise<readonly Delivery[]> {
    const names = namesOf(source);
    return this.#look(names, async (manager) => {
      const { stream, consumer } = await find(manager, names);
      if (stream === undefined) return [];
      const deliveries: Delivery[] = [];
      let seq = (consumer?.ack_floor.stream_seq ?? 0) + 1;
      const delivered = consumer?.delivered.stream_seq ?? 0;
      while (deliveries.length < limit) {
        const query = { next_by_subj: names.subject, seq };
        const message = await manager.streams.getMessage(names.stream, query);
        if (message === null) break;
        deliveries.push(storedDelivery(names.stream, message, message.seq <= delivered));
        seq = message.seq + 1;
      }
      return deliveries;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumptions].map((consumption) => consumption.stop()));
    this.#consumptions.clear();
    await this.#link.close();
  }

  async #manager(timeout: number = BUS_TIMEOUTS.publishMs): Promise<JetStreamManager> {
    return jetstreamManager(await this.#link.get(), { checkAPI: false, timeout });
  }

  async #look<T>(
    { name }: NatsSource,
    look: (manager: JetStreamManager) => Promise<T>,
    timeout?: number,
  ): Promise<T> {
    try {
      return await look(await this.#manager(timeout));
    } catch (error) {
      throw this.#calls.asBusError(`Look at ${name}`, error);
    }
  }

  /** A closed connection refuses every call; for the caller the bus is away. */
  #unavailable(error: unknown): unknown {
    const isClosed = isRedriveError(error, 'bus_refused') && /clos|drain/i.test(error.message);
    return isClosed ? this.#link.closedError() : error;
  }
}
