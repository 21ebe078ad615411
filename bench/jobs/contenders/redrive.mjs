// Redrive as its users have it: `jobsOn` a store, handlers in code, everything at its defaults but the concurrency
// and, so that failures are tried again at once, the policy.
import { definePolicy } from '../../../packages/core/dist/index.js';
import { jobsOn } from '../../../packages/durable/dist/index.js';

const fillBatch = 2000;

/**
 * The verbs of a contender on an open store. `unfinished` asks the tables, as with the peers: the store's own counts go
 * by state and name, which is more than is needed here.
 */
export function queueOn(
  store,
  { durability, unfinished, maxAttempts = 8, close = () => store.close() },
) {
  const policy = definePolicy({ id: 'at-once', maxAttempts, backoff: 'fixed', baseDelayMs: 0 });
  const enqueuer = jobsOn(store, { job: async () => {} });

  async function work({ concurrency, handler }) {
    const onNotice = (notice) => {
      if (!['started', 'stopping', 'stopped'].includes(notice.kind))
        console.error('Redrive:', notice);
    };
    const handlers = { job: { run: handler, policy } };
    const jobs = jobsOn(store, handlers, { concurrency, onNotice });
    await jobs.start();
    return () => jobs.stop();
  }

  return {
    store,
    durability,
    work,
    unfinished,
    /** What is left of the round before is worked off; what is finished stays, as in real life. */
    async reset() {
      if ((await unfinished()) === 0) return;
      const stop = await work({ concurrency: 16, handler: async () => {} });
      while ((await unfinished()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await stop();
    },
    enqueue: (payload) => enqueuer.enqueue('job', payload),
    async fill(payloads) {
      for (let from = 0; from < payloads.length; from += fillBatch) {
        await enqueuer.enqueueMany('job', payloads.slice(from, from + fillBatch));
      }
    },
    close,
  };
}
