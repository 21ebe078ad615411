import type { Clock, ReasonCode } from '@redrive/core';
import {
  type AttemptAccount,
  newSortableId,
  openAccount,
  sanitiseError,
} from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import type { Payload } from '../job/job.ts';
import { accountOf } from '../jobs/hand-over.ts';
import { redactHeaders } from '../jobs/redact-headers.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { type Delivery, MAX_EVENT_BYTES } from './bus.ts';
import { chargedBefore, deadlineMsOf, sessionOf } from './event-headers.ts';
import { conflictId, eventId, hashOf, unreadableId } from './event-id.ts';
import type { ResolvedSource } from './event-source.ts';

/** Bytes of a message above 1 MiB that its dead letter shows. */
const HEAD_BYTES = 16_384;
/** All jobs begin with the same one: accounts are never changed, only replaced. */
const OPEN: AttemptAccount = /* @__PURE__ */ openAccount();
const UTF8 = new TextDecoder('utf-8', { fatal: true });

export interface MadeOf {
  readonly source: ResolvedSource;
  readonly clock: Clock;
  readonly actor: Actor;
}

/** The command that stores a message: as a job, or as a dead letter where its body cannot be read. */
export function eventCommand(delivery: Delivery, made: MadeOf): EnqueueCommand {
  const { source, clock } = made;
  const { body } = delivery;
  if (body.length > MAX_EVENT_BYTES) return tooLarge(delivery, made);
  let text: string;
  let value: unknown;
  try {
    text = UTF8.decode(body);
    value = JSON.parse(text);
  } catch (error) {
    return buried(made, {
      id: unreadableId(source.name, delivery),
      payload: { kind: 'bytes', bytes: Uint8Array.from(body) },
      headers: keptHeaders(source, delivery),
      reason: 'invalid_message',
      error,
    });
  }
  const { headers } = delivery;
  const atMs = deadlineMsOf(headers);
  const correlationId = sessionOf(headers);
  const charged = chargedBefore(headers);
  const id = eventId(source, delivery, value) ?? `${source.name}-${newSortableId(clock)}`;
  const part = jobPart(made, id, { kind: 'json', text }, keptHeaders(source, delivery));
  return {
    ...(correlationId ? { ...part, job: { ...part.job, correlationId } } : part),
    deadline: atMs === undefined ? undefined : { atMs },
    account: charged === 0 ? OPEN : accountOf(charged),
  };
}

/** The dead letter of an event whose key belongs to another stored event. */
export function conflictCommand(
  { job }: EnqueueCommand,
  body: Uint8Array,
  made: MadeOf,
): EnqueueCommand {
  const message = `The event ${job.id} is stored with another body, or by another source or handler. Correct the ids of the key, or the publisher.`;
  const error = Object.assign(new Error(message), { name: 'IdempotencyConflict' });
  const id = conflictId(made.source.name, job.id, body);
  const { payload, headers } = job;
  return buried(made, { id, payload, headers, reason: 'idempotency_conflict', error });
}

function tooLarge(delivery: Delivery, made: MadeOf): EnqueueCommand {
  const { body } = delivery;
  const shown = {
    head: new TextDecoder().decode(body.subarray(0, HEAD_BYTES)),
    bytes: body.length,
    sha256: hashOf(body),
  };
  const message = `The message has ${body.length} bytes, more than ${MAX_EVENT_BYTES}`;
  return buried(made, {
    id: unreadableId(made.source.name, delivery),
    payload: { kind: 'json', text: JSON.stringify(shown) },
    headers: keptHeaders(made.source, delivery),
    reason: 'message_too_large',
    error: Object.assign(new Error(message), { name: 'MessageTooLarge' }),
  });
}

interface Buried {
  readonly id: string;
  readonly payload: Payload;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: ReasonCode;
  readonly error: unknown;
}

/** One delivery, one dead letter: reading it was the only attempt. */
function buried(made: MadeOf, { id, payload, headers, reason, error }: Buried): EnqueueCommand {
  const attempt: JobAttempt = {
    generation: 1,
    attempt: 1,
    startedAtMs: made.clock.now(),
    durationMs: 0,
    delayBeforeMs: 0,
    entry: 'failed',
    errorClass: 'final',
    error: sanitiseError(error),
    action: 'give-up',
    reason,
    worker: made.actor.name,
    policyHash: '',
    maxAttempts: 1,
  };
  return {
    ...jobPart(made, id, payload, headers),
    account: accountOf(1),
    attempts: { kept: [attempt], omitted: 0 },
    errorClass: 'final',
    dead: { reason },
  };
}

function jobPart(
  { source, actor }: MadeOf,
  id: string,
  payload: Payload,
  headers: Readonly<Record<string, string>>,
) {
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: source.handler,
      queue: source.name,
      tenant: '',
      priority: 0,
      tags: NO_TAGS,
      headers,
      payload,
      sessionId: id,
      idempotencyKey: id,
      origin: source.origin,
    },
    onConflict: 'existing',
    actor,
  } as const;
}

const NO_TAGS: readonly string[] = Object.freeze([]);
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function keptHeaders(
  { headers: names }: ResolvedSource,
  { headers }: Delivery,
): Readonly<Record<string, string>> {
  const kept = names.flatMap((name) =>
    Object.hasOwn(headers, name) ? [[name, headers[name]]] : [],
  );
  return kept.length === 0 ? NO_HEADERS : redactHeaders(Object.fromEntries(kept));
}
