// bullmq on a Redis that syncs every write before it answers.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const fillBatch = 1000;

export async function open({ redis: url }) {
  const connect = () => new Redis(url, { maxRetriesPerRequest: null });
  const redis = connect();
  let rounds = 0;
  let queue = null;

  return {
    async durability() {
      const [, appendonly] = await redis.config('GET', 'appendonly');
      const [, appendfsync] = await redis.config('GET', 'appendfsync');
      return { appendonly, appendfsync };
    },
    // Under another name each time, because a queue notes things about itself in the database.
    async reset() {
      await queue?.close();
      await redis.flushdb();
      queue = new Queue(`job-${rounds++}`, { connection: redis });
      await queue.waitUntilReady();
    },
    enqueue: (payload) => queue.add('job', payload),
    async fill(payloads, { attempts = 1 } = {}) {
      for (let from = 0; from < payloads.length; from += fillBatch) {
        const some = payloads.slice(from, from + fillBatch);
        await queue.addBulk(some.map((data) => ({ name: 'job', data, opts: { attempts } })));
      }
    },
    async unfinished() {
      const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'prioritized');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async work({ concurrency, handler }) {
      const connection = connect();
      const worker = new Worker(queue.name, (job) => handler(job.data), {
        connection,
        concurrency,
      });
      worker.on('error', (error) => console.error('bullmq:', error.message));
      return async () => {
        await worker.close();
        connection.disconnect();
      };
    },
    async close() {
      await queue?.close();
      redis.disconnect();
    },
  };
}
