// pg-boss 12.35 with notifications, and batches of 500 fetched by four workers without a pause as long
// as they come back full: the fastest of its documented ways. Where jobs fail, batches are settled job by
// job, which is slower; so many handlers run at once over all batches.
import { PgBoss } from 'pg-boss';
import { limited } from './limited.mjs';
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';

const name = 'job';
const fillBatch = 2000;

const fast = { batchSize: 500, localConcurrency: 4, burstWhenBatchFull: true };

export async function open({ postgres, poolSize = 32, work: workOptions = fast, analyze = false }) {
  const boss = new PgBoss({ connectionString: postgres, max: poolSize, useListenNotify: true });
  boss.on('error', (error) => console.error('pg-boss:', error.message));
  await boss.start();
  await boss.createQueue(name, { notify: true });
  const pool = openPool(postgres, 2);
  let mayFail = false;

  return {
    durability: () => postgresDurability(pool),
    async reset() {
      await boss.deleteAllJobs(name);
      await pool.query('VACUUM ANALYZE pgboss.job_common');
    },
    enqueue: (payload) => boss.send(name, payload),
    async fill(payloads, { attempts = 1 } = {}) {
      mayFail = attempts > 1;
      for (let from = 0; from < payloads.length; from += fillBatch) {
        const jobs = payloads
          .slice(from, from + fillBatch)
          .map((data) => ({ data, retryLimit: attempts - 1, retryDelay: 0 }));
        await boss.insert(name, jobs);
      }
      if (analyze) await pool.query('ANALYZE pgboss.job_common');
    },
    async unfinished() {
      const text = `SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1 AND state < 'completed'`;
      return (await pool.query(text, [name])).rows[0].count;
    },
    async work({ concurrency, handler }) {
      const atOnce = limited(concurrency);
      const options = {
        ...workOptions,
        perJobResults: mayFail,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 0.5,
      };
      await boss.work(name, options, (jobs) =>
        Promise.all(jobs.map((job) => atOnce(() => settled(handler, job)))),
      );
      return () => boss.offWork(name, { wait: true });
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

async function settled(handler, { id, data }) {
  try {
    await handler(data);
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: { message: error.message } };
  }
}
