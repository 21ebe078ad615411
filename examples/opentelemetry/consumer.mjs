// Handles the event in another process. Prints the trace of its attempt.

import { jobsOn, memoryStore } from '@redrive/durable';
import { consumeEvents } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { openTelemetry } from '@redrive/telemetry';
import { spansNow, stopSdk } from './sdk.mjs';

const telemetry = openTelemetry();
const bus = natsBus(process.env.NATS_URL);
const source = {
  ...{ name: 'orders', bus: 'main', stream: 'orders', subject: 'orders.placed' },
  handler: 'orders.placed',
};
const handled = Promise.withResolvers();
const store = memoryStore();
const jobs = jobsOn(
  store,
  { 'orders.placed': async ({ order }) => handled.resolve(order) },
  { telemetry },
);
await jobs.start();
await bus.declare(source);
const consumer = consumeEvents(source, { bus, store, jobs });
console.log('ready');
console.log(await handled.promise);
await consumer.stop();
await jobs.stop();
for (const span of await spansNow()) console.log(`${span.name} ${span.spanContext().traceId}`);
await bus.close();
telemetry.close();
await stopSdk();
