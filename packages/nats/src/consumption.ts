import {
  createInbox,
  type Msg,
  type NatsConnection,
  nanos,
  type Subscription,
} from '@nats-io/transport-node';
import { RedriveError, systemClock, type Timer } from '@redrive/core';
import type { BusNotice, ConsumeOptions, Consumption, Take } from '@redrive/durable/events';
import { settledSoon } from '@redrive/durable/store';
import { toDelivery } from './delivery.ts';
import { type Found, roomFor } from './source.ts';

/** How long the server keeps a request for messages. */
const PULL_MS = 30_000;
/** How often the server sends a sign of life while it has no message for the request. */
const HEARTBEAT_MS = 1_000;
/** A server that is silent for this time has lost the request: the consumer had no leader, for example. */
const SILENT_MS = 2 * HEARTBEAT_MS + 500;
/** Until the next request after the server has refused one, because its leader changes for example. */
const REFUSED_MS = 250;
/** Messages that are not stored yet stay ours: far below the server's `ack_wait` of 30 s. */
const WORKING_MS = 10_000;

const ACK = '+ACK';
const NAK = '-NAK';
const WORKING = '+WPI';

export interface PulledConsumer {
  readonly stream: string;
  readonly consumer: string;
  /** Asks the server about the consumer. */
  look(): Promise<Pick<Found, 'consumer'>>;
  /** Lets the server deliver this number of messages without acknowledgement, over all processes. */
  makeRoom(messages: number): Promise<void>;
}

/**
 * Takes messages of a durable pull consumer. One request for messages is open at a time, for as many as fit.
 *
 * ```
 *  request ──► server ──► #buffer ──► #taken (take is running) ──► ACK
 *     ▲                      │ ▲           │
 *     └── room again         │ └───────────┘ take rejected: paused
 *                            └─ pause, stop: the subscription ends ──► NAK
 * ```
 */
export class NatsConsumption implements Consumption {
  readonly #connection: NatsConnection;
  readonly #from: PulledConsumer;
  readonly #prefetch: number;
  readonly #notify: (notice: BusNotice) => void;
  readonly #take: Take;
  #state: 'taking' | 'paused' | 'stopped' = 'taking';
  #subscription: Subscription | undefined;
  /** Messages that the open request may still bring. 0: no request is open. */
  #requested = 0;
  /** When the server sent something for the open request. */
  #lastSignAtMs = 0;
  #buffer: Msg[] = [];
  #taken: readonly Msg[] = [];
  #running: Promise<void> | undefined;
  /** Giving messages back takes a while: the next subscription begins after it. */
  #returning: Promise<void> = Promise.resolve();
  #isLooking = false;
  #pullTimer: Timer | undefined;
  #workingTimer: Timer | undefined;

  constructor(
    connection: NatsConnection,
    from: PulledConsumer,
    { prefetch, notify }: ConsumeOptions,
    take: Take,
  ) {
    this.#connection = connection;
    this.#from = from;
    this.#prefetch = prefetch;
    this.#notify = (notice) => notify?.(notice);
    this.#take = take;
    this.#subscribe();
  }

  async pause(): Promise<void> {
    if (this.#state === 'taking') this.#state = 'paused';
    await this.#giveBack();
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'taking';
    void this.#returning.then(() => this.#subscribe());
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    await this.#giveBack();
    await settledSoon(this.#connection.flush());
  }

  /** The connection of the bus has changed. */
  onLink(change: BusNotice): void {
    if (this.#state === 'stopped') return;
    if (change.kind === 'failed') {
      this.#fail(change.error);
      return;
    }
    this.#notify(change);
    // The server forgot the request with the connection.
    this.#closeRequest();
    if (change.kind === 'restored') this.#requestAgain();
  }

  #subscribe(): void {
    if (this.#state !== 'taking' || this.#subscription !== undefined) return;
    try {
      this.#subscription = this.#connection.subscribe(createInbox(), {
        callback: (error, message) => {
          if (error === null) this.#receive(message);
          else this.#fail(error);
        },
      });
      this.#keepWorking();
      this.#request();
    } catch (error) {
      this.#fail(error);
    }
  }

  #request(): void {
    const room = this.#prefetch - this.#buffer.length - this.#taken.length;
    const inbox = this.#subscription?.getSubject();
    if (this.#state !== 'taking' || inbox === undefined || this.#requested > 0 || room <= 0) return;
    const { stream, consumer } = this.#from;
    this.#connection.publish(
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
      JSON.stringify({
        batch: room,
        expires: nanos(PULL_MS),
        idle_heartbeat: nanos(HEARTBEAT_MS),
      }),
      { reply: inbox },
    );
    this.#requested = room;
    this.#lastSignAtMs = systemClock.monotonic();
    this.#watch(SILENT_MS);
  }

  /** Requests again when the server is silent. A message costs no timer. */
  #watch(delayMs: number): void {
    this.#pullTimer?.cancel();
    this.#pullTimer = systemClock.setTimer(delayMs, () => {
      const leftMs = SILENT_MS - (systemClock.monotonic() - this.#lastSignAtMs);
      if (leftMs > 0) {
        this.#watch(leftMs);
        return;
      }
      this.#renew();
      void this.#lookUntilAnswered();
    });
  }

  /** Requests on another inbox: a server that is only slow drops the request of an inbox that is gone, and serves one. */
  #renew(): void {
    this.#subscription?.drain().catch(() => {});
    this.#subscription = undefined;
    this.#requested = 0;
    this.#subscribe();
  }

  #requestAgainIn(delayMs: number): void {
    this.#pullTimer?.cancel();
    this.#pullTimer = systemClock.setTimer(delayMs, () => this.#requestAgain());
  }

  #requestAgain(): void {
    this.#requested = 0;
    this.#request();
    void this.#lookUntilAnswered();
  }

  async #lookUntilAnswered(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    let isLate = false;
    while (!(await this.#look()) && this.#state === 'taking') {
      isLate = true;
      await new Promise<void>((resolve) => systemClock.setTimer(REFUSED_MS, resolve).hold(false));
    }
    this.#isLooking = false;
    // The server has lost requests until now. It has a leader again.
    if (isLate && this.#state === 'taking') this.#renew();
  }

  /**
   * Ends if the consumer is gone: the answer to a request is then the same as for one without a leader. Makes room for
   * messages that were lost on their way. Resolves with false if the server did not answer.
   */
  async #look(): Promise<boolean> {
    try {
      const { consumer } = await this.#from.look();
      if (consumer === undefined) this.#failGone('it does not exist');
      else {
        const own = this.#buffer.length + this.#taken.length;
        const room = roomFor(this.#prefetch, consumer, own);
        // Only more: others may need what they have set.
        if (room > (consumer.config.max_ack_pending ?? 0)) await this.#from.makeRoom(room);
      }
      return true;
    } catch {
      return false;
    }
  }

  #closeRequest(): void {
    this.#requested = 0;
    this.#pullTimer?.cancel();
  }

  #receive(message: Msg): void {
    this.#lastSignAtMs = systemClock.monotonic();
    const status = message.headers?.code ?? 0;
    if (status >= 100 && message.data.length === 0 && !message.reply) {
      this.#receiveStatus(status, message.headers?.description ?? '');
      return;
    }
    this.#requested -= 1;
    if (this.#requested <= 0) this.#closeRequest();
    this.#buffer.push(message);
    this.#run();
  }

  #receiveStatus(status: number, description: string): void {
    // An idle heartbeat.
    if (status === 100) return;
    // 408: the time of the request is up. Others: it was refused, and a new one at once would be refused too.
    this.#closeRequest();
    if (/consumer deleted|push based/i.test(description)) this.#failGone(description);
    else if (status === 408) this.#request();
    else this.#requestAgainIn(REFUSED_MS);
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
      this.#taken = this.#buffer.splice(0, this.#prefetch);
      // The next messages come while these are stored.
      this.#request();
      try {
        await this.#take(this.#taken.map(toDelivery));
        for (const message of this.#taken) this.#respond(message, ACK);
      } catch {
        if (this.#state === 'taking') this.#state = 'paused';
        // Given back after the subscription has ended: its open request would get them again.
        this.#buffer.unshift(...this.#taken);
      }
      this.#taken = [];
      this.#request();
    }
    // After a take that rejected; pause and stop give back by themselves.
    if (this.#state === 'paused') void this.#returnAll();
  }

  async #giveBack(): Promise<void> {
    await this.#running;
    // Resumed meanwhile: the subscription goes on.
    if (this.#state !== 'taking') await this.#returnAll();
  }

  #returnAll(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    this.#closeRequest();
    this.#workingTimer?.cancel();
    this.#returning = this.#returning.then(async () => {
      // Messages that are on their way arrive until the server has confirmed the end of the subscription.
      if (subscription !== undefined) await settledSoon(subscription.drain());
      // Being asked, the server drops the open request, which has no subscription any more. Otherwise it would try to
      // deliver returned messages to it; 2.9 then delivers them only after ack_wait, and the newest message twice.
      if (this.#buffer.length > 0) await settledSoon(this.#from.look());
      for (const message of this.#buffer.splice(0)) this.#respond(message, NAK);
    });
    return this.#returning;
  }

  #keepWorking(): void {
    this.#workingTimer?.cancel();
    this.#workingTimer = systemClock.setTimer(WORKING_MS, () => {
      for (const message of [...this.#taken, ...this.#buffer]) this.#respond(message, WORKING);
      this.#keepWorking();
    });
    this.#workingTimer.hold(false);
  }

  #respond(message: Msg, answer: string): void {
    try {
      message.respond(answer);
    } catch {
      // The connection is closed: the server delivers the message again.
    }
  }

  #failGone(reason: string): void {
    const { stream, consumer } = this.#from;
    const text = `Consumer ${consumer} of stream ${stream} cannot be used any more: ${reason}. Run declare() again.`;
    this.#fail(new RedriveError('bus_refused', text, { stream, consumer }));
  }

  #fail(error: unknown): void {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    void this.#giveBack();
    this.#notify({ kind: 'failed', error });
  }
}
