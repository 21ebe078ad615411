import type { BusMessage, Delivery } from '@redrive/durable/events';
import type { ConsumeMessage, Options } from 'amqplib';

/** A header by which a returned message is recognised. Consumers of Redrive do not see it. */
export const MARK = 'redrive-mark';

/** Exchange and routing key. A destination without a slash is a queue: the default exchange leads there. */
export function routeOf(destination: string): { readonly exchange: string; readonly key: string } {
  const slash = destination.indexOf('/');
  if (slash < 0) return { exchange: '', key: destination };
  return { exchange: destination.slice(0, slash), key: destination.slice(slash + 1) };
}

export function publishOptions(message: BusMessage, mark: string): Options.Publish {
  return {
    persistent: true,
    // The server returns a message that no queue takes.
    mandatory: true,
    headers: { ...message.headers, [MARK]: mark },
    ...(message.id !== undefined && { messageId: message.id }),
  };
}

export function toDelivery({ content, fields, properties }: ConsumeMessage): Delivery {
  const headers: Record<string, string> = {};
  if (properties.contentType !== undefined) headers['content-type'] = text(properties.contentType);
  for (const [name, value] of Object.entries(properties.headers ?? {})) {
    if (name !== MARK) headers[name] = text(value);
  }
  return {
    destination: fields.routingKey,
    body: content,
    headers,
    redelivered: fields.redelivered,
    ...(properties.messageId !== undefined && { id: text(properties.messageId) }),
  };
}

/** Headers of AMQP have types; the port has texts. */
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString() : (JSON.stringify(value) ?? '');
}
