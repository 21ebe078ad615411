import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { isRedriveError, RedriveError } from '@redrive/core';
import type { RetryManager } from '@redrive/core/manager';
import {
  BUS_CAPABILITIES,
  BUS_TIMEOUTS,
  type Bus,
  type BusCheck,
  type BusMessage,
  type BusProblem,
  type BusSource,
  type ConsumeOptions,
  type Consumption,
  type Delivery,
  type PublishResult,
  type Take,
} from '@redrive/durable/events';
import { parseAddress } from './address.ts';
import { Calls } from './calls.ts';
import { Link } from './connection.ts';
import { NatsConsumption } from './consumption.ts';
import { storedDelivery } from './delivery.ts';
import { publishOne } from './publish.ts';
import { create, type Found, find, type NatsSource, namesOf, problemsOf } from './source.ts';

export interface NatsBusOptions {
  /**
   * Retries of connect, publish, subscribe and declare, by their categories (`NATS_CONNECT`, …). Default: a manager with
   * the built-in policies and no sink. The time limits of the port hold with any policy.
   */
  readonly manager?: RetryManager | undefined;
}

/**
 * Events of NATS JetStream: each source is a durable pull consumer with explicit acknowledgement. Connects at the first
 * call. Works with servers 2.9 and newer.
 *
 * @param url `nats://host:4222`, `tls://…`, several comma-separated; with `user:password@` or `token@`.
 * @throws RedriveError `invalid_option` for another URL.
 */
export function natsBus(url: string, options: NatsBusOptions = {}): Bus {
  return new NatsBus(url, options);
}

class NatsBus implements Bus {
  readonly name: string;
  readonly capabilities = BUS_CAPABILITIES.nats;
  readonly #calls: Calls;
  readonly #link: Link;
  readonly #consumptions = new Set<NatsConsumption>();

  constructor(url: string, { manager }: NatsBusOptions) {
    const address = parseAddress(url);
    this.name = address.name;
    this.#calls = new Calls(address.name, manager);
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
        this.#refuse(source, problemsOf(source, names, found));
        if (found.consumer?.config.max_ack_pending === options.prefetch) return;
        await manager.consumers.update(names.stream, names.consumer, {
          max_ack_pending: options.prefetch,
        });
      },
    );
    const look = () => this.#find(names);
    // Another one than at the beginning, if that was closed during the calls.
    const connection = await this.#link.get();
    const consumption = new NatsConsumption(connection, { ...names, look }, options, take);
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
    const found = await this.#find(names);
    const problems = problemsOf(source, names, found);
    const { consumer } = found;
    if (consumer === undefined) return { problems };
    const { num_pending: waiting, num_ack_pending: unacknowledged } = consumer;
    return { problems, waiting, unacknowledged };
  }

  async declare(source: BusSource): Promise<readonly string[]> {
    const names = namesOf(source);
    if (names.stream === '') this.#refuse(source, problemsOf(source, names, {}));
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
    const { stream, consumer } = await this.#find(names);
    if (stream === undefined) return [];
    const manager = await this.#manager();
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
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumptions].map((consumption) => consumption.stop()));
    this.#consumptions.clear();
    await this.#link.close();
  }

  async #manager(): Promise<JetStreamManager> {
    const connection = await this.#link.get();
    return jetstreamManager(connection, { checkAPI: false, timeout: BUS_TIMEOUTS.publishMs });
  }

  async #find(names: NatsSource): Promise<Found> {
    try {
      return await find(await this.#manager(), names);
    } catch (error) {
      throw this.#calls.asBusError(`Look at ${names.name}`, error);
    }
  }

  #refuse(source: BusSource, problems: readonly BusProblem[]): void {
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return;
    const text = errors.map(({ problem, remedy }) => `${problem}. ${remedy}`).join(' ');
    throw new RedriveError(
      'bus_refused',
      `Source ${source.name} cannot be consumed from ${this.name}. ${text}`,
      { bus: this.name, source: source.name, problems: errors },
    );
  }

  /** A closed connection refuses every call; for the caller the bus is away. */
  #unavailable(error: unknown): unknown {
    const isClosed = isRedriveError(error, 'bus_refused') && /clos|drain/i.test(error.message);
    return isClosed ? this.#link.closedError() : error;
  }
}
