import { RedriveError, systemClock } from '@redrive/core';
import {
  BUS_TIMEOUTS,
  type BusNotice,
  type ConsumeOptions,
  type Consumption,
  type Take,
} from '@redrive/durable/events';
import type { BusCalls } from '@redrive/durable/store';
import type { Channel, ConsumeMessage } from 'amqplib';
import { CATEGORY, closeSoon, type Link } from './connection.ts';
import { toDelivery } from './delivery.ts';

const RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 5_000;

/**
 * Takes messages of a queue, on a channel of its own. The server gives a channel at most `prefetch` messages without
 * acknowledgement; closing the channel gives back all of them, so pause, stop and a take that rejected do just that.
 */
export class RabbitmqConsumption implements Consumption {
  readonly #link: Link;
  readonly #calls: BusCalls;
  readonly #queue: string;
  readonly #options: ConsumeOptions;
  readonly #take: Take;
  #state: 'taking' | 'paused' | 'stopped' = 'taking';
  #channel: Channel | undefined;
  #buffer: ConsumeMessage[] = [];
  #running: Promise<void> | undefined;
  /** Opening and closing of channels, one after the other. */
  #changing: Promise<void> = Promise.resolve();
  #reopening: Promise<void> | undefined;
  /** Reported as lost, and not as restored yet. */
  #isLost = false;

  constructor(link: Link, calls: BusCalls, queue: string, options: ConsumeOptions, take: Take) {
    this.#link = link;
    this.#calls = calls;
    this.#queue = queue;
    this.#options = options;
    this.#take = take;
  }

  /** Begins. @throws RedriveError `bus_unavailable`, `bus_refused`. */
  async start(): Promise<void> {
    const operation = `Consume ${this.#queue}`;
    await this.#calls.run(CATEGORY, operation, BUS_TIMEOUTS.connectMs, (signal) =>
      this.#open(signal),
    );
  }

  async pause(): Promise<void> {
    if (this.#state === 'taking') this.#state = 'paused';
    await this.#giveBack();
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'taking';
    this.#reopen();
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    await this.#running;
    // Resumed meanwhile: the channel stays, with messages that nobody took during the pause.
    if (this.#state === 'taking') this.#run();
    else await this.#close();
  }

  async #open(signal: AbortSignal): Promise<void> {
    const channel = await (await this.#link.get()).createChannel();
    let isOpen = false;
    const abandon = (): void => {
      if (isOpen) return;
      if (this.#channel === channel) this.#channel = undefined;
      void closeSoon(channel);
    };
    channel.on('error', () => {});
    // A call that fails closes the channel too, and rejects.
    channel.on('close', () => {
      if (isOpen) this.#lose(channel);
    });
    // A server whose queue has no leader does not answer; the next attempt opens another channel.
    signal.addEventListener('abort', abandon, { once: true });
    try {
      signal.throwIfAborted();
      await channel.prefetch(this.#options.prefetch);
      this.#buffer = [];
      this.#channel = channel;
      await channel.consume(this.#queue, (message) => this.#receive(channel, message));
      signal.throwIfAborted();
      isOpen = true;
    } catch (error) {
      abandon();
      throw error;
    }
  }

  #receive(channel: Channel, message: ConsumeMessage | null): void {
    if (this.#channel !== channel) return;
    if (message === null) {
      const text = `Queue ${this.#queue} ended the consumption: it was deleted, or moved to another node`;
      this.#lose(channel, new RedriveError('bus_unavailable', text, { queue: this.#queue }));
      return;
    }
    this.#buffer.push(message);
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#takeAll().finally(() => {
      this.#running = undefined;
      // A message that came after the last look has started nothing.
      if (this.#state === 'taking' && this.#buffer.length > 0) this.#run();
    });
  }

  async #takeAll(): Promise<void> {
    // One turn, so that messages of the same packet are taken together.
    await Promise.resolve();
    while (this.#state === 'taking' && this.#buffer.length > 0) {
      const channel = this.#channel;
      const batch = this.#buffer.splice(0, this.#options.prefetch);
      try {
        await this.#take(batch.map(toDelivery));
        // One acknowledgement for all up to the last: they are the oldest that this channel has.
        const last = batch.at(-1);
        if (channel !== undefined && this.#channel === channel && last) channel.ack(last, true);
      } catch {
        if (this.#state === 'taking') this.#state = 'paused';
        void this.#close();
      }
    }
  }

  /** Closes the channel, which gives back its messages. */
  #close(): Promise<void> {
    const channel = this.#channel;
    this.#channel = undefined;
    this.#buffer = [];
    this.#changing = this.#changing.then(() => closeSoon(channel));
    return this.#changing;
  }

  /** The server or the network closed the channel. */
  #lose(channel: Channel, error?: RedriveError): void {
    if (this.#channel !== channel) return;
    void this.#close();
    if (this.#state !== 'taking') return;
    this.#notify({ kind: 'lost', error: error ?? this.#lostError() });
    this.#isLost = true;
    this.#reopen();
  }

  /** One loop at a time: each of two would open a channel, and the server would give messages to both. */
  #reopen(): void {
    this.#reopening ??= this.#openAgain().finally(() => {
      this.#reopening = undefined;
      // Resumed, or lost again, at the end of the loop.
      if (this.#state === 'taking' && this.#channel === undefined) this.#reopen();
    });
  }

  async #openAgain(): Promise<void> {
    for (let waitMs = RECONNECT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_RECONNECT_MS)) {
      await this.#changing;
      if (this.#state !== 'taking' || this.#channel !== undefined) return;
      try {
        const opening = this.start();
        this.#changing = opening.catch(() => {});
        await opening;
        if (this.#isLost) this.#notify({ kind: 'restored' });
        this.#isLost = false;
        // Paused or stopped meanwhile: that call saw no channel to close.
        if (this.#state !== 'taking') await this.#close();
        return;
      } catch (error) {
        const isRefused = this.#calls.asBusError('Consume', error).code === 'bus_refused';
        if (isRefused && this.#state === 'taking') {
          this.#state = 'stopped';
          this.#notify({ kind: 'failed', error });
          return;
        }
        await new Promise<void>((resolve) => systemClock.setTimer(waitMs, resolve).hold(false));
      }
    }
  }

  #lostError(): RedriveError {
    const text = `The channel of queue ${this.#queue} is lost`;
    return new RedriveError('bus_unavailable', text, { queue: this.#queue });
  }

  #notify(notice: BusNotice): void {
    this.#options.notify?.(notice);
  }
}
