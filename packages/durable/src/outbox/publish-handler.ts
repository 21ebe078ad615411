import { definePolicy } from '@redrive/core';
import type { Bus, BusMessage } from '../event/bus.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { RetryableError } from '../handler/handler-errors.ts';
import { final, type Verdict } from '../handler/verdict.ts';

/** A message that a job publishes: the payload of `events.publish`. */
export interface OutgoingEvent {
  /** Name of the bus. */
  readonly bus: string;
  readonly destination: string;
  /** The body, as JSON. */
  readonly event?: unknown;
  /** A body that is not JSON, instead of `event`. */
  readonly base64?: string | undefined;
  /** In the payload, because stored headers are masked. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface PublishHandlerOptions {
  /** Asked before each publish. Its answer travels as the header `redrive-read-token`. Default: none. */
  readonly readToken?: (() => Promise<string>) | undefined;
}

/** A broker may be away for hours: the events wait, up to a minute at a time. */
const POLICY = /* @__PURE__ */ definePolicy({
  id: 'events.publish',
  name: 'Events to publish',
  maxAttempts: 1_000,
  baseDelayMs: 250,
  maxDelayMs: 60_000,
  multiplier: 2,
  jitter: 'full',
});

/**
 * The handler `events.publish`, for a transactional outbox: enqueue its job in the transaction that writes the rows of the
 * event (`enqueueIn`), so that no event precedes its rows, and none is lost. The id of the message is that of the job.
 */
export function publishHandler(
  buses: Readonly<Record<string, Bus>>,
  { readToken }: PublishHandlerOptions = {},
): HandlerDefinition<OutgoingEvent, undefined> {
  return {
    policy: POLICY,
    // A second publish has the same id, which the broker or the consumer recognises.
    idempotent: true,
    async run(
      { bus: name, destination, event, base64, headers: given },
      { jobId, headers: { traceparent } },
    ): Promise<undefined | Verdict> {
      const bus = Object.hasOwn(buses, name) ? buses[name] : undefined;
      if (bus === undefined) return final(`There is no bus ${name}: pass it to publishHandler()`);
      const token = await readToken?.();
      const headers = traceparent === undefined ? given : { traceparent, ...given };
      const body =
        base64 === undefined
          ? Buffer.from(JSON.stringify(event ?? null))
          : Buffer.from(base64, 'base64');
      // A change feed has the token of its own database.
      const all = token === undefined ? headers : { [READ_TOKEN_HEADER]: token, ...headers };
      return publishOne(bus, { destination, body, headers: all, id: jobId });
    },
  };
}

/** Publishes the message of a job. `undefined`: the bus has confirmed it. */
export async function publishOne(bus: Bus, message: BusMessage): Promise<undefined | Verdict> {
  const [result] = await bus.publish([message]);
  if (result?.published) return undefined;
  const why = `${bus.name} does not take the event for ${message.destination}: ${result?.message}`;
  // The stream or queue may be created later.
  if (result?.reason === 'unroutable') throw new RetryableError(why);
  return final(why);
}

/** The header of `readToken`. */
export const READ_TOKEN_HEADER = 'redrive-read-token';
