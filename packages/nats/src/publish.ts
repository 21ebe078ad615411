import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { BUS_TIMEOUTS, type BusMessage, type PublishResult } from '@redrive/durable/events';
import { type BusCalls, textOf } from '@redrive/durable/store';
import { toHeaders } from './delivery.ts';

/** JetStream's code for a message that is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054;

/** Publishes one message and waits for the stream's confirmation. */
export async function publishOne(
  connection: NatsConnection,
  calls: BusCalls,
  message: BusMessage,
): Promise<PublishResult> {
  const problem = problemOf(connection, message);
  if (problem !== undefined) return problem;
  // A request is lost with its connection. One with an id is sent again meanwhile: the stream recognises it.
  const timeout = BUS_TIMEOUTS.publishMs / (message.id === undefined ? 1 : 3);
  const operation = `Publish to ${message.destination}`;
  const call = () => attempt(connection, calls, message, timeout);
  return calls.run('NATS_PUBLISH', operation, BUS_TIMEOUTS.publishMs, call, timeout);
}

/** The problem of a message that the client would refuse, or for which the server would close the connection. */
function problemOf(connection: NatsConnection, message: BusMessage): PublishResult | undefined {
  const { destination, body } = message;
  if (destination === '' || /[\s*>]/.test(destination)) {
    return not('refused', `"${destination}" is not a subject: it is empty, or has wildcards`);
  }
  let size = body.length;
  try {
    // An upper bound of the bytes: each header is one line, after a first line of 12 bytes.
    for (const [name, values] of toHeaders(message) ?? []) {
      size += 16 + Buffer.byteLength(name) + Buffer.byteLength(values.join(''));
    }
  } catch (error) {
    return not('refused', textOf(error));
  }
  const limit = connection.info?.max_payload ?? Infinity;
  if (size <= limit) return undefined;
  return not('too_large', `The message has ${size} bytes with headers, the server takes ${limit}`);
}

async function attempt(
  connection: NatsConnection,
  calls: BusCalls,
  message: BusMessage,
  timeout: number,
): Promise<PublishResult> {
  const { destination, body } = message;
  const headers = toHeaders(message);
  try {
    const options = { timeout, ...(headers && { headers }) };
    const { duplicate } = await jetstream(connection).publish(destination, body, options);
    return { published: true, duplicate };
  } catch (error) {
    if (error instanceof JetStreamApiError) {
      if (error.code === MESSAGE_TOO_LARGE) return not('too_large', error.message);
      if (calls.isFinal(error)) return not('refused', error.message);
    }
    // Nobody listens on the subject: no stream has it, or its stream has no leader for the moment.
    if (!isNoResponders(error) || (await hasStream(connection, destination))) throw error;
    return not('unroutable', `No stream has the subject ${destination}`);
  }
}

async function hasStream(connection: NatsConnection, subject: string): Promise<boolean> {
  const { streams } = await jetstreamManager(connection, { checkAPI: false });
  return (await streams.names(subject).next()).length > 0;
}

function isNoResponders(error: unknown): boolean {
  const { name, cause }: { name?: unknown; cause?: unknown } = Object(error);
  return name === 'NoResponders' || (cause !== undefined && isNoResponders(cause));
}

type Reason = Extract<PublishResult, { published: false }>['reason'];

function not(reason: Reason, message: string): PublishResult {
  return { published: false, reason, message };
}
