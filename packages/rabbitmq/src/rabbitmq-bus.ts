import { RedriveError } from '@redrive/core';
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
  type PublishResult,
  type Take,
} from '@redrive/durable/events';
import { parseAddress } from './address.ts';
import { Calls } from './calls.ts';
import { Link } from './connection.ts';
import { RabbitmqConsumption } from './consumption.ts';
import { Publisher } from './publisher.ts';
import { findQueue, newQueueArguments, problemsOf } from './queue.ts';

export interface RabbitmqBusOptions {
  /**
   * Retries of all calls, under the category `API_REQUEST`. Default: a manager with the built-in policies and no sink. The
   * time limits of the port hold with any policy.
   */
  readonly manager?: RetryManager | undefined;
}

/**
 * Events of RabbitMQ queues. Connects at the first call. Works with RabbitMQ 3.10 and newer.
 *
 * @param url `amqp://user:password@host:5672/vhost` or `amqps://…`; several nodes of a cluster comma-separated.
 * @throws RedriveError `invalid_option` for another URL.
 */
export function rabbitmqBus(url: string, options: RabbitmqBusOptions = {}): Bus {
  return new RabbitmqBus(url, options);
}

class RabbitmqBus implements Bus {
  readonly name: string;
  readonly capabilities = BUS_CAPABILITIES.rabbitmq;
  readonly #calls: Calls;
  readonly #link: Link;
  readonly #publisher: Publisher;
  readonly #consumptions = new Set<RabbitmqConsumption>();

  constructor(url: string, { manager }: RabbitmqBusOptions) {
    const address = parseAddress(url);
    this.name = address.name;
    this.#calls = new Calls(address.name, manager);
    this.#link = new Link(address, this.#calls);
    this.#publisher = new Publisher(this.#link, this.#calls);
  }

  async publish(messages: readonly BusMessage[]): Promise<readonly PublishResult[]> {
    await this.#link.get();
    // All are awaited, so that no confirmation comes after this call has rejected.
    const results = await Promise.allSettled(
      messages.map((message) => this.#publisher.publish(message)),
    );
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  async consume(source: BusSource, options: ConsumeOptions, take: Take): Promise<Consumption> {
    const { problems } = await this.check(source);
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) {
      const text = errors.map(({ problem, remedy }) => `${problem}. ${remedy}`).join(' ');
      throw new RedriveError(
        'bus_refused',
        `Source ${source.name} cannot be consumed from ${this.name}. ${text}`,
        { bus: this.name, source: source.name, problems: errors },
      );
    }
    const consumption = new RabbitmqConsumption(
      this.#link,
      this.#calls,
      source.queue ?? '',
      options,
      take,
    );
    await consumption.start();
    this.#consumptions.add(consumption);
    return {
      pause: () => consumption.pause(),
      resume: () => consumption.resume(),
      stop: async () => {
        await consumption.stop();
        this.#consumptions.delete(consumption);
      },
    };
  }

  async check(source: BusSource): Promise<BusCheck> {
    const { queue = '' } = source;
    const operation = `Look at ${source.name}`;
    return this.#calls.run(operation, BUS_TIMEOUTS.connectMs, async () => {
      const found = queue === '' ? undefined : await findQueue(this.#link, queue);
      const problems = problemsOf(source, found, await this.#version());
      return found === undefined ? { problems } : { problems, waiting: found.waiting };
    });
  }

  async declare(source: BusSource): Promise<readonly string[]> {
    const { name, queue = '' } = source;
    if (queue === '') {
      const text = `Source ${name} has no queue. Name it: queue: parsing.`;
      throw new RedriveError('bus_refused', text, { bus: this.name, source: name });
    }
    return this.#calls.run(`Declare ${name}`, BUS_TIMEOUTS.connectMs, async () => {
      if ((await findQueue(this.#link, queue)) !== undefined) return [];
      const settings = newQueueArguments(await this.#version());
      await this.#link.onChannel((channel) =>
        channel.assertQueue(queue, { durable: true, arguments: settings }),
      );
      return [`queue ${queue}`];
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumptions].map((consumption) => consumption.stop()));
    this.#consumptions.clear();
    await this.#link.close();
  }

  async #version(): Promise<string> {
    return (await this.#link.get()).connection.serverProperties.version;
  }
}
