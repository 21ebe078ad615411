import {
  createInbox,
  type Msg,
  type NatsConnection,
  nanos,
  type Subscription,
} from '@nats-io/transport-node';
import { RedriveError, systemClock, type Timer } from '@redrive/core';
import {
  BUS_TIMEOUTS,
  type BusNotice,
  type ConsumeOptions,
  type Consumption,
  type Take,
} from '@redrive/durable/events';
import { toDelivery } from './delivery.ts';

/** How long the server keeps a request for messages. */
const PULL_MS = 30_000;
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
  look(): Promise<{ readonly consumer?: unknown }>;
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
    await withinFetchTime(this.#connection.flush());
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
    if (change.kind === 'restored') void this.#requestAgain();
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
      JSON.stringify({ batch: room, expires: nanos(PULL_MS) }),
      { reply: inbox },
    );
    this.#requested = room;
    // A server that neither delivers nor says that the time is up has lost the request.
    this.#requestAgainIn(PULL_MS + BUS_TIMEOUTS.fetchMs);
  }

  #requestAgainIn(delayMs: number): void {
    this.#pullTimer?.cancel();
    this.#pullTimer = systemClock.setTimer(delayMs, () => void this.#requestAgain());
  }

  /** Requests, and ends if the consumer is gone: the answer to a request is then the same as for one without a leader. */
  async #requestAgain(): Promise<void> {
    this.#requested = 0;
    this.#request();
    if (this.#isLooking) return;
    this.#isLooking = true;
    const found = await this.#from.look().catch(() => undefined);
    this.#isLooking = false;
    if (found && found.consumer === undefined) this.#failGone('it does not exist');
  }

  #closeRequest(): void {
    this.#requested = 0;
    this.#pullTimer?.cancel();
  }

  #receive(message: Msg): void {
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
      if (subscription !== undefined) await withinFetchTime(subscription.drain());
      // Being asked, the server drops the open request, which has no subscription any more. Otherwise it would try to
      // deliver returned messages to it; 2.9 then delivers them only after ack_wait, and the newest message twice.
      if (this.#buffer.length > 0) await withinFetchTime(this.#from.look());
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

/** Resolves when the promise settles, or after the time of `BUS_TIMEOUTS`: a lost connection must not stop the caller. */
function withinFetchTime(promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemClock.setTimer(BUS_TIMEOUTS.fetchMs, resolve);
    const settle = () => {
      timer.cancel();
      resolve();
    };
    promise.then(settle, settle);
  });
}
