import { createHash } from 'node:crypto';
import type { ReasonCode } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import type { Delivery } from '@redrive/durable/events';
import { type Actor, accountOf, type EnqueueCommand } from '@redrive/durable/store';

/** More attempts than this count as this many: nobody reads a larger number. */
const MAX_ATTEMPTS = 1_000;
const MAX_ID = 200;

export interface ImportedFrom {
  /** Name of the bus in the configuration. */
  readonly bus: string;
  readonly queue: string;
  /** Where a requeued letter is published. Default: the queue that the message died in first, or that of its source. */
  readonly to?: string | undefined;
  /** Destinations of the sources on this bus, by their names. */
  readonly destinations: ReadonlyMap<string, string>;
  /** Events of the collections on this bus, by the type of the event of a failed attempt. */
  readonly failedEvents: ReadonlyMap<
    string,
    { readonly type: string; readonly destination: string }
  >;
  readonly actor: Actor;
  readonly nowMs: number;
}

/** How a message of a failed queue died, as far as it says. */
interface Death {
  readonly event: unknown;
  /** The letter has no event, or not all of it, so it can only go back to where it is. */
  readonly isCut: boolean;
  readonly key: string | undefined;
  readonly reason: ReasonCode;
  readonly attempts: number;
  readonly errorType: string;
  readonly errorText: string;
  readonly destination: string | undefined;
  /** The service that gave it up. */
  readonly service: string | undefined;
}

/**
 * The command that stores a message of a failed queue as a dead letter of the handler `events.publish`. `undefined`: the
 * message does not say where it came from, and `to` is not given.
 */
export function importedLetter(delivery: Delivery, from: ImportedFrom): EnqueueCommand | undefined {
  const death = deathOf(delivery, from);
  const home = death.service === undefined ? undefined : from.destinations.get(death.service);
  const destination = death.isCut ? delivery.destination : (from.to ?? death.destination ?? home);
  if (destination === undefined) return undefined;
  const key = delivery.id || death.key || delivery.position;
  const id = letterId(from.queue, key, delivery.body);
  const headers = Object.entries(delivery.headers).filter(([name]) => !/^x-.*death/.test(name));
  const outgoing = {
    bus: from.bus,
    destination,
    ...bodyOf(delivery, death.event),
    headers: Object.fromEntries(headers),
  };
  const error = Object.assign(new Error(death.errorText), { name: death.errorType });
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: 'events.publish',
      queue: from.queue,
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: JSON.stringify(outgoing) },
      sessionId: id,
      idempotencyKey: death.key ?? id,
      origin: { rung: 'event', bus: from.bus, source: from.queue },
    },
    onConflict: 'existing',
    account: accountOf(death.attempts),
    attempts: {
      kept: [
        {
          generation: 1,
          attempt: death.attempts,
          startedAtMs: from.nowMs,
          durationMs: 0,
          delayBeforeMs: 0,
          entry: 'failed',
          errorClass: 'final',
          error: sanitiseError(error),
          action: 'give-up',
          reason: death.reason,
          worker: from.actor.name,
          policyHash: '',
          maxAttempts: death.attempts,
        },
      ],
      omitted: death.attempts - 1,
    },
    errorClass: 'final',
    dead: { reason: death.reason },
    actor: from.actor,
  };
}

function deathOf({ body, headers }: Delivery, { failedEvents }: ImportedFrom): Death {
  const value = parsed(Buffer.from(body).toString());
  const failed = failedEventOf(value, failedEvents);
  const letter = failed ?? (isRecord(value) && 'original_event' in value ? value : {});
  const redrive = isRecord(letter.redrive) ? letter.redrive : {};
  const isCut = isRecord(redrive.payload) && redrive.payload.shown !== 'full';
  const deaths = parsed(headers['x-death'] ?? '');
  const broker = Array.isArray(deaths) ? deaths.filter(isRecord) : [];
  // The broker lists the newest death first.
  const [newest = {}, first = newest] = [broker[0], broker.at(-1)];
  const counted = broker.reduce((sum, { count }) => sum + (Number(count) || 0), 0);
  const attempts = Math.trunc(Number(letter.attempt_count)) || counted || 1;
  const why = textOf(newest.reason) ?? 'unknown';
  const type = textOf(letter.error_type) ?? 'DeadLettered';
  const message = textOf(letter.last_error)?.replace(`${type}: `, '');
  return {
    event: isCut ? undefined : letter.original_event,
    isCut,
    key: textOf(letter.idempotency_key),
    reason: REASONS[textOf(letter.abandoned_reason) ?? why] ?? 'final_error',
    attempts: Math.min(Math.max(attempts, 1), MAX_ATTEMPTS),
    errorType: type,
    errorText: message ?? `The broker gave the message up: ${why}`,
    destination:
      textOf(headers['x-first-death-queue']) ?? textOf(first.queue) ?? textOf(letter.destination),
    service: textOf(letter.service_name),
  };
}

/**
 * The event that a service publishes after a failed attempt, such as `ParsingFailed`: it has the error in its data. Without
 * the event that started the attempt, that one has the same data without the error.
 */
function failedEventOf(
  value: unknown,
  failedEvents: ImportedFrom['failedEvents'],
): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value) || !isRecord(value.data)) return undefined;
  const { error_type, last_error, attempt_count, ...data } = value.data;
  if (textOf(error_type) === undefined || textOf(last_error) === undefined) return undefined;
  const { type, destination } = failedEvents.get(String(value.event_type)) ?? {};
  const original = type === undefined ? undefined : { ...value, event_type: type, data };
  const original_event = value.original_event ?? original;
  return { original_event, error_type, last_error, attempt_count, destination };
}

/** Reasons of dead-letter payloads, and those that RabbitMQ writes into `x-death`. */
const REASONS: Readonly<Record<string, ReasonCode>> = {
  max_attempts_exceeded: 'max_attempts_exceeded',
  delivery_limit: 'max_attempts_exceeded',
  ttl_exceeded: 'ttl_exceeded',
  expired: 'ttl_exceeded',
};

/** The original event of a dead-letter payload, else the body itself: as JSON if it is JSON, else its bytes. */
function bodyOf({ body }: Delivery, event: unknown): { event: unknown } | { base64: string } {
  if (event !== undefined) return { event };
  const value = parsed(Buffer.from(body).toString());
  return value === undefined ? { base64: Buffer.from(body).toString('base64') } : { event: value };
}

function letterId(queue: string, key: string | undefined, body: Uint8Array): string {
  const hash = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
  // Other bodies under one key are other letters: each message that is acknowledged is stored.
  const id = `${queue}-${key === undefined ? hash(body) : `${key}-${hash(body).slice(0, 16)}`}`;
  return id.length <= MAX_ID ? id : `${queue.slice(0, 100)}-${hash(id)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
