import { BUS_TIMEOUTS, type BusMessage, type PublishResult } from '@redrive/durable/events';
import type { BusCalls } from '@redrive/durable/store';
import type { ConfirmChannel } from 'amqplib';
import { CATEGORY, type Link, replyCodeOf } from './connection.ts';
import { MARK, publishOptions, routeOf } from './delivery.ts';

const NOT_FOUND = 404;

/** The largest message that servers of any version take by default. */
const MAX_BYTES = 16 * 2 ** 20;

/** Publishes with confirmation, on one channel until the server nacks or closes it. */
export class Publisher {
  readonly #link: Link;
  readonly #calls: BusCalls;
  #channel: Promise<ConfirmChannel> | undefined;
  #marks = 0;
  /** Marks of messages that the server returned, each until its confirmation, which follows at once. */
  readonly #returned = new Set<string>();
  /** Exchanges that are known to exist: a publish to another one closes the channel for all. */
  readonly #exchanges = new Set(['']);

  constructor(link: Link, calls: BusCalls) {
    this.#link = link;
    this.#calls = calls;
  }

  async publish(message: BusMessage): Promise<PublishResult> {
    const { destination, body, id } = message;
    if (body.length > MAX_BYTES) {
      return no('too_large', `The message has ${body.length} bytes, more than ${MAX_BYTES}`);
    }
    // A confirmation is lost with its connection. A message with an id is sent again meanwhile: consumers recognise it.
    const attemptMs = Math.floor(BUS_TIMEOUTS.publishMs / (id === undefined ? 1 : 3));
    const call = async (signal: AbortSignal): Promise<PublishResult> => {
      if (!(await this.#hasExchange(destination))) {
        return no('unroutable', `Exchange ${routeOf(destination).exchange} does not exist`);
      }
      return this.#attempt(message, signal);
    };
    const operation = `Publish to ${destination}`;
    return this.#calls.run(CATEGORY, operation, BUS_TIMEOUTS.publishMs, call, attemptMs);
  }

  async #hasExchange(destination: string): Promise<boolean> {
    const { exchange } = routeOf(destination);
    if (this.#exchanges.has(exchange)) return true;
    try {
      await this.#link.onChannel((channel) => channel.checkExchange(exchange));
      this.#exchanges.add(exchange);
      return true;
    } catch (error) {
      if (replyCodeOf(error) === NOT_FOUND) return false;
      throw error;
    }
  }

  async #attempt(message: BusMessage, signal: AbortSignal): Promise<PublishResult> {
    const opening = this.#channel ?? this.#open();
    this.#channel = opening;
    const { exchange, key } = routeOf(message.destination);
    this.#marks += 1;
    const mark = String(this.#marks);
    try {
      const channel = await opening;
      // A channel that has not confirmed in time may never confirm again.
      signal.addEventListener('abort', () => this.#leave(opening), { once: true });
      await new Promise<void>((resolve, reject) => {
        channel.publish(
          exchange,
          key,
          Buffer.from(message.body.buffer, message.body.byteOffset, message.body.length),
          publishOptions(message, mark),
          // amqplib passes null for a confirmed message.
          (error: unknown) => (error ? reject(error) : resolve()),
        );
      });
    } catch (error) {
      // After a nack, the channel of a lost queue leader nacks every message.
      this.#leave(opening);
      if (exchange !== '') this.#exchanges.delete(exchange);
      throw error;
    }
    if (!this.#returned.delete(mark)) return { published: true, duplicate: false };
    return no('unroutable', `No queue takes messages for ${message.destination}`);
  }

  async #open(): Promise<ConfirmChannel> {
    const channel = await (await this.#link.get()).createConfirmChannel();
    const opened = this.#channel;
    channel.on('error', () => {});
    channel.on('close', () => {
      if (this.#channel === opened) this.#channel = undefined;
    });
    channel.on('return', ({ properties }) => {
      this.#returned.add(String(properties.headers?.[MARK]));
    });
    return channel;
  }

  #leave(opening: Promise<ConfirmChannel>): void {
    if (this.#channel !== opening) return;
    this.#channel = undefined;
    void opening.then((channel) => channel.close()).catch(() => {});
  }
}

function no(
  reason: Extract<PublishResult, { published: false }>['reason'],
  message: string,
): PublishResult {
  return { published: false, reason, message };
}
