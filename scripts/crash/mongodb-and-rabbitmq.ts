import { startMongodb, startRabbitmq } from '@redrive/testkit/services';
import { connect } from 'amqplib';
import type { SweepPlace } from './faults/sweep.ts';
import { type SentEvent, SentEvents } from './sent-events.ts';
import { DESTINATION } from './swept-documents.ts';

/** Lets `work` have documents in MongoDB, and RabbitMQ as the bus of their events. */
export async function withMongodbAndRabbitmq<T>(
  work: (where: SweepPlace) => Promise<T>,
): Promise<T> {
  const mongodb = await startMongodb();
  const rabbitmq = await startRabbitmq();
  const connection = await connect(rabbitmq.url);
  const channel = await connection.createChannel();
  await channel.assertQueue(DESTINATION, { durable: true });
  try {
    const documents = new URL(mongodb.url);
    documents.pathname = `/redrive_sweep_${process.pid}`;
    return await work({
      documents: documents.href,
      bus: rabbitmq.url,
      async received() {
        const events: SentEvent[] = [];
        for (;;) {
          const message = await channel.get(DESTINATION, { noAck: true });
          if (message === false) return events;
          events.push(SentEvents.read(String(message.properties.messageId), message.content));
        }
      },
    });
  } finally {
    await connection.close();
    await rabbitmq.stop();
    await mongodb.stop();
  }
}
