import { type Clock, systemClock } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import { documentsIn } from '../control/update-control.ts';
import type { Bus, BusMessage, PublishResult } from '../event/bus.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { RetryableError } from '../handler/handler-errors.ts';
import { final, type Verdict } from '../handler/verdict.ts';
import type { Job } from '../job/job.ts';
import { followerPolicy, keepPosition, POSITION_EVERY_MS } from '../schedule/schedule-position.ts';
import type { FullStore } from '../store/full-store.ts';
import { placeText, readPlace } from '../store/page.ts';
import type { DeadPage } from './dead-letter-store.ts';
import { deadLetterOf } from './envelope.ts';

/** The handler that publishes dead letters at the ticks of `deadLetterSchedule`. */
export const DEAD_LETTER_HANDLER = 'events.publish_dead_letters';
/** The queue of its jobs: apart from the events, so that neither is in the other's lists. */
export const DEAD_LETTER_QUEUE = 'events.dead_letters';

const EVERY_MS = 15_000;
/**
 * A letter is published when it is this old. Transactions of Postgres do not commit in the order of their times: a younger
 * letter may be visible before an older one, and a cursor that has passed it would miss the older one.
 */
const SETTLED_MS = 10_000;
/** From here it looks again after the store's clock was set back. */
const SET_BACK_MS = 60_000;
/** A tick publishes for this time. The next one goes on. */
const TICK_MS = 10_000;
/** Letters in memory at once. An event has at most 1 MiB. */
const PAGE = 32;

/** The payload of the handler. */
export interface PublishedDeadLetters {
  /** Name of the source: the queue of its events. */
  readonly source: string;
  /** Name of the bus. */
  readonly bus: string;
  /** The destination on this bus. */
  readonly publishTo: string;
}

const POLICY = /* @__PURE__ */ followerPolicy(DEAD_LETTER_HANDLER, 'Dead letters to publish');

/**
 * The schedule that publishes the dead letters of a source, for `jobs.schedule(...deadLetterSchedule(source))`. Every 15
 * seconds, one process at a time.
 */
export function deadLetterSchedule({
  name,
  bus,
  publishTo,
}: {
  readonly name: string;
  readonly bus: string;
  readonly publishTo: string;
}) {
  const payload: PublishedDeadLetters = { source: name, bus, publishTo };
  const options = {
    handler: DEAD_LETTER_HANDLER,
    payload,
    everyMs: EVERY_MS,
    queue: DEAD_LETTER_QUEUE,
  } as const;
  return [`${DEAD_LETTER_QUEUE}.${name}`, options] as const;
}

/**
 * The handler `events.publish_dead_letters`: publishes each dead letter of a source at least once, as its envelope with the
 * whole event. The id of the message is that of the letter; a letter that was requeued and died again has its generation
 * behind it (`chunking-abc#2`). The position is in the document of the schedule, written after the confirmation: a process
 * that is killed in between publishes the same letters again, with the same ids.
 */
export function deadLetterHandler(
  store: FullStore,
  buses: Readonly<Record<string, Bus>>,
  { clock = systemClock }: { readonly clock?: Clock | undefined } = {},
): HandlerDefinition<PublishedDeadLetters, { published: number }> {
  return {
    policy: POLICY,
    idempotent: true,
    async run({ source, bus: name, publishTo }, { headers, signal }) {
      const schedule = headers['redrive-schedule'];
      if (schedule === undefined) return notScheduled();
      const bus = Object.hasOwn(buses, name) ? buses[name] : undefined;
      if (bus === undefined) throw new RetryableError(`This process has no bus ${name}`);
      const letters = new DeadLetters({ store, bus, clock, source, publishTo, schedule });
      return { published: await letters.publish(signal) };
    },
  };
}

function notScheduled(): Verdict {
  return final(`${DEAD_LETTER_HANDLER} runs at the ticks of a schedule: see deadLetterSchedule()`);
}

interface Parts {
  readonly store: FullStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly source: string;
  readonly publishTo: string;
  /** Its document has the position: the place of the last letter that is confirmed. */
  readonly schedule: string;
}

/** The dead letters of a source that are not published yet, from its position on. */
class DeadLetters {
  readonly #parts: Parts;
  #published = 0;
  #position: string | undefined;
  /** As the document has them. */
  #written = 0;
  #writtenAtMs: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#writtenAtMs = parts.clock.monotonic();
  }

  /** @throws RetryableError where the broker is away or does not take a letter. */
  async publish(signal: AbortSignal): Promise<number> {
    const { store, clock, source, schedule } = this.#parts;
    const untilMs = clock.monotonic() + TICK_MS;
    const controls = await store.controls();
    const beforeMs = controls.nowMs - SETTLED_MS;
    const { position } = documentsIn(controls, 'schedule').get(schedule) ?? {};
    const isSetBack = position !== undefined && readPlace(position).atMs >= beforeMs;
    const diedAfterMs = isSetBack ? controls.nowMs - SET_BACK_MS : undefined;
    const filter = { queue: source, diedAfterMs, diedBeforeMs: beforeMs };
    let after = isSetBack ? undefined : position;
    do {
      const page = await store.deadLetters(filter, { limit: PAGE, after, first: 'oldest' });
      await this.#publishPage(await lettersOf(store, page));
      after = page.next;
      // Without an index a page may end behind the letters that are old enough.
      if (after !== undefined && readPlace(after).atMs < beforeMs) this.#position = after;
      if (clock.monotonic() - this.#writtenAtMs >= POSITION_EVERY_MS) await this.#write();
    } while (after !== undefined && !signal.aborted && clock.monotonic() < untilMs);
    await this.#write();
    return this.#published;
  }

  async #publishPage(letters: readonly Job[]): Promise<void> {
    if (letters.length === 0) return;
    const { source, publishTo } = this.#parts;
    const { confirmed, why } = await this.#send(letters);
    const last = letters[confirmed - 1];
    if (last !== undefined) this.#position = placeOf(last);
    this.#published += confirmed;
    if (why === undefined) return;
    await this.#write();
    const text = `Dead letters of ${source} are not published to ${publishTo}: ${why}`;
    throw new RetryableError(text);
  }

  /** The number of letters before the first one without a confirmation, and why that one has none. */
  async #send(
    letters: readonly Job[],
  ): Promise<{ readonly confirmed: number; readonly why?: string | undefined }> {
    const { bus, publishTo } = this.#parts;
    try {
      const messages = letters.map((letter) => messageOf(letter, publishTo));
      const results = [...(await bus.publish(messages))];
      // The broker takes less than the event with its attempts: the letter itself must arrive.
      const large = [...results.entries()].filter(([, result]) => isTooLarge(result));
      const cut = large.map(([n]) => messageOf(letters[n] as Job, publishTo, 'none')); // One result per letter.
      const again = cut.length === 0 ? [] : await bus.publish(cut);
      for (const [n, [at]] of large.entries()) if (again[n] !== undefined) results[at] = again[n];
      const failed = results.findIndex(({ published }) => !published);
      const result = results[failed];
      return result === undefined || result.published
        ? { confirmed: letters.length }
        : { confirmed: failed, why: result.message };
    } catch (error) {
      return { confirmed: 0, why: sanitiseError(error).message };
    }
  }

  async #write(): Promise<void> {
    const position = this.#position;
    const more = this.#published - this.#written;
    this.#writtenAtMs = this.#parts.clock.monotonic();
    if (position === undefined) return;
    const { store, schedule } = this.#parts;
    await keepPosition(store, schedule, position, 'published', more);
    this.#written = this.#published;
  }
}

/** In the order of their deaths. A letter that was requeued in the meantime is left out, also where it died again. */
async function lettersOf(store: FullStore, { jobs }: DeadPage): Promise<readonly Job[]> {
  if (jobs.length === 0) return [];
  const found = await store.finished(jobs.map(({ id }) => id));
  const byId = new Map(found.map((job) => [job.id, job]));
  return jobs.flatMap(({ id, finishedAtMs }) => {
    const job = byId.get(id);
    return job?.state === 'dead' && job.finishedAtMs === finishedAtMs ? [job] : [];
  });
}

function placeOf({ id, finishedAtMs, submittedAtMs }: Job): string {
  return placeText({ atMs: finishedAtMs ?? submittedAtMs, id });
}

function messageOf(
  letter: Job,
  destination: string,
  payload: 'full' | 'none' = 'full',
): BusMessage {
  const { id } = letter;
  const { generation } = letter.account;
  return {
    destination,
    body: Buffer.from(JSON.stringify(deadLetterOf(letter, { payload }))),
    // Another death is another message: brokers recognise ids for a while.
    id: generation === 1 ? id : `${id}#${generation}`,
  };
}

function isTooLarge(result: PublishResult): boolean {
  return !result.published && result.reason === 'too_large';
}
