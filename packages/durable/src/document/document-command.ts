import type { Decision, ReasonCode } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import type { Controls } from '../control/control-store.ts';
import { stoppedBy } from '../control/stopped-by.ts';
import type { StoredDocument } from '../document-source/document-source.ts';
import { MAX_EVENT_BYTES } from '../event/bus.ts';
import type { Actor, EnqueueCommand, Moment } from '../store/commands.ts';
import { deadCommand, enqueueCommand } from '../store/enqueue-command.ts';
import { versionOf } from '../worker/policy-versions.ts';
import { stuckError } from './decide-document.ts';
import { eventBody, eventInField, type OriginalEvent, sessionHeader } from './original-event.ts';
import { countOf, type DocumentJob, handlerOf, type Sweep, sessionOf } from './sweep.ts';

/** All jobs of documents are in one queue; their handlers distinguish them. */
export const DOCUMENT_QUEUE = 'documents';

/** Why no document of a collection is claimed now, in words. `undefined`: nothing is in the way. */
export function sweepStop(controls: Controls, sweep: Sweep): string | undefined {
  const work = { queue: DOCUMENT_QUEUE, handler: handlerOf(sweep), tenant: '' };
  return stoppedBy(controls, work, sweep.dependency);
}

/** A document that was claimed, or marked as failed, for this event. */
export interface Marked {
  readonly document: StoredDocument;
  /** Id of the event and of its job. */
  readonly event: string;
  /** Time of the database. */
  readonly nowMs: number;
  readonly actor: Actor;
}

export interface Sending {
  /** That the event begins. */
  readonly attempt: number;
  /** Further documents of the same event. */
  readonly others?: readonly string[] | undefined;
  /** The stored event. Default: that of the document's field, else the template. */
  readonly original?: OriginalEvent | undefined;
}

/** The job that sends the event of a claimed document. */
export function sendCommand(
  sweep: Sweep,
  marked: Marked,
  { attempt, others = [], original = eventInField(sweep.event, marked.document) }: Sending,
): EnqueueCommand {
  const { document, event: id, nowMs } = marked;
  const body = eventBody(sweep.event, id, nowMs, document.values, original);
  const event = { ...body, retry_sweep: { attempt } };
  const payload = {
    document: document.id,
    ...(others.length > 0 && { others }),
    claimedAtMs: nowMs,
  };
  const headers = sessionHeader(original);
  if (Buffer.byteLength(JSON.stringify(event)) <= MAX_EVENT_BYTES)
    return jobCommand(
      sweep,
      marked,
      { ...payload, event, ...(headers && { headers }) },
      original?.correlationId,
    );
  const message = `The event has more than ${MAX_EVENT_BYTES} bytes`;
  const error = sanitiseError({ name: 'MessageTooLarge', message });
  return buried(sweep, marked, payload, 'message_too_large', error, 1);
}

/** The dead letter of a document beyond its limit, with the attempts that the document counts. */
export function buryCommand(sweep: Sweep, marked: Marked, decision?: Decision): EnqueueCommand {
  // The policy may have changed since a sweep marked the document as failed.
  const reason = decision?.action === 'give-up' ? decision.reason : 'max_attempts_exceeded';
  const { document } = marked;
  const payload = { document: document.id, failed: true } as const;
  return buried(sweep, marked, payload, reason, stuckError(document), countOf(document));
}

function buried(
  sweep: Sweep,
  marked: Marked,
  payload: DocumentJob,
  reason: ReasonCode,
  error: ReturnType<typeof sanitiseError>,
  charged: number,
): EnqueueCommand {
  const { hash: policyHash, maxAttempts } = versionOf(sweep.policy);
  const startedAtMs = marked.document.timeMs ?? marked.nowMs;
  const made = { startedAtMs, errorClass: 'retryable', error, charged } as const;
  const command = jobCommand(sweep, marked, payload);
  return deadCommand(command, reason, { ...made, policyHash, maxAttempts });
}

function jobCommand(
  sweep: Sweep,
  { document, event, nowMs, actor }: Marked,
  payload: DocumentJob,
  correlationId?: string,
): EnqueueCommand {
  return enqueueCommand(
    {
      id: event,
      handler: handlerOf(sweep),
      queue: DOCUMENT_QUEUE,
      priority: priorityOf(sweep, document, nowMs),
      payload: { kind: 'json', text: JSON.stringify(payload) },
      sessionId: sessionOf(sweep, document.id),
      // That of the original event: its jobs and this one are about the same work.
      correlationId,
      origin: { rung: 'document', bus: sweep.event.bus, source: sweep.name },
    },
    actor,
  );
}

/** An operator's job: it claims the document and sends its event at this time of the store's clock. */
export function wantedCommand(sweep: Sweep, wish: Marked, due?: Moment): EnqueueCommand {
  const payload = { document: wish.document.id, wanted: true } as const;
  return { ...jobCommand(sweep, wish, payload), due };
}

const MOST = 1_000;
const HOUR_MS = 3_600_000;

/** -1,000 to 1,000. The rank of a time decreases by 1 for every hour of its age. A value of another kind is 0. */
function priorityOf({ priority }: Sweep, { values }: StoredDocument, nowMs: number): number {
  const value = priority && values[priority.field];
  const isTime = priority?.first === 'newest';
  // Databases keep times as dates, as texts, or as milliseconds.
  const timeMs = typeof value === 'number' ? value : Date.parse(String(value));
  const rank = isTime ? MOST - (nowMs - timeMs) / HOUR_MS : Number(value ?? 0);
  return Number.isFinite(rank) ? Math.max(-MOST, Math.min(MOST, Math.floor(rank))) : 0;
}
