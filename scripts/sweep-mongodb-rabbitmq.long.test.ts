import { equal } from 'node:assert/strict';
import { newId, systemClock } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { mongodbDocuments } from '@redrive/mongodb';
import { rabbitmqBus } from '@redrive/rabbitmq';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { sweepConformance } from '@redrive/testkit/conformance/sweep';
import {
  type MongodbService,
  type RabbitmqService,
  startMongodb,
  startRabbitmq,
} from '@redrive/testkit/services';
import { type ChannelModel, connect } from 'amqplib';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';

let mongodb: MongodbService;
let rabbitmq: RabbitmqService;
let client: MongoClient;
let connection: ChannelModel;
let tests = 0;

// The first start on a machine may include fetching the servers.
beforeAll(async () => {
  [mongodb, rabbitmq] = await Promise.all([startMongodb(), startRabbitmq()]);
  client = new MongoClient(mongodb.url);
  connection = await connect(rabbitmq.url);
}, 300_000);

afterAll(async () => {
  await connection?.close();
  await client?.close();
  await Promise.all([mongodb?.stop(), rabbitmq?.stop()]);
});

describe('sweeps of MongoDB, with RabbitMQ as bus', () => {
  sweepConformance(
    async () => {
      tests += 1;
      const database = newId('redrive', systemClock);
      const url = new URL(mongodb.url);
      url.pathname = `/${database}`;
      const source = mongodbDocuments(url.href);
      const collection = testCollection('archives');
      await source.prepare(collection, { dryRun: false });
      const documents = client.db(database).collection<{ _id: string }>('archives');
      const bus = rabbitmqBus(rabbitmq.url);
      const queue = `archive.ingested-${tests}`;
      await bus.declare({ name: 'parsing', queue });
      const store = memoryStore();
      return {
        ...{ source, collection, store, bus, destination: queue },
        async received(count) {
          const channel = await connection.createChannel();
          const bodies: unknown[] = [];
          for (let n = 0; n < count; n += 1) {
            const message = await channel.get(queue, { noAck: true });
            if (message === false) break;
            const body = JSON.parse(message.content.toString());
            equal(message.properties.messageId, body.event_id);
            bodies.push(body);
          }
          await channel.close();
          return bodies;
        },
        async put({ id, status, count, timeMs }) {
          const time = typeof timeMs === 'number' ? new Date(timeMs) : timeMs;
          const values = { status, attemptCount: count, lastAttemptTime: time };
          const given = Object.entries(values).filter(([, value]) => value !== undefined);
          await documents.updateOne(
            { _id: id },
            { $set: Object.fromEntries(given) },
            { upsert: true },
          );
        },
        async close() {
          await bus.close();
          await store.close();
          await client.db(database).dropDatabase();
        },
      };
    },
    { describe, it },
  );
});
