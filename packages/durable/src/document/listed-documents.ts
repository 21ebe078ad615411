import { RedriveError } from '@redrive/core';
import type {
  DocumentSet,
  FindRequest,
  StoredDocument,
} from '../document-source/document-source.ts';
import type { FullStore } from '../store/full-store.ts';
import { backoffFactor } from './decide-document.ts';
import { sweepStop } from './document-command.ts';
import { CLAIM_LEASE_MS, type NextStep, nextStep } from './next-step.ts';
import type { Sweep } from './sweep.ts';
import { backoffShare } from './sweep-run.ts';

/** A document of a list, with the database's time. */
export interface ListedDocument {
  readonly sweep: Sweep;
  readonly document: StoredDocument;
  readonly nowMs: number;
}

/** A document with what the next sweep does with it. */
export interface PlannedDocument extends ListedDocument {
  readonly next: NextStep;
  /** Why sweeps of its collection are stopped now. */
  readonly stopped?: string | undefined;
  /** How many times as long the back-off is. */
  readonly factor: number;
}

/** A page over all collections. `after` names the collection and the place in it. */
interface ListedPage<Item = ListedDocument> {
  readonly items: readonly Item[];
  readonly next?: string | undefined;
}

interface ListRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Ends the reading; the promise then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Stuck documents, by collection, those that are stuck for the longest time first. `invalid`: those that are never sent. */
export async function stuckDocuments(
  store: FullStore,
  sweeps: readonly Sweep[],
  { invalid, ...page }: ListRequest & { readonly invalid: boolean },
): Promise<ListedPage<PlannedDocument>> {
  const requests = ({ thresholdMs }: Sweep) => {
    if (!invalid) return [{ set: 'stuck' } as const];
    const due = { set: 'due', olderThanMs: thresholdMs } as const;
    const unsent = { set: 'unsent', olderThanMs: CLAIM_LEASE_MS } as const;
    return [due, { set: 'ahead' } as const, unsent];
  };
  const keep = ({ sweep, document, nowMs }: ListedDocument, set: DocumentSet['set']) =>
    !invalid ||
    // A claim that was not sent is listed by its own set.
    (nextStep(sweep, document, nowMs).step === 'invalid' &&
      !(set === 'ahead' && document.mark?.sent === false));
  const listed = await listDocuments(sweeps, page, requests, keep);
  return { ...listed, items: await plannedDocuments(store, listed.items) };
}

/** What the next sweep does with these documents: one look at the controls, one query for all jobs. */
export async function plannedDocuments(
  store: FullStore,
  items: readonly ListedDocument[],
): Promise<readonly PlannedDocument[]> {
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
    const { sweep, document, nowMs } = one;
    const job = jobs.get(document.mark?.event ?? '');
    const share = shares.get(sweep);
    const next = nextStep(sweep, document, nowMs, { job, share });
    return { ...one, next, stopped: sweepStop(controls, sweep), factor: backoffFactor(share ?? 1) };
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
        return { sweep: part.sweep, document, nowMs: page.nowMs };
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
