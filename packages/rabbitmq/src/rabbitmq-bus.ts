import { RedriveError } from '@redrive/core';
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
  type PublishResult,
  type Take,
} from '@redrive/durable/events';
import { BusCalls, refuseErrors } from '@redrive/durable/store';
import { parseAddress } from './address.ts';
import { CATEGORY, CLASSIFIERS, Link } from './connection.ts';
import { RabbitmqConsumption } from './consumption.ts';
import { Publisher } from './publisher.ts';
import { newQueueArguments, problemsOf } from './queue.ts';
import { type QueueFound, QueueLook } from './queue-look.ts';

export interface RabbitmqBusOptions {
  /**
   * Retries of all calls, under the category `API_REQUEST`. Default: a manager with the built-in policies and no sink. The
   * time limits of the port hold with any policy.
   */
  readonly manager?: RetryManager | undefined;
}

const OPTIONS: OptionTable<RabbitmqBusOptions> = { manager: [undefined] };

/**
 * Events of RabbitMQ queues. Connects at the first call. Works with RabbitMQ 3.10 and newer.
 *
 * @param url `amqp://user:password@host:5672/vhost` or `amqps://…`; several nodes of a cluster comma-separated.
 * @throws RedriveError `invalid_option` for another URL.
 */
export function rabbitmqBus(url: string, options: RabbitmqBusOptions = {}): Bus {
  return new RabbitmqBus(url, resolveOptions('RabbitMQ bus', options, OPTIONS));
}

class RabbitmqBus implements Bus {
  readonly name: string;
  readonly capabilities = BUS_CAPABILITIES.rabbitmq;
  readonly #calls: BusCalls;
  readonly #link: Link;
  readonly #publisher: Publisher;
  readonly #consumptions = new Set<RabbitmqConsumption>();
  readonly #looks = new Map<string, QueueLook>();

  constructor(url: string, { manager }: RabbitmqBusOptions) {
    const address = parseAddress(url);
    this.name = address.name;
    this.#calls = new BusCalls(address.name, CLASSIFIERS, manager);
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
    this.#looks.get(source.queue ?? '')?.forget();
    const { problems } = await this.check(source);
    refuseErrors(this.name, source, problems);
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
    return this.#calls.run(CATEGORY, operation, BUS_TIMEOUTS.connectMs, async (signal) => {
      const found = queue === '' ? undefined : await this.#look(queue, signal);
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
    return this.#calls.run(CATEGORY, `Declare ${name}`, BUS_TIMEOUTS.connectMs, async (signal) => {
      if ((await this.#look(queue, signal)) !== undefined) return [];
      const settings = newQueueArguments(await this.#version());
      await this.#link.onChannel((channel) =>
        channel.assertQueue(queue, { durable: true, arguments: settings }),
      );
      return [`queue ${queue}`];
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

  #look(queue: string, signal: AbortSignal): Promise<QueueFound | undefined> {
    const look = this.#looks.get(queue) ?? new QueueLook(this.#link, queue);
    this.#looks.set(queue, look);
    return look.look(signal);
  }

  async #version(): Promise<string> {
    return (await this.#link.get()).connection.serverProperties.version;
  }
}
