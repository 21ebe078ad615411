import type { Clock } from '@redrive/core';
import { newSortableId } from '@redrive/core/stored';
import { MAX_DOCUMENT_PAGE, type StoredDocument } from '../document-source/document-source.ts';
import type { Actor, Moment } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { wantedCommand } from './document-command.ts';
import type { Sweep } from './sweep.ts';

/** An act on failed documents. `reset`: pending, as never attempted. `archive`: moved to `<collection>_dead_letters`. */
export type DocumentAct = 'reset' | 'archive' | 'purge';

/** Failed documents are counted up to here. */
const MOST = 1_000_000;

/** How many of these documents an act would change. `ids` empty: all failed ones. */
export async function countFailed(sweep: Sweep, ids: readonly string[]): Promise<number> {
  const { source, collection } = sweep;
  if (ids.length === 0) return source.count(collection, { set: 'failed' }, MOST);
  let count = 0;
  for await (const { documents } of named(sweep, ids))
    count += documents.filter(({ status }) => status === collection.failed).length;
  return count;
}

/**
 * Resets, archives or purges failed documents, with a note in the audit log before. Their dead letters are purged: a
 * requeue of one would find no failed document, and be cancelled.
 *
 * @param request `ids` empty: all failed documents. `eligible`: of `countFailed`, for the note.
 */
export async function actOnDocuments(
  store: FullStore,
  sweep: Sweep,
  request: {
    readonly act: DocumentAct;
    readonly ids: readonly string[];
    readonly eligible: number;
    readonly actor: Actor;
  },
): Promise<{ readonly done: number; readonly left: number }> {
  const { act, ids, eligible, actor } = request;
  const { name: by, why } = actor;
  const detail = JSON.stringify({ by, why, act, collection: sweep.name, documents: eligible });
  // Before the act: a record without an act misleads nobody, an act without a record does.
  await store.apply([{ kind: 'note', event: 'act', subject: `documents.${sweep.name}`, detail }]);
  let done = 0;
  let left = 0;
  for await (const page of ids.length > 0 ? named(sweep, ids) : failedPages(sweep)) {
    const answers = await carryOut(act, sweep, page.ids);
    const changed = new Set(page.ids.filter((_, at) => answers[at]));
    const letters = page.documents.flatMap(({ id, mark }) =>
      changed.has(id) && mark !== undefined ? [mark.event] : [],
    );
    await store.apply(letters.map((id) => ({ kind: 'act', act: 'purge', id, actor }) as const));
    done += changed.size;
    left += page.ids.length - changed.size;
  }
  return { done, left };
}

function carryOut(act: DocumentAct, { source, collection }: Sweep, ids: readonly string[]) {
  if (act !== 'reset') return source.remove(collection, ids, { archive: act === 'archive' });
  return source.reset(
    collection,
    ids.map((id) => ({ id })),
  );
}

interface FailedPage {
  readonly ids: readonly string[];
  /** The documents of `ids` that exist. */
  readonly documents: readonly StoredDocument[];
  readonly nowMs: number;
}

async function* named({ source, collection }: Sweep, ids: readonly string[]) {
  for (let at = 0; at < ids.length; at += MAX_DOCUMENT_PAGE) {
    const some = ids.slice(at, at + MAX_DOCUMENT_PAGE);
    yield { ids: some, ...(await source.byIds(collection, some)) } satisfies FailedPage;
  }
}

/** All failed documents, page by page. */
export async function* failedPages({ source, collection }: Sweep): AsyncGenerator<FailedPage> {
  let after: string | undefined;
  do {
    const request = { set: 'failed', limit: MAX_DOCUMENT_PAGE, after } as const;
    const { documents, nowMs, next } = await source.find(collection, request);
    yield { ids: documents.map(({ id }) => id), documents, nowMs };
    after = next;
  } while (after !== undefined);
}

/** Why the event of a document is not sent on request. `undefined`: it is. */
function whyNotSent({ collection }: Sweep, { status, mark }: StoredDocument): string | undefined {
  const { pending, failed } = collection;
  if (status === failed) return undefined;
  if (!pending.includes(status)) return `is ${status}`;
  // Another event would be a second one within its window.
  return mark?.sent === false ? `waits for its event ${mark.event} to be sent` : undefined;
}

/** A document whose event is not sent on request. */
interface Unsent {
  readonly id: string;
  readonly why: string;
  readonly exists: boolean;
}

/** Enqueues for each of these documents the job that claims it and sends its event. The job has the event's id. */
export async function sendDocuments(
  store: FullStore,
  sweep: Sweep,
  wish: {
    readonly ids: readonly string[];
    readonly actor: Actor;
    readonly clock: Clock;
    readonly due?: Moment | undefined;
    /** Nothing is enqueued. Default `false`. */
    readonly dryRun?: boolean | undefined;
  },
): Promise<{
  readonly sent: readonly { readonly id: string; readonly job: string }[];
  readonly refused: readonly Unsent[];
}> {
  const { ids, actor, clock, due, dryRun = false } = wish;
  const sent: { id: string; job: string }[] = [];
  const refused: Unsent[] = [];
  for await (const page of named(sweep, [...new Set(ids)])) {
    const found = new Map(page.documents.map((document) => [document.id, document]));
    const commands = page.ids.flatMap((id) => {
      const document = found.get(id);
      const why = document === undefined ? 'does not exist' : whyNotSent(sweep, document);
      if (document === undefined || why !== undefined) {
        refused.push({ id, why: why ?? '', exists: document !== undefined });
        return [];
      }
      const event = newSortableId(clock);
      sent.push({ id, job: event });
      return [wantedCommand(sweep, { document, event, nowMs: page.nowMs, actor }, due)];
    });
    if (!dryRun && commands.length > 0) await store.apply(commands);
  }
  return { sent, refused };
}
