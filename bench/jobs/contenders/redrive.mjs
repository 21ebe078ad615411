// Redrive as its users have it: `jobsOn` a store, handlers in code, everything at its defaults but the concurrency
// and, so that failures are tried again at once, the policy.
import { definePolicy } from '../../../packages/core/dist/index.js';
import { jobsOn } from '../../../packages/durable/dist/index.js';
import { telemetry as startTelemetry } from '../../../packages/telemetry/dist/index.js';

const fillBatch = 2000;
const scrapeEveryMs = 1000;

/**
 * The verbs of a contender on an open store. `unfinished` asks the tables, as with the peers: the store's own counts go
 * by state and name, which is more than is needed here.
 */
export function queueOn(
  store,
  { durability, unfinished, maxAttempts = 8, telemetry = false, close = () => store.close() },
) {
  const policy = definePolicy({ id: 'at-once', maxAttempts, backoff: 'fixed', baseDelayMs: 0 });
  const metrics = telemetry ? startTelemetry({ store, traces: false }) : undefined;
  const enqueuer = jobsOn(store, { job: async () => {} });

  async function work({ concurrency, handler }) {
    const onNotice = (notice) => {
      if (!['started', 'stopping', 'stopped'].includes(notice.kind))
        console.error('Redrive:', notice);
    };
    const handlers = { job: { run: handler, policy } };
    const listeners = metrics
      ? { events: metrics.events, onNotice: both(metrics, onNotice) }
      : { onNotice };
    const jobs = jobsOn(store, handlers, { concurrency, ...listeners });
    await jobs.start();
    // A round takes about a second: at the start too, so that each has a scrape in it.
    void metrics?.scrape();
    const scrapes = metrics && setInterval(() => void metrics.scrape(), scrapeEveryMs);
    return () => {
      clearInterval(scrapes);
      return jobs.stop();
    };
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
    close() {
      metrics?.close();
      return close();
    },
  };
}

const both = (metrics, onNotice) => (notice) => {
  metrics.onNotice(notice);
  onNotice(notice);
};
