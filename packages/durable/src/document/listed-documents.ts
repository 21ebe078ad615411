import { RedriveError } from '@redrive/core';
import { maskSecrets } from '@redrive/core/stored';
import type { FindRequest, StoredDocument } from '../document-source/document-source.ts';
import { formatTime, isoTime } from '../documents/times.ts';
import { decideDocument } from './decide-document.ts';
import { invalidDocument, type Sweep } from './sweep.ts';
import { CLAIM_LEASE_MS } from './sweep-documents.ts';

/** A document of a list, with the database's time. */
export interface ListedDocument {
  readonly sweep: Sweep;
  readonly document: StoredDocument;
  readonly nowMs: number;
  /** In which it was found. */
  readonly set?: FindRequest['set'] | undefined;
}

/** A page over all collections. `after` names the collection and the place in it. */
export interface ListedPage {
  readonly items: readonly ListedDocument[];
  readonly next?: string | undefined;
}

export interface ListRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Ends the reading; the promise then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Errors are the texts of the documents' owner: they may hold secrets, and any length. */
const MAX_ERROR = 4_000;

/** Stuck documents, by collection, the oldest attempt first. `invalid`: those that are never sent. */
export function stuckDocuments(
  sweeps: readonly Sweep[],
  { invalid, ...page }: ListRequest & { readonly invalid: boolean },
): Promise<ListedPage> {
  const requests = ({ thresholdMs }: Sweep) => {
    const stuck = { set: 'stuck', olderThanMs: thresholdMs } as const;
    const unsent = { set: 'unsent', olderThanMs: CLAIM_LEASE_MS } as const;
    return invalid ? [stuck, { set: 'ahead' } as const, unsent] : [stuck];
  };
  const keep = (one: ListedDocument) =>
    (problemOf(one) !== undefined) === invalid &&
    // A claim that was not sent is listed by its own set.
    !(one.set === 'ahead' && one.document.mark?.sent === false);
  return listDocuments(sweeps, page, requests, keep);
}

/** Failed documents, by collection, the oldest attempt first. */
export function failedDocuments(sweeps: readonly Sweep[], page: ListRequest): Promise<ListedPage> {
  return listDocuments(sweeps, page, () => [{ set: 'failed' }]);
}

/** @param requests the sets to list, for each collection. */
async function listDocuments(
  sweeps: readonly Sweep[],
  { limit, after, signal }: ListRequest,
  requests: (sweep: Sweep) => readonly Pick<FindRequest, 'set'>[],
  keep: (listed: ListedDocument) => boolean = () => true,
): Promise<ListedPage> {
  const [from, place] = cursorOf(after);
  const parts = sweeps.flatMap((sweep) => requests(sweep).map((request) => ({ sweep, request })));
  const items: ListedDocument[] = [];
  let cursor = place;
  for (let at = from; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) break;
    const { source, collection } = part.sweep;
    do {
      signal?.throwIfAborted();
      const room = Math.min(500, limit - items.length);
      // The caller's sets are complete.
      const request = { ...part.request, limit: room, after: cursor } as FindRequest;
      const page = await source.find(collection, request);
      const listed = page.documents.map((document) => ({
        ...{ sweep: part.sweep, document, nowMs: page.nowMs, set: part.request.set },
      }));
      items.push(...listed.filter(keep));
      cursor = page.next;
      if (items.length < limit) continue;
      if (cursor === undefined && at + 1 === parts.length) return { items };
      return { items, next: JSON.stringify(cursor === undefined ? [at + 1] : [at, cursor]) };
    } while (cursor !== undefined);
  }
  return { items };
}

/** @throws RedriveError `invalid_option` for a text that no page has as `next`. */
function cursorOf(after: string | undefined): readonly [number, string?] {
  if (after === undefined) return [0];
  try {
    const given: unknown = JSON.parse(after);
    const [from, place] = Array.isArray(given) ? given : [];
    if (Number.isSafeInteger(from) && from >= 0 && ['undefined', 'string'].includes(typeof place))
      return [from, place];
  } catch {
    // Not JSON.
  }
  throw new RedriveError('invalid_option', 'after is not a cursor: pass "next" of a page', {});
}

const problemOf = ({ document, nowMs, set }: ListedDocument) =>
  invalidDocument(document, nowMs, set);

/** A document as JSON prints it. */
export function documentJson({ sweep, document }: ListedDocument) {
  const { id, status, count, timeMs, error } = document;
  return {
    collection: sweep.name,
    ...{ id, status, attempt_count: count },
    last_attempt_time: isoTime(timeMs ?? undefined),
    error: error === undefined ? null : maskSecrets(error, MAX_ERROR),
  };
}

/** A stuck document in a list. */
export function stuckJson(one: ListedDocument) {
  const { verb, dueAtMs } = nextOf(one);
  return { ...documentJson(one), next: verb, due: isoTime(dueAtMs) };
}

/** A failed document in a list. */
export function failedJson(one: ListedDocument) {
  return { ...documentJson(one), dead_letter: one.document.mark?.event ?? null };
}

/** The act of the next sweep on a stuck document: `send`, `wait`, `fail`, or the problem of an invalid one. */
export function nextOf(listed: ListedDocument): {
  readonly verb: string;
  readonly dueAtMs?: number | undefined;
} {
  const { sweep, document, nowMs } = listed;
  const problem = problemOf(listed);
  if (problem !== undefined) return { verb: problem };
  const { action, dueAtMs } = decideDocument(sweep, document, nowMs);
  const known = Number.isFinite(dueAtMs) ? dueAtMs : undefined;
  return { verb: action === 'bury' ? 'fail' : action, dueAtMs: known };
}

/** Why a document was not sent again, as JSON prints it. @param stopped of `sweepStop`. */
export function explainedDocument(listed: ListedDocument, stopped: string | undefined) {
  const { mark } = listed.document;
  const { verdict, dueAtMs, stuckAtMs } = explained(listed, stopped);
  return {
    ...documentJson(listed),
    event: mark?.event ?? null,
    event_sent: mark?.sent ?? null,
    verdict,
    due: isoTime(dueAtMs),
    stuck_at: isoTime(stuckAtMs),
    stopped: stopped ?? null,
  };
}

interface Explained {
  /** In one sentence. */
  readonly verdict: string;
  readonly dueAtMs?: number | undefined;
  readonly stuckAtMs?: number | undefined;
}

function explained(
  { sweep, document, nowMs }: ListedDocument,
  stopped: string | undefined,
): Explained {
  const { collection, thresholdMs } = sweep;
  const { status, timeMs, mark } = document;
  const problem = invalidDocument(document, nowMs);
  if (problem !== undefined) return { verdict: `It is never sent. ${problem}.` };
  if (status === collection.failed) {
    const verdict = `It is beyond its attempts: "redrive dlq requeue ${mark?.event ?? '<id>'}" resets it and sends its event.`;
    return { verdict };
  }
  if (!collection.pending.includes(status))
    return { verdict: `It is ${status}: sweeps leave it alone.` };
  if (mark?.sent === false)
    return {
      verdict: 'A sweep has claimed it and not finished yet; the next one goes on after a minute.',
    };
  const { action, dueAtMs: due } = decideDocument(sweep, document, nowMs);
  const dueAtMs = Number.isFinite(due) && action !== 'bury' ? due : undefined;
  const stuckAtMs =
    timeMs !== null && timeMs + thresholdMs >= nowMs ? timeMs + thresholdMs : undefined;
  const held = stopped === undefined ? '' : ` Sweeps are stopped now: ${stopped}.`;
  if (stuckAtMs !== undefined) {
    return {
      verdict: `It counts as stuck from ${formatTime(stuckAtMs)} on.${held}`,
      dueAtMs,
      stuckAtMs,
    };
  }
  if (action === 'bury')
    return { verdict: `Its attempts are used up: the next sweep marks it as failed.${held}` };
  const verdict =
    action === 'send'
      ? 'The next sweep sends it.'
      : `It waits for its back-off until ${formatTime(due)}.`;
  return { verdict: verdict + held, dueAtMs };
}
