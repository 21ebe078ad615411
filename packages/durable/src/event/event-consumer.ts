import { type Clock, isRedriveError, RedriveError, systemClock, type Timer } from '@redrive/core';
import { aClock, type OptionTable, port, resolveOptions } from '@redrive/core/fields';
import { sanitiseError } from '@redrive/core/stored';
import type { Handlers } from '../handler/handler.ts';
import { type DirectAccess, directAccessTo, knownAccessTo } from '../jobs/direct-access.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { FullStore } from '../store/full-store.ts';
import {
  type Bus,
  type BusNotice,
  type Consumption,
  type Delivery,
  MAX_EVENT_BYTES,
} from './bus.ts';
import { handleDirectly } from './direct-events.ts';
import type { EventContext } from './event-command.ts';
import { unreadableId } from './event-id.ts';
import { type EventSource, type ResolvedSource, resolveSource } from './event-source.ts';
import { type EventResult, storeEvents } from './store-events.ts';

/** How often a source looks whether it may take messages. */
const LOOK_MS = 1_000;

export interface EventConsumerParts {
  readonly bus: Bus;
  readonly store: FullStore;
  /** Of `jobsOn` on the same store: its worker runs the events. */
  readonly jobs: Pick<Jobs<Handlers>, 'isStopped' | 'handOver'>;
  /** Gets the state of the source at each change. Default: none. */
  readonly onChange?: ((status: SourceStatus) => void) | undefined;
  /** Default: the system's. For tests: give the store the same one. */
  readonly clock?: Clock | undefined;
}

const PARTS: OptionTable<EventConsumerParts> = {
  bus: [null, port('a bus with consume()')],
  store: [null, port('a store with apply() and counts()')],
  jobs: [null, port('jobs with isStopped()')],
  onChange: [undefined, { kind: 'function' }],
  clock: [systemClock, aClock],
};

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
  /** Events of a direct source that succeeded without being stored. */
  readonly handled: number;
  /** Events that were stored as jobs. */
  readonly stored: number;
  /** Messages that were stored before. */
  readonly duplicates: number;
  /** Messages that became dead letters without running. An event whose handler gave up is not one of them. */
  readonly deadLettered: number;
  /** The error that explains the state. Absent while it takes events. */
  readonly lastError?: string | undefined;
}

/** Takes the events of one source until it is stopped. */
export interface EventConsumer {
  readonly status: SourceStatus;
  /** Takes nothing more. Resolves when the batch under way is stored and acknowledged. `await using` calls it. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
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
 * @throws RedriveError `invalid_option` with every problem of the source at once; for a direct source also
 *   `unknown_handler`.
 */
export function consumeEvents(source: EventSource, parts: EventConsumerParts): EventConsumer {
  return new SourceConsumer(resolveSource(source), parts);
}

class SourceConsumer implements EventConsumer {
  readonly #source: ResolvedSource;
  readonly #parts: EventConsumerParts;
  readonly #clock: Clock;
  readonly #context: EventContext;
  readonly #direct: DirectAccess | undefined;
  status: SourceStatus;
  #consumption: Consumption | undefined;
  /** Ready events that may still be stored, as of the last look. */
  #room = 0;
  #timer: Timer | undefined;
  #looking: Promise<void>;
  /** The adapter tries to connect again. */
  #isLost = false;
  #stopped = false;

  constructor(source: ResolvedSource, parts: EventConsumerParts) {
    this.#source = source;
    const resolved = resolveOptions('parts of an event consumer', parts, PARTS);
    this.#parts = resolved;
    this.#clock = resolved.clock ?? systemClock;
    const actor = { name: `source:${source.name}` };
    const onDead = knownAccessTo(parts.jobs)?.onDeadOf(source.handler);
    this.#context = { source, clock: this.#clock, actor, onDead };
    this.#direct = source.direct ? directAccessTo(parts.jobs) : undefined;
    this.#direct?.check(source.handler);
    const { name, publishTo } = source;
    if (publishTo !== undefined) knownAccessTo(parts.jobs)?.expectPublisher({ name, publishTo });
    const none = { handled: 0, stored: 0, duplicates: 0, deadLettered: 0 };
    this.status = { source: source.name, state: 'bus_away', ...none };
    this.#looking = this.#look();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
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
      const stays = state === 'taking' && (this.#isLost || this.status.state === 'failing');
      const hasError = state === 'blocked' || state === 'store_away';
      if (!stays) this.#set(hasError ? { state } : { state, lastError: undefined });
    } catch (error) {
      this.#set({ state: 'bus_away', lastError: sanitiseError(error).message });
    }
    if (this.#stopped) return;
    this.#timer = this.#clock.setTimer(LOOK_MS, () => {
      this.#looking = this.#look();
    });
  }

  async #mayTake(): Promise<SourceState> {
    if (this.status.state === 'blocked') return 'blocked';
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
    let failure: { readonly error: unknown } | undefined;
    let made: Consumption | undefined;
    const stop = () => void made?.stop().catch(() => undefined);
    const notify = (notice: BusNotice): void => {
      this.#isLost = notice.kind === 'lost';
      const lastError = 'error' in notice ? sanitiseError(notice.error).message : undefined;
      this.#set({ state: lastError === undefined ? 'taking' : 'bus_away', lastError });
      if (notice.kind !== 'failed') return;
      // The adapter gave up: the next look subscribes again.
      failure = notice;
      if (this.#consumption === made) this.#consumption = undefined;
      stop();
    };
    const options = { prefetch: this.#source.prefetch, notify };
    made = await this.#parts.bus.consume(this.#source, options, (batch) => this.#take(batch));
    if (failure !== undefined) {
      stop();
      throw failure.error;
    }
    this.#consumption = made;
  }

  /** Stores a batch. What it rejects goes back to the broker; the next look decides when to go on. */
  async #take(deliveries: readonly Delivery[]): Promise<void> {
    const { name: queue, handler, publishTo } = this.#source;
    const large = deliveries.filter(({ body }) => body.length > MAX_EVENT_BYTES);
    if (this.#room <= 0) throw this.#refusal('full');
    if (await this.#parts.jobs.isStopped({ queue, handler })) throw this.#refusal('stopped');
    if (large.length > 0 && publishTo === undefined) throw this.#refusal('blocked');
    try {
      if (publishTo !== undefined) await this.#move(large, publishTo);
      this.#count(await this.#accept(deliveries));
    } catch (error) {
      const state = (isRedriveError(error) && STATES[error.code]) || 'failing';
      this.#set({ state, lastError: sanitiseError(error).message });
      throw error;
    }
  }

  async #accept(deliveries: readonly Delivery[]): Promise<EventResult[]> {
    const parts = { ...this.#parts, context: this.#context };
    const { name: queue, handler } = this.#source;
    const run = this.#direct?.begin({ queue, handler });
    if (run === undefined) return storeEvents(parts.store, parts.context, deliveries);
    try {
      return await handleDirectly(run, parts, deliveries);
    } finally {
      run.end();
    }
  }

  /** The original of a message that is too large is moved before its dead letter is stored. */
  async #move(large: readonly Delivery[], publishTo: string): Promise<void> {
    if (large.length === 0) return;
    const moved = large.map((delivery) => ({
      destination: publishTo,
      body: delivery.body,
      headers: delivery.headers,
      // The same at each delivery. A broker that recognises the id of the original would not store the moved one.
      id: `moved-${unreadableId(this.#source.name, delivery)}`,
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
        'a message is larger than 1 MiB. Set publish_to, which gets such messages, or take it out of the broker; then start again',
    }[state];
    const text = `The source ${this.#source.name} takes nothing: ${why}`;
    this.#set({ state, lastError: text });
    return new RedriveError('bus_refused', text);
  }

  #count(results: readonly EventResult[]): void {
    const { handled, stored, duplicates, deadLettered } = this.status;
    const count = (what: EventResult) => results.filter((result) => result === what).length;
    this.#room -= count('stored');
    this.#set({
      state: 'taking',
      handled: handled + count('handled'),
      stored: stored + count('stored'),
      duplicates: duplicates + count('duplicate'),
      deadLettered: deadLettered + count('dead_lettered'),
      lastError: undefined,
    });
  }

  #set(change: Partial<SourceStatus>): void {
    const before = this.status;
    this.status = { ...before, ...change };
    const { state, lastError } = this.status;
    const isNewError = lastError !== undefined && lastError !== before.lastError;
    if (state === before.state && !isNewError) return;
    try {
      this.#parts.onChange?.(this.status);
    } catch {
      // A listener never harms the source.
    }
  }
}

const STATES: Readonly<Record<string, SourceState>> = {
  store_unavailable: 'store_away',
  kill_switch: 'stopped',
  worker_stopping: 'stopped',
};
