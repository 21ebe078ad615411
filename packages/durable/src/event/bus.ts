/**
 * The port of a message broker. An adapter moves messages and acknowledges them; it decides nothing about retries: the
 * consumer stores each message as a job before the adapter acknowledges it.
 *
 * Trouble with the broker itself (unreachable, too slow, connection lost) rejects with a `RedriveError`, code
 * `bus_unavailable`, within the times of `BUS_TIMEOUTS`. Code `bus_refused`: the broker answered, and the same call
 * fails again until somebody changes something (credentials, a stream that does not exist). Messages of errors never
 * contain passwords.
 */
export interface Bus {
  /** In errors, logs and `status`: `memory`, `nats://host:4222` without credentials. */
  readonly name: string;
  readonly capabilities: BusCapabilities;

  /**
   * Publishes all messages at once. Resolves after the broker has confirmed or refused each one, with one result per
   * message in the same order. A message that no destination takes is a result (`unroutable`), not an error. Rejects
   * where at least one message got no answer: any of them may have been published, so the caller publishes all of them
   * again with the same ids.
   */
  publish(messages: readonly BusMessage[]): Promise<readonly PublishResult[]>;

  /**
   * Starts to take messages of a source; resolves when the broker has accepted the subscription. `take` gets messages in
   * the broker's order as soon as they arrive, 1 to `prefetch` per call, never two calls at once.
   *
   * - `take` resolves: exactly these messages are acknowledged, never earlier.
   * - `take` rejects: none of them is acknowledged, all go back to the broker, and the consumption is paused until
   *   `resume()`.
   * - The connection or this process is lost: messages without acknowledgement are delivered again.
   *
   * After a lost connection the adapter connects again by itself, for as long as it takes. A bus that does not deliver
   * (`capabilities.delivers`) calls `take` never.
   */
  consume(source: BusSource, options: ConsumeOptions, take: Take): Promise<Consumption>;

  /**
   * Reports all problems of a source at once: names that do not exist, missing rights, settings that lose messages.
   * Changes nothing. Rejects only where the broker does not answer.
   */
  check(source: BusSource): Promise<BusCheck>;

  /**
   * Creates the stream, queue and consumer of a source where they are missing, durable and without a delivery limit, and
   * resolves with their names, such as `stream docs`. Existing ones stay as they are: a second call resolves with `[]`.
   */
  declare(source: BusSource): Promise<readonly string[]>;

  /**
   * The oldest messages of a source that are not acknowledged yet, at most `limit`. Changes no counts and no order.
   * Absent where the broker cannot do that.
   */
  peek?(source: BusSource, limit: number): Promise<readonly Delivery[]>;

  /**
   * Stops all consumptions, then closes the connection. Calls that have no answer yet reject. Safe to call twice.
   * `await using` calls it.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A message to publish. */
export interface BusMessage {
  /** JetStream: the subject. RabbitMQ: the queue, or `exchange/routing key`. Memory and store: the source's subject. */
  readonly destination: string;
  readonly body: Uint8Array;
  /** Header names and values. Adapters write other types as JSON text. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Identity of the message: `Nats-Msg-Id` or `message-id`. Default: none. */
  readonly id?: string | undefined;
}

/** A message of a source. `destination` is the subject or routing key that its publisher named. */
export interface Delivery extends BusMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Stream and sequence, such as `docs-42`: the same at each redelivery. Absent where the broker has no numbers. */
  readonly position?: string | undefined;
  /** The broker has delivered this message before, so it may be stored already. */
  readonly redelivered: boolean;
}

export type PublishResult =
  /** `duplicate`: the broker has a message with this id already, and kept that one. */
  | { readonly published: true; readonly duplicate: boolean }
  | {
      readonly published: false;
      readonly reason: 'unroutable' | 'too_large' | 'refused';
      /** The broker's own words, or which limit applies. */
      readonly message: string;
    };

/** Where messages come from. An adapter reads the names that its broker has and reports the others in `check`. */
export interface BusSource {
  /** The source's name in `redrive.yaml`: also the name of the durable consumer and the connection. */
  readonly name: string;
  /** JetStream. */
  readonly stream?: string | undefined;
  /** JetStream: the filter, wildcards allowed. Memory and store: the subject. Default: the source's name. */
  readonly subject?: string | undefined;
  /** RabbitMQ. */
  readonly queue?: string | undefined;
}

/** Resolves when the messages are stored. See `Bus.consume`. */
export type Take = (deliveries: readonly Delivery[]) => Promise<void>;

export interface ConsumeOptions {
  /** Messages without acknowledgement at a time: 1 to 10,000. */
  readonly prefetch: number;
  /** Reports the state of the subscription: at each change, not at the start. */
  readonly notify?: ((notice: BusNotice) => void) | undefined;
}

/** `lost`: the adapter tries again by itself. `failed`: it gave up, because the broker refuses; call `consume` again. */
export type BusNotice =
  | { readonly kind: 'lost' | 'failed'; readonly error: unknown }
  | { readonly kind: 'restored' };

export interface Consumption {
  /** Takes nothing more. Messages that `take` has not got go back to the broker. Resolves after a running `take`. */
  pause(): Promise<void>;
  /** Takes messages again. Does nothing where the consumption is not paused, or stopped. */
  resume(): void;
  /** Like `pause`, for good: resolves after the acknowledgement of a running `take` was sent. Safe to call twice. */
  stop(): Promise<void>;
}

export interface BusCheck {
  readonly problems: readonly BusProblem[];
  /** Messages that wait in the broker and are not delivered yet. Absent where the broker does not say. */
  readonly waiting?: number | undefined;
  /** Messages that are delivered and not acknowledged. Absent where the broker does not say. */
  readonly unacknowledged?: number | undefined;
}

/** `error`: messages cannot be taken, or are lost. `warning`: they may be lost or duplicated in some cases. */
export interface BusProblem {
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly remedy: string;
}

/** The differences between adapters. Code and conformance tests read this table. */
export interface BusCapabilities {
  /** Messages wait in the bus and are given to `take`. `false`: `publish` itself stores them as jobs of their sources. */
  readonly delivers: boolean;
  /** A second publish of the same id is recognised within the broker's window. */
  readonly deduplicates: boolean;
  /** Deliveries have a `position`. */
  readonly positions: boolean;
}

export const BUS_CAPABILITIES = {
  memory: { delivers: true, deduplicates: true, positions: true },
  store: { delivers: false, deduplicates: true, positions: false },
  nats: { delivers: true, deduplicates: true, positions: true },
  rabbitmq: { delivers: true, deduplicates: false, positions: false },
} as const satisfies Record<string, BusCapabilities>;

/** Upper bounds of every call to a broker: to connect, to confirm a publish, to answer a fetch beyond its own wait. */
export const BUS_TIMEOUTS = { connectMs: 10_000, publishMs: 5_000, fetchMs: 2_000 } as const;

/** Larger messages are never stored as a job: a dead letter gets their head and their hash. */
export const MAX_EVENT_BYTES = 1_048_576;
