import { setTimeout as sleep } from 'node:timers/promises';
import { RetryManager } from '@redrive/core/manager';
import type { Bus } from '@redrive/durable/events';
import { seededRandom } from '@redrive/testkit';
import { type BrokerKind, openBus, SOURCE } from './broker.ts';
import type { Evidence } from './evidence.ts';

/** Messages per call of `publish`. */
const BATCH = 100;
/** How long a broker may refuse one batch, its restarts included. */
const PATIENCE_MS = 120_000;
/** Between two sends of a batch. */
const PAUSE_MS = 50;

/** No retries of the adapter: each send has a number of its own, by which a redelivery is recognised. */
const ONCE = { maxAttempts: 1 } as const;

/** Sends each event one to five times, until the broker has confirmed each copy. */
export class EventPublisher {
  readonly #bus: Bus;
  readonly #evidence: Evidence;
  readonly #destination: string;
  readonly #random: () => number;
  #events = 0;
  #sends = 0;
  #confirmed = 0;
  /** The first send of each batch that the broker confirmed, and when. */
  readonly #confirmations: { readonly firstSend: number; readonly atMs: number }[] = [];

  constructor(kind: BrokerKind, url: string, seed: number, evidence: Evidence) {
    const policies = { RETRY_API_REQUEST: ONCE, RETRY_NATS_PUBLISH: ONCE };
    this.#bus = openBus(url, new RetryManager({ policies }));
    this.#evidence = evidence;
    this.#destination = (kind === 'nats' ? SOURCE.name : SOURCE.queue) ?? '';
    this.#random = seededRandom(seed);
  }

  /** Events, messages that were sent, and those that the broker has confirmed. */
  get counts(): { readonly events: number; readonly sends: number; readonly confirmed: number } {
    return { events: this.#events, sends: this.#sends, confirmed: this.#confirmed };
  }

  /** When the broker first confirmed a batch that was sent after the send with this number. */
  confirmedAfter(last: number): number | undefined {
    return this.#confirmations.find(({ firstSend }) => firstSend > last)?.atMs;
  }

  /** Sends the events up to this number. @throws Error where the broker does not take a batch within two minutes. */
  async send(upTo: number): Promise<void> {
    const copies: string[] = [];
    while (this.#events < upTo) {
      this.#events += 1;
      const id = `k${this.#events}`;
      const times = 1 + Math.floor(this.#random() * 5);
      for (let copy = 0; copy < times; copy++) copies.push(id);
      this.#evidence.attempted.write({ key: keyOf(id), atMs: Date.now() });
    }
    shuffle(copies, this.#random);
    for (let from = 0; from < copies.length; from += BATCH) {
      await this.#sendUntilConfirmed(copies.slice(from, from + BATCH));
    }
  }

  close(): Promise<void> {
    return this.#bus.close();
  }

  async #sendUntilConfirmed(ids: readonly string[]): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    let firstSend = 0;
    for (;;) {
      try {
        firstSend = this.#sends + 1;
        const results = await this.#bus.publish(ids.map((id) => this.#messageOf(id)));
        const refused = results.find(({ published }) => !published);
        if (refused !== undefined) throw new Error(JSON.stringify(refused));
        break;
      } catch (error) {
        // The broker is away: any of them may be published, so all are sent again.
        if (performance.now() > endMs) throw error;
        // A refused connection is refused at once.
        await sleep(PAUSE_MS);
      }
    }
    this.#confirmed += ids.length;
    this.#confirmations.push({ firstSend, atMs: Date.now() });
    for (const id of ids) {
      this.#evidence.accepted.write({ key: keyOf(id), id: keyOf(id), atMs: Date.now() });
    }
  }

  #messageOf(id: string) {
    this.#sends += 1;
    const failsFirst = Number(id.slice(1)) % 10 === 0;
    const body = JSON.stringify({ id, key: keyOf(id), workMs: 0, failsFirst });
    const send = String(this.#sends);
    // A message with an id is given up sooner when its confirmation is lost.
    return {
      destination: this.#destination,
      body: Buffer.from(body),
      headers: { send },
      id: `send-${send}`,
    };
  }
}

/** The id of an event's job, which is its idempotency key. */
function keyOf(id: string): string {
  return `${SOURCE.name}-${id}`;
}

function shuffle(items: string[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other] ?? '', items[last] ?? ''];
  }
}
