import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { RedriveError } from '@redrive/core';
import { BUS_TIMEOUTS, type BusMessage, type PublishResult } from '@redrive/durable/events';
import { type Calls, classOf, textOf } from './calls.ts';
import { toHeaders } from './delivery.ts';

/** JetStream's code for a message that is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054;

interface PubAck {
  readonly stream?: string;
  readonly duplicate?: boolean;
  readonly error?: {
    readonly code: number;
    readonly err_code: number;
    readonly description: string;
  };
}

/** Publishes one message and waits for the stream's confirmation. */
export async function publishOne(
  connection: NatsConnection,
  calls: Calls,
  message: BusMessage,
): Promise<PublishResult> {
  const problem = problemOf(connection, message);
  if (problem !== undefined) return problem;
  // A request is lost with its connection. One with an id is sent again meanwhile: the stream recognises it.
  const attemptMs = message.id === undefined ? BUS_TIMEOUTS.publishMs : BUS_TIMEOUTS.publishMs / 3;
  return calls.run(
    'NATS_PUBLISH',
    `Publish to ${message.destination}`,
    BUS_TIMEOUTS.publishMs,
    () => attempt(connection, message, attemptMs),
    attemptMs,
  );
}

/** What the client would refuse, or the server would answer by closing the connection. */
function problemOf(connection: NatsConnection, message: BusMessage): PublishResult | undefined {
  const { destination, body } = message;
  if (destination === '' || /[\s*>]/.test(destination)) {
    return refused(`"${destination}" is not a subject: it is empty, or has spaces or wildcards`);
  }
  let size = body.length;
  try {
    // 12 bytes of "NATS/1.0" with line ends; each line of a header is at most this long in UTF-8.
    for (const [name, values] of toHeaders(message) ?? []) {
      size += 16 + Buffer.byteLength(name) + Buffer.byteLength(values.join(''));
    }
  } catch (error) {
    return refused(textOf(error));
  }
  const limit = connection.info?.max_payload ?? Infinity;
  if (size <= limit) return undefined;
  return tooLarge(`The message has ${size} bytes with its headers, and the server takes ${limit}`);
}

async function attempt(
  connection: NatsConnection,
  message: BusMessage,
  timeout: number,
): Promise<PublishResult> {
  const headers = toHeaders(message);
  try {
    const reply = await connection.request(message.destination, message.body, {
      timeout,
      ...(headers && { headers }),
    });
    return resultOf(reply.json<PubAck>(), message);
  } catch (error) {
    if (!isNoResponders(error)) throw error;
    return withoutStream(connection, message, error);
  }
}

function resultOf(ack: PubAck, { destination }: BusMessage): PublishResult {
  const { error } = ack;
  if (error === undefined) return { published: true, duplicate: ack.duplicate === true };
  const { err_code: code, code: status, description } = error;
  if (code === MESSAGE_TOO_LARGE) return tooLarge(description);
  const failure = Object.assign(new Error(description), {
    name: 'JetStreamApiError',
    code,
    status,
  });
  if (classOf(failure) === 'final') return refused(description);
  throw new RedriveError(
    'bus_unavailable',
    `The stream of ${destination} did not take a message: ${description}`,
    { destination, code },
    { cause: failure },
  );
}

/** Nobody listens on the subject: no stream has it, or its stream has no leader for the moment. */
async function withoutStream(
  connection: NatsConnection,
  { destination }: BusMessage,
  error: unknown,
): Promise<PublishResult> {
  const manager = await jetstreamManager(connection, {
    checkAPI: false,
    timeout: BUS_TIMEOUTS.publishMs,
  });
  const streams = await manager.streams.names(destination).next();
  if (streams.length > 0) throw error;
  const message = `No stream has the subject ${destination}`;
  return { published: false, reason: 'unroutable', message };
}

function isNoResponders(error: unknown): boolean {
  const { name, cause }: { name?: unknown; cause?: unknown } = Object(error);
  return name === 'NoResponders' || (cause !== undefined && isNoResponders(cause));
}

function refused(message: string): PublishResult {
  return { published: false, reason: 'refused', message };
}

function tooLarge(message: string): PublishResult {
  return { published: false, reason: 'too_large', message };
}
