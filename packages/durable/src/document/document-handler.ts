import { type Clock, definePolicy, isRedriveError, systemClock } from '@redrive/core';
import { MAX_DOCUMENT_PAGE, type StoredDocument } from '../document-source/document-source.ts';
import type { Bus } from '../event/bus.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { RetryableError } from '../handler/handler-errors.ts';
import type { JobContext } from '../handler/job-context.ts';
import { cancel, final, isVerdict, type Verdict } from '../handler/verdict.ts';
import { publishOne } from '../outbox/publish-handler.ts';
import { eventBody, type OriginalEvents, originalEvent, sessionHeader } from './original-event.ts';
import {
  countOf,
  type DocumentJob,
  type EventBody,
  handlerOf,
  invalidDocument,
  type Sweep,
} from './sweep.ts';

/** An event to send. `sent`: it was sent before. A verdict: nobody needs it any more. */
type Outgoing = (Pick<DocumentJob, 'headers'> & { readonly event: EventBody }) | 'sent' | Verdict;

const documentsOf = ({ document, others = [] }: DocumentJob) => [document, ...others];

/** A job that waited longer looks at its document before it publishes. */
const LOOK_AFTER_MS = 60_000;

/** The lease bridges two calls to the ledger that follow each other at once. */
const KEEP_LEASE_MS = 10_000;

/**
 * A broker may be away for days. The breaker of the bus opens after a few failures; then the jobs are parked under it,
 * free of charge, and one of them tries at a time.
 */
const POLICY = /* @__PURE__ */ definePolicy({
  id: 'documents.send',
  name: 'Events of documents',
  maxAttempts: 1_000_000,
  baseDelayMs: 1_000,
  maxDelayMs: 60_000,
  multiplier: 2,
  jitter: 'full',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 3,
  circuitBreakerTimeoutMs: 15_000,
});

export interface DocumentHandlerOptions {
  readonly clock?: Clock;
  /** Called after the broker has confirmed an event, with the name of its collection. Default: nothing. */
  readonly onSent?: ((collection: string) => void) | undefined;
  /** Has the stored events of documents that a person sends. Default: their events are made of the template. */
  readonly store?: OriginalEvents | undefined;
}

/**
 * The handler `documents.<collection>`: sends the event of a document, and then counts the attempt in the document. The id
 * of the message is that of the job, so a second publish after a crash has the first one's id, and its bytes. While the
 * broker is away, its jobs are parked under the breaker of the bus.
 *
 * A job of a sweep has the event in its payload; where it waited, it looks whether the document still needs it. A job of
 * a document beyond its limit is a dead letter from the start: requeued, it makes the document pending and sends its
 * event. A job of an operator (`wanted`) claims the document when it runs. Both keep the event in the store's ledger before
 * they publish it.
 */
export function documentHandler(
  sweep: Sweep,
  bus: Bus,
  { clock = systemClock, onSent, store }: DocumentHandlerOptions = {},
): HandlerDefinition<DocumentJob, undefined> {
  const { name, source, collection, event: about } = sweep;
  return {
    idempotent: true,
    dependency: about.bus,
    policy: POLICY,
    async run(job, context): Promise<undefined | Verdict> {
      const { jobId: id } = context;
      const isTaken = job.failed || job.wanted;
      const outgoing = isTaken ? await take(job, context) : await checked(job, context);
      if (outgoing === 'sent') return undefined;
      if (isVerdict(outgoing)) return outgoing;
      const { event, headers } = outgoing;
      const body = Buffer.from(JSON.stringify(event));
      const { destination } = about;
      const verdict = await publishOne(bus, { destination, body, headers, id });
      if (verdict !== undefined) return verdict;
      const documents = documentsOf(job);
      await settled(documents, id);
      for (const _ of documents) onSent?.(name);
      return undefined;
    },
  };

  /** The attempt counts, and its window begins. */
  async function settled(ids: readonly string[], event: string): Promise<void> {
    try {
      for (let at = 0; at < ids.length; at += MAX_DOCUMENT_PAGE) {
        const page = ids.slice(at, at + MAX_DOCUMENT_PAGE);
        await source.settle(
          collection,
          page.map((id) => ({ id, event, to: 'sent' })),
        );
      }
    } catch (error) {
      // Another attempt would publish the event again. A sweep that finds the job succeeded settles its claim.
      if (!isRedriveError(error)) throw error;
    }
  }

  /** The event of claimed documents, unless none of them needs it any more. */
  async function checked(job: DocumentJob, context: JobContext): Promise<Outgoing> {
    const { document: id, event, headers, claimedAtMs = 0 } = job;
    const { attempt, generation } = context;
    if (event === undefined)
      return final(`The event of document ${id} is too large: take fields out of its data`);
    // In either direction: the clocks of database and process may differ, and a needless look does no harm.
    const waitedLong = Math.abs(clock.now() - claimedAtMs) > LOOK_AFTER_MS;
    if (attempt === 1 && generation === 1 && !waitedLong) return { event, headers };
    const needs: ('event' | 'sent' | Verdict)[] = [];
    for (const each of documentsOf(job)) needs.push(await needOf(each, context));
    if (needs.includes('event')) return { event, headers };
    const [first = 'sent'] = needs;
    return needs.includes('sent') || first === 'event' ? 'sent' : first;
  }

  /** What a claimed document still needs. */
  async function needOf(
    id: string,
    { jobId, generation }: JobContext,
  ): Promise<'event' | 'sent' | Verdict> {
    const found = await find(id);
    if (isVerdict(found)) return found;
    const { document, nowMs } = found;
    const { status, mark, stamp } = document;
    if (!collection.pending.includes(status))
      return cancel(`Document ${id} of ${name} is ${status}`);
    if (mark?.event === jobId) return mark.sent ? 'sent' : 'event';
    const waits = waitsForAnother(document);
    if (waits !== undefined) return waits;
    // A requeue is an operator's wish: it sends, whatever a later sweep did.
    if (mark !== undefined && generation === 1)
      return cancel(`A later sweep has sent document ${id} of ${name} again`);
    // Its claim is gone: the attempt has to be claimed again, or it would not count.
    const invalid = invalidDocument(document, nowMs);
    if (invalid !== undefined) return final(`Document ${id} of ${name}: ${invalid}`);
    await claim(id, stamp, jobId);
    return 'event';
  }

  /** Claims the document for this job, and makes its event. An earlier attempt of the job may have claimed it. */
  async function take(job: DocumentJob, { jobId: event, once }: JobContext): Promise<Outgoing> {
    const { document: id } = job;
    const found = await find(id);
    if (isVerdict(found)) return found;
    const { document, nowMs } = found;
    const { status, stamp } = document;
    const isOwn = document.mark?.event === event && collection.pending.includes(status);
    if (isOwn && document.mark?.sent) return 'sent';
    const isFailed = status === collection.failed;
    if (!isFailed && !isOwn && (job.failed || !collection.pending.includes(status)))
      return cancel(`Document ${id} of ${name} is ${status}`);
    const invalid = isFailed ? undefined : invalidDocument(document, nowMs);
    if (invalid !== undefined) return final(`Document ${id} of ${name}: ${invalid}`);
    if (!isOwn && !isFailed) {
      const waits = waitsForAnother(document);
      if (waits !== undefined) return waits;
      await claim(id, stamp, event);
    } else if (isFailed) {
      const [isReset] = await source.reset(collection, [{ id, event }]);
      if (!isReset) throw new RetryableError(`Document ${id} of ${name} changed meanwhile`);
    }
    const attempt = isFailed ? 1 : countOf(document) + 1;
    const original = await originalEvent(store, sweep, document);
    const body = eventBody(about, event, nowMs, document.values, original);
    const headers = sessionHeader(original);
    // An earlier attempt may have published the event without an answer, and the document may have changed since. A
    // consumer takes the same id with another body for an `idempotency_conflict`.
    const key = `${handlerOf(sweep)} event ${event}`;
    const outgoing = { event: { ...body, retry_sweep: { attempt } }, ...(headers && { headers }) };
    return once(key, () => outgoing, { leaseMs: KEEP_LEASE_MS });
  }

  /** Two events within a window would be too many: the job of the other one sends it. */
  function waitsForAnother({ id, mark }: StoredDocument): Verdict | undefined {
    if (mark?.sent !== false) return undefined;
    return cancel(`Document ${id} of ${name} waits for its event ${mark.event} to be sent`);
  }

  async function claim(id: string, stamp: string, event: string): Promise<void> {
    const [isClaimed] = await source.claim(collection, [{ id, stamp, event }]);
    if (!isClaimed) throw new RetryableError(`Document ${id} of ${name} changed meanwhile`);
  }

  async function find(id: string) {
    const { documents, nowMs } = await source.byIds(collection, [id]);
    const [document] = documents;
    if (document !== undefined) return { document, nowMs };
    return cancel(`Document ${id} of ${name} does not exist any more`);
  }
}
