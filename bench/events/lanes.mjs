// A lane has a queue of its own. `raw` handles with the broker's client, a lane with a store as users of Redrive do:
// a source, a worker, everything at its defaults but the concurrency, and the policy, so that failures are tried again
// at once.
import { definePolicy } from '../../packages/core/dist/index.js';
import { consumeEvents, publishHandler } from '../../packages/durable/dist/event/index.js';
import { jobsOn } from '../../packages/durable/dist/index.js';
import { prefetch } from './brokers.mjs';

/** Publishes at a time: of callers, and of the worker of an outbox. */
export const atOnce = 32;

const concurrency = 16;
const policy = definePolicy({ id: 'at-once', maxAttempts: 8, backoff: 'fixed', baseDelayMs: 0 });
let lanes = 0;

/** @param direct whether its source is `direct`. */
export async function openLane(broker, openStore, direct = false) {
  lanes += 1;
  const source = broker.sourceOf(`bench${lanes}`);
  const bus = broker.openBus();
  await bus.declare(source);
  const store = await openStore?.();
  return {
    isRaw: store === undefined,
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
      let consumer;
      const stop = async () => {
        await consumer?.stop();
        await jobs.stop();
      };
      try {
        consumer = consumeEvents(direct ? { ...settings, direct } : settings, { bus, store, jobs });
      } catch (error) {
        await stop();
        throw error;
      }
      return stop;
    },
    /** Enqueues the jobs of an outbox, which publish their events when `publishStored` runs them. */
    async fillOutbox(numbers) {
      const jobs = jobsOn(store, { 'events.publish': publishHandler({}) });
      const about = { bus: 'main', destination: source.name };
      const payloads = numbers.map((n) => ({ ...about, event: contentOf(n) }));
      await jobs.enqueueMany('events.publish', payloads);
    },
    /** Runs the jobs of the outbox. @param onPublished is called for each event that the broker has confirmed. */
    async publishStored(onPublished) {
      const publish = async (messages) => {
        const results = await bus.publish(messages);
        onPublished(results.length);
        return results;
      };
      const main = { name: bus.name, publish };
      const jobs = jobsOn(
        store,
        { 'events.publish': publishHandler({ main }) },
        { concurrency: atOnce },
      );
      await jobs.start();
      return () => jobs.stop();
    },
    async close() {
      await bus.close();
      await store?.close();
    },
  };
}

function contentOf(n) {
  return { n, text: 'x'.repeat(200) };
}

function bodyOf(n) {
  return Buffer.from(JSON.stringify(contentOf(n)));
}

function messageFor(destination, n) {
  return { destination, body: bodyOf(n) };
}
