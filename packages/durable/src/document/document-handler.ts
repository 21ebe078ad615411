import { type Clock, systemClock } from '@redrive/core';
import type { Bus } from '../event/bus.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { RetryableError } from '../handler/handler-errors.ts';
import type { JobContext } from '../handler/job-context.ts';
import { cancel, final, isVerdict, type Verdict } from '../handler/verdict.ts';
import { publishOne } from '../outbox/publish-handler.ts';
import { eventBody } from './document-command.ts';
import {
  countOf,
  type DocumentJob,
  type EventBody,
  handlerOf,
  invalidDocument,
  type Sweep,
} from './sweep.ts';

/** A job that waited longer looks at its document before it publishes. */
const LOOK_AFTER_MS = 60_000;

/** The lease bridges two calls to the ledger that follow each other at once. */
const KEEP_LEASE_MS = 10_000;

/**
 * The handler `documents.<collection>`: sends the event of a document. The id of the message is that of the job, so a
 * second publish after a crash has the first one's id, and its bytes.
 *
 * A job of a sweep has the event in its payload; where it waited, it looks whether the document still needs it. A job of
 * a document beyond its limit is a dead letter from the start: requeued, it makes the document pending and sends its
 * event. A job of an operator (`wanted`) claims the document when it runs. Both keep the event in the store's ledger before
 * they publish it.
 */
export function documentHandler(
  sweep: Sweep,
  bus: Bus,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): HandlerDefinition<DocumentJob, undefined> {
  const { name, source, collection, event: about } = sweep;
  return {
    idempotent: true,
    async run(job, context): Promise<undefined | Verdict> {
      const { jobId: id } = context;
      const isTaken = job.failed || job.wanted;
      const event = isTaken ? await take(job, context) : await checked(job, context);
      if (isVerdict(event)) return event;
      const body = Buffer.from(JSON.stringify(event));
      const verdict = await publishOne(bus, { destination: about.destination, body, id });
      if (verdict === undefined && job.wanted)
        await source.settle(collection, [{ id: job.document, event: id, to: 'sent' }]);
      return verdict;
    },
  };

  /** The event of a claimed document, unless the document does not need it any more. */
  async function checked(job: DocumentJob, context: JobContext): Promise<EventBody | Verdict> {
    const { document: id, event, claimedAtMs = 0 } = job;
    const { jobId, attempt, generation } = context;
    if (event === undefined)
      return final(`The event of document ${id} is too large: take fields out of its data`);
    // In either direction: the clocks of database and process may differ, and a needless look does no harm.
    const waitedLong = Math.abs(clock.now() - claimedAtMs) > LOOK_AFTER_MS;
    if (attempt === 1 && generation === 1 && !waitedLong) return event;
    const found = await find(id);
    if (isVerdict(found)) return found;
    const { status, mark } = found.document;
    if (!collection.pending.includes(status))
      return cancel(`Document ${id} of ${name} is ${status}`);
    // A requeue is an operator's wish: it sends, whatever a later sweep did.
    const isLater = generation === 1 && mark !== undefined && mark.event !== jobId;
    return isLater ? cancel(`A later sweep has sent document ${id} of ${name} again`) : event;
  }

  /** Claims the document for this job, and makes its event. An earlier attempt of the job may have claimed it. */
  async function take(
    job: DocumentJob,
    { jobId: event, once }: JobContext,
  ): Promise<EventBody | Verdict> {
    const { document: id } = job;
    const found = await find(id);
    if (isVerdict(found)) return found;
    const { document, nowMs } = found;
    const { status, stamp } = document;
    const isOwn = document.mark?.event === event && collection.pending.includes(status);
    const isFailed = status === collection.failed;
    if (!isFailed && !isOwn && (job.failed || !collection.pending.includes(status)))
      return cancel(`Document ${id} of ${name} is ${status}`);
    const invalid = isFailed ? undefined : invalidDocument(document, nowMs);
    if (invalid !== undefined) return final(`Document ${id} of ${name}: ${invalid}`);
    const [isClaimed] = isOwn
      ? [true]
      : isFailed
        ? await source.reset(collection, [{ id, event }])
        : await source.claim(collection, [{ id, stamp, event }]);
    if (!isClaimed) throw new RetryableError(`Document ${id} of ${name} changed meanwhile`);
    const attempt = isFailed ? 1 : countOf(document) + (isOwn ? 0 : 1);
    const body = eventBody(about, event, nowMs, document.values);
    // An earlier attempt may have published the event without an answer, and the document may have changed since. A
    // consumer takes the same id with another body for an `idempotency_conflict`.
    const key = `${handlerOf(sweep)} event ${event}`;
    return once(key, () => ({ ...body, retry_sweep: { attempt } }), { leaseMs: KEEP_LEASE_MS });
  }

  async function find(id: string) {
    const { documents, nowMs } = await source.byIds(collection, [id]);
    const [document] = documents;
    if (document !== undefined) return { document, nowMs };
    return cancel(`Document ${id} of ${name} does not exist any more`);
  }
}
