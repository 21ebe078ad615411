// A lane has a queue of its own. `raw` handles with the broker's client, a lane with a store as users of Redrive do:
// a source, a worker, everything at its defaults but the concurrency, and the policy, so that failures are tried again
// at once.
import { definePolicy } from '../../packages/core/dist/index.js';
import { consumeEvents } from '../../packages/durable/dist/event/index.js';
import { jobsOn } from '../../packages/durable/dist/index.js';
import { prefetch } from './brokers.mjs';

const concurrency = 16;
const policy = definePolicy({ id: 'at-once', maxAttempts: 8, backoff: 'fixed', baseDelayMs: 0 });
let lanes = 0;

export async function openLane(broker, openStore) {
  lanes += 1;
  const source = broker.sourceOf(`bench${lanes}`);
  const bus = broker.openBus();
  await bus.declare(source);
  const store = await openStore?.();
  return {
    publish: (messages) => bus.publish(messages.map((each) => messageFor(source.name, each))),
    publishRaw: (n) => broker.publishRaw(source.name, bodyOf(n)),
    publishOne: (n) => bus.publish([messageFor(source.name, n)]),
    /** Begins to consume. @param handle gets the number of a message; throws where it fails. */
    async consume(handle) {
      if (store === undefined) {
        return broker.consumeRaw(source.name, (body) => {
          try {
            handle(JSON.parse(Buffer.from(body).toString()).n);
            return true;
          } catch {
            return false;
          }
        });
      }
      const jobs = jobsOn(
        store,
        { job: { run: async ({ n }) => handle(n), policy } },
        { concurrency },
      );
      await jobs.start();
      const settings = { ...source, bus: 'main', handler: 'job', key: ['n'], prefetch };
      const consumer = consumeEvents(settings, { bus, store, jobs });
      return async () => {
        await consumer.stop();
        await jobs.stop();
      };
    },
    async close() {
      await bus.close();
      await store?.close();
    },
  };
}

function bodyOf(n) {
  return Buffer.from(JSON.stringify({ n, text: 'x'.repeat(200) }));
}

function messageFor(destination, n) {
  return { destination, body: bodyOf(n) };
}
