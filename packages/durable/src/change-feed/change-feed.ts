import { type Clock, isRedriveError, systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { documentsIn } from '../control/update-control.ts';
import { buriedByRules } from '../dead-letter/dead-group.ts';
import { DOCUMENT_QUEUE } from '../document/document-command.ts';
import { eventBody, eventInField } from '../document/original-event.ts';
import type { SweepEvent } from '../document/sweep.ts';
import {
  type ChangeKind,
  type ChangePage,
  type DocumentChange,
  type DocumentCollection,
  type DocumentSource,
  MAX_DOCUMENT_PAGE,
} from '../document-source/document-source.ts';
import { MAX_EVENT_BYTES } from '../event/bus.ts';
import { hashOf } from '../event/event-id.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { RetryableError } from '../handler/handler-errors.ts';
import { final, type Verdict } from '../handler/verdict.ts';
import { type OutgoingEvent, READ_TOKEN_HEADER } from '../outbox/publish-handler.ts';
import { followerPolicy, keepPosition, POSITION_EVERY_MS } from '../schedule/schedule-position.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { enqueueCommand } from '../store/enqueue-command.ts';
import type { FullStore } from '../store/full-store.ts';

/** The handler that follows changes, at the ticks of `changeFeedSchedule`. */
export const CHANGE_FEED_HANDLER = 'changes.follow';

/** A collection whose changes are events: each becomes a job of `events.publish`. */
export interface ChangeFeed {
  /** In commands and logs: `archives`. Its schedule is `changes.archives`. */
  readonly name: string;
  /** A source with `changes`: MongoDB. Postgres and SQLite have the outbox. */
  readonly source: DocumentSource;
  readonly collection: DocumentCollection;
  readonly kinds: readonly ChangeKind[];
  readonly event: SweepEvent;
}

export interface ChangeFeedParts {
  readonly store: FullStore;
  readonly feeds: readonly ChangeFeed[];
  readonly actor: Actor;
  /** Ends the wait for changes: a stop does not wait for the next tick then. */
  readonly stop?: AbortSignal | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

const EVERY_MS = 15_000;
/** One run ends before the tick of the next one, which is skipped otherwise. */
const RUN_MS = EVERY_MS - 500;
const WAIT_MS = 1_000;

/** A lost position waits for a person. */
const POLICY = /* @__PURE__ */ followerPolicy(
  CHANGE_FEED_HANDLER,
  'Changes of documents to follow',
);

/** The schedule of a feed, for `jobs.schedule(...changeFeedSchedule(feed))`: one process at a time follows it. */
export function changeFeedSchedule({ name }: Pick<ChangeFeed, 'name'>) {
  const payload = { feed: name };
  const options = {
    handler: CHANGE_FEED_HANDLER,
    payload,
    everyMs: EVERY_MS,
    queue: DOCUMENT_QUEUE,
  };
  return [`changes.${name}`, { ...options, handler: CHANGE_FEED_HANDLER }] as const;
}

/**
 * The handler `changes.follow`: stores a job of `events.publish` for each change of a collection, whose id comes
 * from the change. The position is in the document of the schedule, written after the jobs: a process that is killed in
 * between reads the same changes again, and the store knows their ids. The first run begins with the changes after it.
 */
export function changeFeedHandler(
  parts: ChangeFeedParts,
): HandlerDefinition<{ readonly feed: string }, { stored: number }> {
  const { store, feeds, actor, stop, clock = systemClock } = parts;
  return {
    policy: POLICY,
    idempotent: true,
    async run({ feed: name }, { headers, signal }): Promise<{ stored: number } | Verdict> {
      const schedule = headers['redrive-schedule'];
      const feed = feeds.find((each) => each.name === name);
      if (schedule === undefined)
        return final(
          `${CHANGE_FEED_HANDLER} runs at the ticks of a schedule: see changeFeedSchedule()`,
        );
      if (feed === undefined) throw new RetryableError(`This process has no change feed ${name}`);
      const controls = await store.controls();
      const sinceTickMs = controls.nowMs - Date.parse(headers['redrive-tick'] ?? '');
      const untilMs = clock.monotonic() + RUN_MS - sinceTickMs;
      let position = documentsIn(controls, 'schedule').get(schedule)?.position;
      let [stored, written, writtenAtMs] = [0, 0, -Infinity];
      const write = async () => {
        writtenAtMs = clock.monotonic();
        await keepPosition(store, schedule, position, 'stored', stored - written);
        written = stored;
      };
      // A retry has at least one look.
      do {
        const leftMs = Math.ceil(untilMs - clock.monotonic());
        const page = await changesOf(feed, position, Math.min(WAIT_MS, Math.max(1, leftMs)));
        const commands = page.changes.map((change) => publishCommand(feed, change, actor));
        const ruled = await buriedByRules(store, commands);
        const results = ruled.length > 0 ? await store.apply(ruled) : [];
        stored += results.filter((result) => result.ok).length;
        const isFirst = position === undefined;
        position = page.next;
        // Positions move on in a quiet collection, too: the end of the run writes the last one.
        const isDue = stored > written && clock.monotonic() - writtenAtMs >= POSITION_EVERY_MS;
        if (isFirst || isDue) await write();
      } while (!signal.aborted && !stop?.aborted && clock.monotonic() < untilMs);
      await write();
      return { stored };
    },
  };
}

/** @throws RetryableError: a feed that fails is one job that is tried again, not a dead letter at each tick. */
async function changesOf(
  feed: ChangeFeed,
  after: string | undefined,
  waitMs: number,
): Promise<ChangePage> {
  const { name, source, collection, kinds } = feed;
  const request = { kinds, after, limit: MAX_DOCUMENT_PAGE, waitMs };
  try {
    if (source.changes !== undefined) return await source.changes(collection, request);
  } catch (error) {
    const isLost = isRedriveError(error, 'documents_refused') && error.details.isLost === true;
    const remedy = isLost ? `. Events of changes are missing. ${remedyOf(feed)}` : '';
    throw new RetryableError(`${error instanceof Error ? error.message : error}${remedy}`);
  }
  throw new RetryableError(`${source.name} has no changes to follow for ${name}: use the outbox`);
}

const remedyOf = (feed: ChangeFeed) =>
  `Stop the workers, run "${commandText`redrive schedules remove ${changeFeedSchedule(feed)[0]}`}" and start them: the feed begins anew, and a sweep sends documents that were never attempted`;

function publishCommand(feed: ChangeFeed, change: DocumentChange, actor: Actor): EnqueueCommand {
  const { name, event } = feed;
  // Tokens may be long, and two feeds may follow one collection.
  const id = `changes.${name}-${hashOf(change.token).slice(0, 40)}`;
  const original = eventInField(event, change);
  const made = eventBody(event, id, change.atMs, change.values, original);
  const body = { ...made, change: change.kind };
  const headers = { [READ_TOKEN_HEADER]: change.readToken };
  const { bus, destination } = event;
  const text = JSON.stringify({ bus, destination, event: body, headers } satisfies OutgoingEvent);
  const isTooLarge = Buffer.byteLength(text) > MAX_EVENT_BYTES;
  // Without its values: the letter says which change has no event.
  const short = { bus, destination, event: { ...body, data: {} } } satisfies OutgoingEvent;
  const payload = { kind: 'json', text: isTooLarge ? JSON.stringify(short) : text } as const;
  const origin = { rung: 'document', bus, source: name } as const;
  const job = { id, handler: 'events.publish', queue: DOCUMENT_QUEUE, payload, origin };
  const command = enqueueCommand(job, actor);
  return isTooLarge ? { ...command, dead: { reason: 'message_too_large' } } : command;
}
