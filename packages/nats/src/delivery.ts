import type { StoredMsg } from '@nats-io/jetstream';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { BusMessage, Delivery } from '@redrive/durable/events';

const ID = 'Nats-Msg-Id';

/** The headers of a message to publish. @throws Error where a name or value cannot be in a header of NATS. */
export function toHeaders(message: BusMessage): MsgHdrs | undefined {
  if (message.id === undefined && message.headers === undefined) return undefined;
  const made = headers();
  for (const [name, value] of Object.entries(message.headers ?? {})) made.set(name, value);
  if (message.id !== undefined) made.set(ID, message.id);
  return made;
}

/**
 * A message that the consumer got. Its reply subject has its numbers:
 *
 * `$JS.ACK.<stream>.<consumer>.<delivered>.<sequence>.<consumer's sequence>.<nanoseconds>.<pending>`; newer servers put the
 * domain and the account before the stream, and may put more behind.
 */
export function toDelivery(message: Msg): Delivery {
  const parts = (message.reply ?? '').split('.');
  const at = parts.length > 9 ? 4 : 2;
  const [stream = '', , delivered = '1', sequence = ''] = parts.slice(at);
  return {
    ...fromHeaders(message.headers),
    destination: message.subject,
    body: message.data,
    position: `${stream}-${sequence}`,
    redelivered: Number(delivered) > 1,
  };
}

/** A message that was read from the stream, without a consumer. */
export function storedDelivery(stream: string, message: StoredMsg, redelivered: boolean): Delivery {
  return {
    ...fromHeaders(message.header),
    destination: message.subject,
    body: message.data,
    position: `${stream}-${message.seq}`,
    redelivered,
  };
}

function fromHeaders(given: MsgHdrs | undefined): Pick<Delivery, 'headers' | 'id'> {
  const found: Record<string, string> = {};
  for (const name of given?.keys() ?? []) found[name] = given?.get(name) ?? '';
  const { [ID]: id, ...rest } = found;
  return id === undefined ? { headers: rest } : { headers: rest, id };
}
