// A service that begins every document and finishes none. It writes down each delivery before it acknowledges it, and it is
// killed at any time. Arguments: the broker, the queue, the file, the documents' database, the collection.
import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { systemClock } from '@redrive/core';
import { documentsOn } from '@redrive/durable/documents';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { type ConsumeMessage, connect } from 'amqplib';
import { type Delivery, openSource } from './delivery.ts';

const [broker = '', queue = '', file = '', database = ''] = process.argv.slice(2);
const PREFETCH = 50;

const source = openSource(database);
const { fields, ...collection } = testCollection(queue);
const documents = documentsOn(source, { ...collection, fields: { ...fields, read: ['_id'] } });
const connection = await connect(broker);
connection.on('error', () => process.exit(1));
connection.on('close', () => process.exit(1));
const channel = await connection.createChannel();
await channel.prefetch(PREFETCH);
await channel.consume(queue, (message) => {
  if (message === null) process.exit(1);
  begin(message).catch(() => process.exit(1));
});

async function begin(message: ConsumeMessage): Promise<void> {
  const event = JSON.parse(message.content.toString());
  const delivery: Delivery = {
    id: event.event_id,
    messageId: message.properties.messageId,
    document: event.data.id,
    attempt: event.retry_sweep.attempt,
    claimedAtMs: Date.parse(event.timestamp),
    arrivedAtMs: systemClock.now(),
    isRedelivered: message.fields.redelivered,
    body: hash('sha256', message.content),
  };
  appendFileSync(file, `${JSON.stringify(delivery)}\n`);
  await documents.begin(event.data.id, event);
  channel.ack(message);
}
