import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type AuditBlock,
  BlockFollower,
  firstSeqWhere,
  MinuteFigures,
  newestSeq,
  RecordFilter,
} from '@redrive/durable/store';
import type { ServerFacts } from '@redrive/operate';
import { Problem } from '../problem.ts';
import { forget } from '../remembered.ts';
import { ChangeStream, type Listener } from './change-stream.ts';
import { changesText, Delivery, eventText, isChange } from './delivery.ts';

const MAX_STREAMS = 500;
/** Of one token or user, so that none takes all of them. */
const MAX_OWN_STREAMS = MAX_STREAMS / 10;
const RETRY_STREAM_SECONDS = 60;
/** Hints of the store may not come; without a stream only the figures need them. */
const POLL_MS = 500;
const IDLE_POLL_MS = 5_000;
/** Changes that come together are read together, … */
const TOGETHER_MS = 50;
/** … and the log is read no more often than this, however busy the store is. */
const EVERY_MS = 500;
/** Numbers are given out before transactions commit, so a block may appear behind higher ones. */
const LATE_MS = 10_000;
const PAGE = 100;
/** Records that a reconnect gets one by one, and blocks that it reads for them; of more, their number. */
const MAX_CATCH_UP = 5_000;
/** A stream ends after this time, and the reader connects again: a revoked token has no stream for ever. */
const STREAM_MS = 900_000;
const DAY_MS = 86_400_000;
/** Transactions that overlap may be numbered in another order than their times are. */
const SLACK_MS = 300_000;
/** After an error of the store. */
const AGAIN_MS = 5_000;
/** Somebody has changed more than jobs: answers that are remembered may be old. */
const ACTS = /"(?:control|act|config|pause|resume)"/;

/**
 * The changes of the audit log, for many streams and for the figures: one follower reads the log, however many there are.
 *
 *     connect ─► follower runs ─► stream is in the list ─► catch up from the log ─► what the follower finds
 *
 * In this order, so that a block is found by one of the two. Figures get the blocks of the follower, and those before its
 * start from `#rebuild`.
 */
export class ChangeFeed {
  readonly #store: FullStore;
  readonly #clock: Clock;
  readonly #onError: (message: string, error?: unknown) => void;
  readonly #streams = new Set<ChangeStream>();
  /** Open streams by owner, also those that do not send yet. */
  readonly #owned = new Map<string, number>();
  readonly #filters = new Map<string | undefined, RecordFilter>();
  #figures = new MinuteFigures();
  readonly #closed = new AbortController();
  readonly #wake: Wake;
  #open = 0;
  #running: Promise<void> | undefined;
  #newest = () => 0;
  #startedAtMs = 0;
  /** Everything from this time on has been read. */
  #knownSinceMs = Infinity;

  constructor(
    store: FullStore,
    clock: Clock,
    onError: (message: string, error?: unknown) => void = () => undefined,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#wake = new Wake(clock);
    this.#closed.signal.addEventListener('abort', () => this.#wake.hurry(), { once: true });
  }

  /** Aborted when the server closes. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Begins to follow the log, unless it does already. @throws RedriveError `store_unavailable`: it can be called again. */
  start(): Promise<void> {
    this.#running ??= this.#start();
    return this.#running;
  }

  /** Figures of a window, and how much of the day before is known. */
  figures: ServerFacts['figures'] = async (windowMs) => {
    await this.start();
    const nowMs = this.#clock.now();
    const sinceMs = Math.max(this.#knownSinceMs, nowMs - DAY_MS);
    const rebuilt = this.#knownSinceMs === -Infinity;
    const progress = rebuilt ? 1 : Math.max(0, (this.#startedAtMs - sinceMs) / DAY_MS);
    const since = new Date(sinceMs).toISOString();
    return { rebuilt, progress, since, ...this.#figures.read(windowMs, nowMs) };
  };

  /**
   * A stream of events, until the connection ends.
   *
   * @param after the last id that the reader has. It gets the ten seconds before it again, because blocks may appear late.
   * @throws Problem 503 for more than 500 streams, 429 for more than 50 of one owner.
   */
  open(listener: Listener, after?: number): AsyncIterable<Buffer> {
    if (this.#open >= MAX_STREAMS || this.#closed.signal.aborted) {
      throw new Problem(503, 'too_many_streams', `There are ${MAX_STREAMS} streams already.`);
    }
    const owned = this.#owned.get(listener.owner) ?? 0;
    if (owned >= MAX_OWN_STREAMS) {
      const message = `You have ${MAX_OWN_STREAMS} streams already. Close one, or try again later.`;
      throw new Problem(429, 'too_many_streams', message, {}, RETRY_STREAM_SECONDS);
    }
    this.#owned.set(listener.owner, owned + 1);
    this.#open += 1;
    const stream = new ChangeStream(listener, this.#clock);
    const timer = this.#clock.setTimer(STREAM_MS, () => stream.end());
    // Not at the end of the generator: nobody may ever have begun to read it.
    listener.closed.addEventListener('abort', () => this.#left(stream, timer), { once: true });
    return this.#parts(stream, after);
  }

  close(): void {
    this.#closed.abort();
    for (const stream of this.#streams) stream.end();
  }

  async *#parts(stream: ChangeStream, after: number | undefined): AsyncGenerator<Buffer> {
    await this.start();
    if (stream.isEnded) return;
    this.#streams.add(stream);
    this.#wake.hurry();
    const newest = after === undefined ? this.#newest() : await newestSeq(this.#store);
    if (after === undefined || after > newest) yield eventText('ready', newest, { newest });
    else yield* this.#catchUp(stream, after, newest);
    yield* stream.parts();
  }

  async *#catchUp(stream: ChangeStream, after: number, newest: number): AsyncGenerator<Buffer> {
    const filter = this.#filter(stream.listener.tenant);
    let from = await before(this.#store, after);
    let count = 0;
    let blocks = 0;
    while (!stream.isEnded) {
      const page = await this.#store.auditBlocks(from, PAGE);
      for (const { seq } of page) stream.caughtUp.add(seq);
      const found = (await filter.find(page)).filter(isChange);
      count += found.length;
      if (found.length > 0) yield changesText(found);
      if (page.length < PAGE) return;
      from = page.at(-1)?.seq ?? from;
      blocks += page.length;
      if (count < MAX_CATCH_UP && blocks < MAX_CATCH_UP) continue;
      // The reader reads its lists again. The follower brings blocks that appear late.
      yield eventText('counts', newest, { records: newest - from, counts: {} });
      return;
    }
  }

  #left(stream: ChangeStream, timer: { cancel(): void }): void {
    timer.cancel();
    this.#open -= 1;
    const { owner } = stream.listener;
    const owned = (this.#owned.get(owner) ?? 0) - 1;
    if (owned > 0) this.#owned.set(owner, owned);
    else this.#owned.delete(owner);
    this.#streams.delete(stream);
    if (this.#open === 0) this.#filters.clear();
  }

  async #start(): Promise<void> {
    try {
      const from = await before(this.#store, await newestSeq(this.#store));
      const follower = new BlockFollower(this.#store, from, this.#clock);
      this.#newest = () => follower.newest;
      // A start that failed may have counted some of them.
      this.#figures = new MinuteFigures();
      this.#startedAtMs = this.#clock.now();
      this.#knownSinceMs = this.#startedAtMs;
      // Streams catch up with these blocks by themselves. The follower waits for the numbers that are missing.
      for await (const blocks of follower.next()) this.#count(blocks);
      void this.#follow(follower);
      void this.#rebuild(from);
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  /** Reads the blocks of the last 24 hours up to a number, the newest first, so that the newest minutes are there first. */
  async #rebuild(from: number): Promise<void> {
    const pause = new Wake(this.#clock);
    const { signal } = this.#closed;
    signal.addEventListener('abort', () => pause.hurry(), { once: true });
    for (let to = from; to > 0 && !signal.aborted; ) {
      const startMs = this.#clock.monotonic();
      try {
        const page = await this.#store.auditBlocks(Math.max(0, to - PAGE), PAGE);
        const blocks = page.filter(({ seq }) => seq <= to);
        to -= PAGE;
        this.#count(blocks);
        const newestMs = Math.max(...blocks.map(({ atMs }) => atMs));
        if (blocks.length > 0 && newestMs < this.#clock.now() - DAY_MS - SLACK_MS) break;
        // Others have the event loop and the store for as long as this took.
        if (!signal.aborted) await pause.rest(this.#clock.monotonic() - startMs);
      } catch {
        // The follower reports it.
        if (!signal.aborted) await pause.rest(AGAIN_MS);
      }
    }
    if (!signal.aborted) this.#knownSinceMs = -Infinity;
  }

  #count(blocks: readonly AuditBlock[]): void {
    this.#figures.take(blocks, this.#clock.now());
    this.#knownSinceMs = Math.min(this.#knownSinceMs, ...blocks.map(({ atMs }) => atMs));
  }

  async #follow(follower: BlockFollower): Promise<void> {
    const wake = this.#wake;
    const { signal: stopped } = this.#closed;
    const unwatch = this.#store.watch(() => wake.now());
    let isFailing = false;
    let readMs = -Infinity;
    for (;;) {
      await wake.within(this.#open > 0 ? POLL_MS : IDLE_POLL_MS);
      if (stopped.aborted) break;
      const sinceMs = this.#clock.monotonic() - readMs;
      await wake.rest(Math.max(TOGETHER_MS, EVERY_MS - sinceMs));
      if (stopped.aborted) break;
      readMs = this.#clock.monotonic();
      const deliveries = new Map<string | undefined, Delivery>();
      try {
        for await (const blocks of follower.next()) {
          this.#count(blocks);
          if (blocks.some(({ body }) => ACTS.test(body))) forget(this.#store);
          await this.#gather(blocks, deliveries);
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#onError('Changes cannot be read; streams wait', error);
        isFailing = true;
      }
      for (const stream of this.#streams) {
        const delivery = deliveries.get(stream.listener.tenant);
        if (delivery !== undefined) stream.deliver(delivery);
      }
    }
    unwatch();
  }

  /** Once for all streams of a tenant. */
  async #gather(
    blocks: readonly AuditBlock[],
    deliveries: Map<string | undefined, Delivery>,
  ): Promise<void> {
    for (const tenant of new Set([...this.#streams].map(({ listener }) => listener.tenant))) {
      const delivery = deliveries.get(tenant) ?? new Delivery();
      deliveries.set(tenant, delivery);
      if (tenant === undefined) for (const block of blocks) delivery.addBlock(block);
      else
        await this.#filter(tenant)
          .find(blocks)
          .then((found) => delivery.addRecords(found))
          .catch((error: unknown) => this.#endStreams(tenant, error));
    }
  }

  /** The follower does not bring these blocks again. A reader that connects again gets them from the log. */
  #endStreams(tenant: string, error: unknown): void {
    this.#onError('Changes of a tenant cannot be read; its streams end', error);
    for (const stream of this.#streams) {
      if (stream.listener.tenant !== tenant) continue;
      this.#streams.delete(stream);
      stream.end();
    }
  }

  #filter(tenant: string | undefined): RecordFilter {
    const known = this.#filters.get(tenant) ?? new RecordFilter(this.#store, { tenant });
    this.#filters.set(tenant, known);
    return known;
  }
}

/** The number after which the blocks of the ten seconds before a block begin. */
async function before(store: FullStore, seq: number): Promise<number> {
  const [block] = await store.auditBlocks(Math.max(0, seq - 1), 1);
  if (block === undefined) return 0;
  const sinceMs = block.atMs - LATE_MS;
  const first = await firstSeqWhere(async (each) => {
    const [next] = await store.auditBlocks(each, 1);
    return next === undefined || next.atMs >= sinceMs;
  });
  // The block itself again, too: the connection may have ended in the middle of it.
  return Math.min(first, Math.max(0, seq - 1));
}

/** Waits for a hint or a time, whichever comes first. */
class Wake {
  readonly #clock: Clock;
  #onHint: () => void = () => undefined;
  #onHurry: () => void = () => undefined;
  #isDue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A hint: it ends `within`, and no `rest`. A busy store gives one per commit. */
  now(): void {
    this.#isDue = true;
    this.#onHint();
  }

  /** Ends both. */
  hurry(): void {
    this.now();
    this.#onHurry();
  }

  async within(ms: number): Promise<void> {
    if (!this.#isDue)
      await this.#wait(ms, (end) => {
        this.#onHint = end;
      });
    this.#isDue = false;
  }

  rest(ms: number): Promise<void> {
    return this.#wait(ms, (end) => {
      this.#onHurry = end;
    });
  }

  #wait(ms: number, onEnd: (end: () => void) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimer(ms, resolve);
    onEnd(resolve);
    return promise.finally(() => timer.cancel());
  }
}
