import { type Clock, isRedriveError, RedriveError, systemClock, type Timer } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import type { FullStore } from '../store/full-store.ts';
import {
  type Bus,
  type BusNotice,
  type Consumption,
  type Delivery,
  MAX_EVENT_BYTES,
} from './bus.ts';
import type { MadeOf } from './event-command.ts';
import { type EventSource, type ResolvedSource, resolveSource } from './event-source.ts';
import { type StoredAs, storeEvents } from './store-events.ts';

/** How often a source looks whether it may take messages. */
const LOOK_MS = 1_000;

/** Work that `jobs.isStopped` is asked about. */
interface StoppableWork {
  readonly queue: string;
  readonly handler: string;
}

export interface EventConsumerParts {
  readonly bus: Bus;
  readonly store: FullStore;
  /** Of `jobsOn` on the same store: its worker runs the events. */
  readonly jobs: { isStopped(work: StoppableWork): Promise<boolean> };
  /** Gets the state of the source at each change. Default: none. */
  readonly onChange?: ((status: SourceStatus) => void) | undefined;
  /** Default: the system's. For tests: give the store the same one. */
  readonly clock?: Clock | undefined;
}

/**
 * `taking`, or why it takes nothing: a kill switch covers it (or the store does not say that none does), as
 * many events as `maxWaiting` are ready, the store or the bus is away, the last batch could not be stored or moved and
 * is tried again each second, or a message stops it until a person acts.
 */
export type SourceState =
  | 'taking'
  | 'stopped'
  | 'full'
  | 'store_away'
  | 'bus_away'
  | 'failing'
  | 'blocked';

/** A source as this process sees it. Counts are since its start. */
export interface SourceStatus {
  readonly source: string;
  readonly state: SourceState;
  /** Events that were stored as jobs. */
  readonly stored: number;
  /** Messages that were stored before. */
  readonly duplicates: number;
  /** Messages that became dead letters without running. */
  readonly buried: number;
  readonly lastError?: string | undefined;
}

/** Takes the events of one source until it is stopped. */
export interface EventConsumer {
  readonly status: SourceStatus;
  /** Takes nothing more. Resolves when the batch under way is stored and acknowledged. */
  stop(): Promise<void>;
}

/**
 * Takes messages of a source and stores each one as a job of its handler: a batch is committed together, then
 * acknowledged. The worker of `jobs` runs them.
 *
 * ```ts
 * const source = { name: 'mail', bus: 'main', handler: 'mail.send' };
 * const bus = memoryBus();
 * await bus.declare(source);
 * const store = memoryStore();
 * const sent = Promise.withResolvers<string>();
 * const jobs = jobsOn(store, { 'mail.send': async (to: string) => sent.resolve(to) });
 * await jobs.start();
 * const consumer = consumeEvents(source, { bus, store, jobs });
 *
 * await bus.publish([{ destination: 'mail', body: Buffer.from('"ada"'), id: 'm-1' }]);
 * console.log(await sent.promise); // prints: ada
 *
 * await consumer.stop();
 * await jobs.stop();
 * await bus.close();
 * await store.close();
 * ```
 *
 * @throws RedriveError `invalid_option` with every problem of the source at once.
 */
export function consumeEvents(source: EventSource, parts: EventConsumerParts): EventConsumer {
  const consumer = new SourceConsumer(resolveSource(source), parts);
  consumer.start();
  return consumer;
}

class SourceConsumer implements EventConsumer {
  readonly #source: ResolvedSource;
  readonly #parts: EventConsumerParts;
  readonly #clock: Clock;
  readonly #made: MadeOf;
  #status: SourceStatus;
  #consumption: Consumption | undefined;
  /** Ready events that may still be stored, as of the last look. */
  #room = 0;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(source: ResolvedSource, parts: EventConsumerParts) {
    this.#source = source;
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#made = { source, clock: this.#clock, actor: { name: `source:${source.name}` } };
    const none = { stored: 0, duplicates: 0, buried: 0 };
    this.#status = { source: source.name, state: 'bus_away', ...none };
  }

  get status(): SourceStatus {
    return this.#status;
  }

  start(): void {
    this.#looking = this.#look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#looking;
    await this.#consumption?.stop();
  }

  /** Opens or closes the tap, once a second: the broker keeps all messages that this source does not take. */
  async #look(): Promise<void> {
    const state = await this.#mayTake();
    try {
      if (state === 'taking') await this.#open();
      else await this.#consumption?.pause();
      // Only a stored batch ends `failing`: a look does not know whether the next one can be stored.
      const isFailing = state === 'taking' && this.#status.state === 'failing';
      if (!isFailing) this.#set({ state });
    } catch (error) {
      this.#set({ state: 'bus_away', lastError: sanitiseError(error).message });
    }
    if (this.#stopped) return;
    this.#timer = this.#clock.setTimer(LOOK_MS, () => {
      this.#looking = this.#look();
    });
  }

  async #mayTake(): Promise<SourceState> {
    if (this.#status.state === 'blocked') return 'blocked';
    const { store, jobs } = this.#parts;
    const { name: queue, handler, maxWaiting } = this.#source;
    try {
      if (await jobs.isStopped({ queue, handler })) return 'stopped';
      const { groups } = await store.counts();
      const ready = groups
        .filter((group) => group.queue === queue && group.state === 'ready')
        .reduce((sum, { count }) => sum + count, 0);
      this.#room = maxWaiting - ready;
      return this.#room > 0 ? 'taking' : 'full';
    } catch (error) {
      this.#set({ lastError: sanitiseError(error).message });
      return 'store_away';
    }
  }

  async #open(): Promise<void> {
    if (this.#consumption !== undefined) return this.#consumption.resume();
    const { bus } = this.#parts;
    let failure: { readonly error: unknown } | undefined;
    let made: Consumption | undefined;
    const notify = (notice: BusNotice): void => {
      if (notice.kind === 'restored') {
        this.#set({ state: 'taking' });
        return;
      }
      this.#set({ state: 'bus_away', lastError: sanitiseError(notice.error).message });
      if (notice.kind === 'lost') return;
      // The adapter gave up: the next look subscribes again.
      failure = notice;
      if (this.#consumption === made) this.#consumption = undefined;
      stopQuietly(made);
    };
    const { prefetch } = this.#source;
    made = await bus.consume(this.#source, { prefetch, notify }, (deliveries) =>
      this.#take(deliveries),
    );
    if (failure !== undefined) {
      stopQuietly(made);
      throw failure.error;
    }
    this.#consumption = made;
  }

  /** Stores a batch. What it rejects goes back to the broker; the next look decides when to go on. */
  async #take(deliveries: readonly Delivery[]): Promise<void> {
    const { jobs, store } = this.#parts;
    const { name: queue, handler, publishTo } = this.#source;
    const large = deliveries.filter(({ body }) => body.length > MAX_EVENT_BYTES);
    if (this.#room <= 0) throw this.#refusal('full');
    if (await jobs.isStopped({ queue, handler })) throw this.#refusal('stopped');
    if (large.length > 0 && publishTo === undefined) throw this.#refusal('blocked');
    try {
      if (publishTo !== undefined) await this.#move(large, publishTo);
      this.#count(await storeEvents(store, this.#made, deliveries));
    } catch (error) {
      const state = isRedriveError(error, 'store_unavailable') ? 'store_away' : 'failing';
      this.#set({ state, lastError: sanitiseError(error).message });
      throw error;
    }
  }

  /** The original of a message that is too large is moved before its dead letter is stored. */
  async #move(large: readonly Delivery[], publishTo: string): Promise<void> {
    if (large.length === 0) return;
    const moved = large.map(({ body, headers, id }) => ({
      destination: publishTo,
      body,
      headers,
      // A broker that recognises the id of the original would not store the moved one.
      id: id && `moved-${id}`,
    }));
    const results = await this.#parts.bus.publish(moved);
    const refused = results.find(({ published }) => !published);
    if (refused !== undefined && !refused.published) {
      throw new RedriveError('bus_refused', `${publishTo} does not take it: ${refused.message}`);
    }
  }

  #refusal(state: 'full' | 'stopped' | 'blocked'): RedriveError {
    const why = {
      full: `${this.#source.maxWaiting} events are ready`,
      stopped: 'a kill switch covers it, or the store does not say that none does',
      blocked:
        'a message is larger than 1 MiB. Set publish_to, which gets such messages, or take it out of the broker',
    }[state];
    const text = `The source ${this.#source.name} takes nothing: ${why}`;
    this.#set({ state, lastError: text });
    return new RedriveError('bus_refused', text);
  }

  #count(answers: readonly StoredAs[]): void {
    const { stored, duplicates, buried } = this.#status;
    const count = (as: StoredAs) => answers.filter((answer) => answer === as).length;
    this.#room -= count('stored');
    this.#set({
      state: 'taking',
      stored: stored + count('stored'),
      duplicates: duplicates + count('duplicate'),
      buried: buried + count('buried'),
      lastError: undefined,
    });
  }

  #set(change: Partial<SourceStatus>): void {
    const before = this.#status;
    this.#status = { ...before, ...change };
    const { state, lastError } = this.#status;
    if (state === before.state && lastError === before.lastError) return;
    try {
      this.#parts.onChange?.(this.#status);
    } catch {
      // A listener never harms the source.
    }
  }
}

/** Its adapter gave up already: an error of the stop says nothing new. */
function stopQuietly(consumption: Consumption | undefined): void {
  consumption?.stop().catch(() => undefined);
}
