// Publishes an event from a job, as an outbox does. Prints the trace of the request that caused it.

import { trace } from '@opentelemetry/api';
import { jobsOn, memoryStore } from '@redrive/durable';
import { publishHandler } from '@redrive/durable/events';
import { natsBus } from '@redrive/nats';
import { openTelemetry } from '@redrive/telemetry';
import { spansNow, stopSdk } from './sdk.mjs';

const telemetry = openTelemetry();
const bus = telemetry.bus(natsBus(process.env.NATS_URL));
await bus.declare({ name: 'orders', stream: 'orders', subject: 'orders.placed' });
const jobs = jobsOn(
  memoryStore(),
  { 'events.publish': publishHandler({ main: bus }) },
  { telemetry },
);
await jobs.start();
const event = { bus: 'main', destination: 'orders.placed', event: { order: 17 } };
const id = await trace.getTracer('shop').startActiveSpan('POST /orders', async (span) => {
  await jobs.wait(await jobs.enqueue('events.publish', event));
  span.end();
  return span.spanContext().traceId;
});
console.log(id);
const made = await spansNow();
console.log(
  made
    .filter((span) => span.spanContext().traceId === id)
    .map(({ name }) => name)
    .sort()
    .join(', '),
);
await jobs.stop();
await bus.close();
telemetry.close();
await stopSdk();
