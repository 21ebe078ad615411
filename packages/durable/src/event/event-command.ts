import type { Clock, ReasonCode } from '@redrive/core';
import { newSortableId, sanitiseError } from '@redrive/core/stored';
import type { Payload } from '../job/job.ts';
import { accountOf } from '../jobs/hand-over.ts';
import { redactHeaders } from '../jobs/redact-headers.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { deadCommand, enqueueCommand } from '../store/enqueue-command.ts';
import { type Delivery, MAX_EVENT_BYTES } from './bus.ts';
import { chargedBefore, deadlineMsOf, sessionOf } from './event-headers.ts';
import { conflictId, eventId, eventJobId, hashOf, unreadableId } from './event-id.ts';
import type { ResolvedSource } from './event-source.ts';

/** Bytes of a message above 1 MiB that its dead letter shows. */
const HEAD_BYTES = 16_384;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

type Headers = Delivery['headers'];

/** The source of an event, and the actor that enqueues its job. */
export interface EventContext {
  readonly source: ResolvedSource;
  readonly clock: Clock;
  readonly actor: Actor;
  /** The hook of the handler's jobs. Absent: none. */
  readonly onDead?: string | undefined;
}

/** The command that stores a message: as a job, or as a dead letter where its body cannot be read. */
export function eventCommand(delivery: Delivery, context: EventContext): EnqueueCommand {
  const { source, clock } = context;
  const { body } = delivery;
  if (body.length > MAX_EVENT_BYTES) return tooLarge(delivery, context);
  let text: string;
  let value: unknown;
  try {
    text = UTF8.decode(body);
    value = JSON.parse(text);
  } catch (error) {
    const payload: Payload = { kind: 'bytes', bytes: Uint8Array.from(body) };
    const headers = keptHeaders(source, delivery);
    const why = { reason: 'invalid_message', error } as const;
    return deadLetter(context, unreadableId(source.name, delivery), payload, headers, why);
  }
  const { headers } = delivery;
  const atMs = deadlineMsOf(headers);
  const correlationId = sessionOf(headers);
  const charged = chargedBefore(headers);
  const key = eventId(source, delivery, value) ?? `${source.name}-${newSortableId(clock)}`;
  const id = eventJobId(source.name, key, value);
  const kept = keptHeaders(source, delivery);
  const command = jobCommand(context, id, { kind: 'json', text }, kept, key);
  return {
    ...(correlationId ? { ...command, job: { ...command.job, correlationId } } : command),
    deadline: atMs === undefined ? undefined : { atMs },
    ...(charged > 0 && { account: accountOf(charged) }),
  };
}

/** The dead letter of an event whose key belongs to another stored event. */
export function conflictCommand(
  { job }: EnqueueCommand,
  body: Uint8Array,
  context: EventContext,
): EnqueueCommand {
  const message = `The event ${job.id} is stored with another body, or by another source or handler. Correct the ids of the key, or the publisher.`;
  const error = Object.assign(new Error(message), { name: 'IdempotencyConflict' });
  const id = conflictId(context.source.name, job.id, body);
  const { payload, headers } = job;
  return deadLetter(context, id, payload, headers, { reason: 'idempotency_conflict', error });
}

function tooLarge(delivery: Delivery, context: EventContext): EnqueueCommand {
  const { source } = context;
  const { body } = delivery;
  const shown = {
    head: new TextDecoder().decode(body.subarray(0, HEAD_BYTES)),
    bytes: body.length,
    sha256: hashOf(body),
  };
  const message = `The message has ${body.length} bytes, more than ${MAX_EVENT_BYTES}`;
  const error = Object.assign(new Error(message), { name: 'MessageTooLarge' });
  const payload: Payload = { kind: 'json', text: JSON.stringify(shown) };
  const id = unreadableId(source.name, delivery);
  const headers = keptHeaders(source, delivery);
  return deadLetter(context, id, payload, headers, { reason: 'message_too_large', error });
}

/** One delivery, one dead letter: reading it was the only attempt. */
function deadLetter(
  context: EventContext,
  id: string,
  payload: Payload,
  headers: Headers,
  { reason, error }: { readonly reason: ReasonCode; readonly error: unknown },
): EnqueueCommand {
  return deadCommand(jobCommand(context, id, payload, headers), reason, {
    startedAtMs: context.clock.now(),
    errorClass: 'final',
    error: sanitiseError(error),
    ...{ policyHash: '', maxAttempts: 1, charged: 1 },
  });
}

function jobCommand(
  { source, actor, onDead }: EventContext,
  id: string,
  payload: Payload,
  headers: Headers,
  idempotencyKey = id,
): EnqueueCommand {
  const { handler, name: queue, origin } = source;
  const own = { id, handler, queue, headers, payload, idempotencyKey, origin };
  return enqueueCommand(onDead === undefined ? own : { ...own, onDead }, actor);
}

/** Always kept: the attempts of the event belong to the trace of its message. */
const TRACE_HEADER = 'traceparent';
const NO_HEADERS: Headers = Object.freeze({});

function keptHeaders(source: ResolvedSource, { headers }: Delivery): Headers {
  const kept = [...source.headers, TRACE_HEADER].flatMap((name) =>
    Object.hasOwn(headers, name) ? [[name, headers[name]]] : [],
  );
  return kept.length === 0 ? NO_HEADERS : redactHeaders(Object.fromEntries(kept));
}
