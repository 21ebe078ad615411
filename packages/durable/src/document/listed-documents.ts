import { RedriveError } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { maskSecrets } from '@redrive/core/stored';
import type {
  DocumentSet,
  FindRequest,
  StoredDocument,
} from '../document-source/document-source.ts';
import { formatTime, isoTime } from '../documents/times.ts';
import type { FullStore } from '../store/full-store.ts';
import { backoffFactor } from './decide-document.ts';
import { sweepStop } from './document-command.ts';
import { CLAIM_LEASE_MS, type NextStep, nextStep, type Surroundings } from './next-step.ts';
import type { Sweep } from './sweep.ts';
import { backoffShare } from './sweep-run.ts';

/** A document of a list, with the database's time. */
export interface ListedDocument {
  readonly sweep: Sweep;
  readonly document: StoredDocument;
  readonly nowMs: number;
  readonly around: Surroundings & {
    /** See `sweepStop`. */
    readonly stopped?: string | undefined;
  };
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

/** Stuck documents, by collection, those that are stuck for the longest time first. `invalid`: those that are never sent. */
export async function stuckDocuments(
  store: FullStore,
  sweeps: readonly Sweep[],
  { invalid, ...page }: ListRequest & { readonly invalid: boolean },
): Promise<ListedPage> {
  const requests = ({ thresholdMs }: Sweep) => {
    if (!invalid) return [{ set: 'stuck' } as const];
    const due = { set: 'due', olderThanMs: thresholdMs } as const;
    const unsent = { set: 'unsent', olderThanMs: CLAIM_LEASE_MS } as const;
    return [due, { set: 'ahead' } as const, unsent];
  };
  const keep = (one: ListedDocument, set: DocumentSet['set']) =>
    !invalid ||
    // A claim that was not sent is listed by its own set.
    (nextOf(one).step === 'invalid' && !(set === 'ahead' && one.document.mark?.sent === false));
  const listed = await listDocuments(sweeps, page, requests, keep);
  return { ...listed, items: await withSurroundings(store, listed.items) };
}

/** What the next sweep's decisions depend on beside the documents: one look at the controls, one query for all jobs. */
export async function withSurroundings(
  store: FullStore,
  items: readonly Omit<ListedDocument, 'around'>[],
): Promise<readonly ListedDocument[]> {
  if (items.length === 0) return [];
  const controls = await store.controls();
  const unsent = items.flatMap(({ document: { mark } }) =>
    mark?.sent === false && mark.event !== '' ? [mark.event] : [],
  );
  const jobs = await store.states(unsent);
  const shares = new Map<Sweep, number>();
  for (const { sweep } of items)
    if (!shares.has(sweep)) shares.set(sweep, await backoffShare(controls, sweep));
  return items.map((one) => {
    const job = jobs.get(one.document.mark?.event ?? '');
    const stopped = sweepStop(controls, one.sweep);
    return { ...one, around: { job, share: shares.get(one.sweep), stopped } };
  });
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
  keep: (listed: ListedDocument, set: DocumentSet['set']) => boolean = () => true,
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
      const listed = page.documents.map((document) => {
        return { sweep: part.sweep, document, nowMs: page.nowMs, around: {} };
      });
      items.push(...listed.filter((one) => keep(one, part.request.set)));
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
  const { verb, dueAtMs } = verbOf(one);
  const { firstStuckMs } = one.document;
  return {
    ...documentJson(one),
    stuck_since: isoTime(firstStuckMs),
    next: verb,
    due: isoTime(dueAtMs),
  };
}

/** A failed document in a list. */
export function failedJson(one: ListedDocument) {
  return { ...documentJson(one), dead_letter: one.document.mark?.event ?? null };
}

const nextOf = ({ sweep, document, nowMs, around }: ListedDocument) =>
  nextStep(sweep, document, nowMs, around);

const VERBS = {
  ...{ over: '', failed: '', running: 'running', young: 'wait', wait: 'wait', fail: 'fail' },
  ...{ claimed: 'unsent', unsent: 'unsent', dead: 'dead letter', settle: 'count' },
  ...{ resend: 'send', send: 'send' },
} as const;

/** The steps that a stopped sweep does not take. */
const STOPPED: ReadonlySet<NextStep['step']> = new Set(['fail', 'resend', 'send', 'settle']);

/** What the next sweep does with a stuck document, in a word, or the problem of an invalid one. */
export function verbOf(listed: ListedDocument): {
  readonly verb: string;
  readonly dueAtMs?: number | undefined;
} {
  const next = nextOf(listed);
  if (next.step === 'invalid') return { verb: next.problem };
  if (listed.around.stopped !== undefined && STOPPED.has(next.step)) return { verb: 'stopped' };
  return { verb: VERBS[next.step], dueAtMs: dueOf(next) };
}

function dueOf(next: NextStep): number | undefined {
  return 'dueAtMs' in next && Number.isFinite(next.dueAtMs) ? next.dueAtMs : undefined;
}

/** Why a document was not sent again, as JSON prints it. */
export function explainedDocument(listed: ListedDocument) {
  const { stopped } = listed.around;
  const { mark, firstStuckMs } = listed.document;
  const next = nextOf(listed);
  const factor = backoffFactor(listed.around.share ?? 1);
  return {
    ...documentJson(listed),
    stuck_since: isoTime(firstStuckMs),
    event: mark?.event ?? null,
    event_sent: mark?.sent ?? null,
    verdict: verdictOf(listed, next, stopped, factor),
    due: isoTime(dueOf(next)),
    backoff_factor: factor,
    stuck_at: isoTime(next.step === 'running' ? next.dueAtMs : undefined),
    stopped: stopped ?? null,
  };
}

/** In one sentence, and why sweeps are stopped. */
function verdictOf(
  { document }: ListedDocument,
  next: NextStep,
  stopped: string | undefined,
  factor: number,
): string {
  const event = document.mark?.event ?? '<id>';
  const held = stopped === undefined ? '' : ` Sweeps are stopped now: ${stopped}.`;
  const longer = factor > 1 ? `, which is ${shortFactor(factor)} times as long as usual` : '';
  switch (next.step) {
    case 'invalid':
      return `It is never sent. ${next.problem}.`;
    case 'failed':
      return `It is beyond its attempts: "${commandText`redrive dlq requeue ${event}`}" resets it and sends its event.`;
    case 'over':
      return `It is ${document.status}: sweeps leave it alone.`;
    case 'claimed':
      return 'Its event was claimed less than a minute ago: its job sends it.';
    case 'unsent':
      return `Its event waits to be sent by job ${event}: no attempt counts until then.`;
    case 'dead':
      return `Its event could not be sent: the dead letter ${event} says why, and "${commandText`redrive dlq requeue ${event}`}" sends it. Sweeps leave the document alone.`;
    case 'settle':
      return `Its event was sent: the next sweep counts the attempt.${held}`;
    case 'resend':
      return `A sweep claimed it and ended too early: the next one sends its event.${held}`;
    case 'running':
      return `It counts as stuck from ${formatTime(next.dueAtMs)} on.${held}`;
    case 'young':
      return `It is younger than the minimum age until ${formatTime(next.dueAtMs)}.${held}`;
    case 'fail':
      return `Its attempts are used up: the next sweep marks it as failed.${held}`;
    case 'wait':
      return `It waits for its back-off until ${formatTime(next.dueAtMs)}${longer}.${held}`;
    case 'send':
      return `The next sweep sends it.${held}`;
  }
}

/** At most one digit after the point. */
export const shortFactor = (factor: number) => String(Math.round(factor * 10) / 10);
