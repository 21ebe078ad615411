// A request handler enqueues a job, which calls another service: one trace, and the metrics of all of it.

import { trace } from '@opentelemetry/api';
import { pipeline } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { openTelemetry } from '@redrive/telemetry';
import { metricLines, spanLines, stopSdk } from './sdk.mjs';

const store = memoryStore();
const telemetry = openTelemetry({ store, names: { operations: ['shipping.book'] } });
const shipping = pipeline({
  policy: { id: 'shipping', baseDelayMs: 5, maxAttempts: 3 },
  telemetry,
  operation: 'shipping.book',
});
let calls = 0;
const book = async () => {
  calls += 1;
  if (calls === 1) throw Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
  return 'booked';
};
const jobs = jobsOn(
  store,
  {
    ship: {
      policy: { maxAttempts: 3, baseDelayMs: 10 },
      run: async (_order, { attempt }) => {
        if (attempt === 1) throw new Error('not packed yet');
        return shipping.run(book);
      },
    },
  },
  { telemetry },
);
await jobs.start();

const request = trace.getTracer('shop').startActiveSpan('POST /orders', async (span) => {
  const job = await jobs.enqueue('ship', { order: 17 });
  span.end();
  return job;
});
console.log(await jobs.wait(await request));
await jobs.enqueueMany('ship', [{ order: 18 }, { order: 19 }]);
await jobs.idle();
await jobs.stop();

console.log((await spanLines()).join('\n'));
const names = ['redrive_operations_total', 'redrive_attempts_total', 'redrive_retry_delay_seconds'];
console.log((await metricLines(...names)).join('\n'));
telemetry.close();
await stopSdk();
