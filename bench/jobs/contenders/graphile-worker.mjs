// graphile-worker 0.18 with the settings that its documentation gives for speed: a local queue of 500,
// completions and failures gathered without a delay, a pool larger than its concurrency.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';

const task = 'job';
const silent = new Logger(() => () => {});
const fillBatch = 2000;

const fast = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/**
 * `poolSize`: connections of the enqueueing side. `worker`: settings of the working side. `noWait`: its
 * waits between attempts (e to the power of the attempts, in seconds) are not configurable; taken out of
 * its statement, which costs the database nothing.
 */
export async function open({
  postgres,
  poolSize = 10,
  worker = {},
  noWait = false,
  analyze = false,
}) {
  const pool = openPool(postgres, poolSize);
  const utils = await makeWorkerUtils({ pgPool: pool, logger: silent });
  await utils.migrate();
  const workerPool = openPool(postgres, 20);
  if (noWait) withoutWaits(workerPool);

  return {
    durability: () => postgresDurability(pool),
    async reset() {
      await pool.query('TRUNCATE graphile_worker._private_jobs');
      await pool.query('VACUUM ANALYZE graphile_worker._private_jobs');
    },
    enqueue: (payload) => utils.addJob(task, payload),
    async fill(payloads, { attempts = 25 } = {}) {
      for (let from = 0; from < payloads.length; from += fillBatch) {
        const some = payloads.slice(from, from + fillBatch);
        await utils.addJobs(
          some.map((payload) => ({ identifier: task, payload, maxAttempts: attempts })),
        );
      }
      if (analyze) await pool.query('ANALYZE graphile_worker._private_jobs');
    },
    async unfinished() {
      const text = 'SELECT count(*)::int AS count FROM graphile_worker._private_jobs';
      return (await pool.query(text)).rows[0].count;
    },
    async work({ concurrency, handler }) {
      await Promise.all(Array.from({ length: 4 }, () => workerPool.query('SELECT 1')));
      const runner = await run({
        preset: { worker: { ...fast, ...worker, concurrentJobs: concurrency } },
        pgPool: workerPool,
        taskList: { [task]: (payload) => handler(payload) },
        logger: silent,
        noHandleSignals: true,
      });
      return () => runner.stop();
    },
    async close() {
      await utils.release();
      await Promise.all([pool.end(), workerPool.end()]);
    },
  };
}

const wait = "greatest(now(), run_at) + (exp(least(attempts, 10)) * interval '1 second')";

function withoutWaits(pool) {
  let rewritten = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = (request, ...rest) => {
      if (request?.text?.includes(wait)) {
        rewritten += 1;
        return query({ ...request, text: request.text.replace(wait, 'now()') }, ...rest);
      }
      return query(request, ...rest);
    };
  });
  pool.rewritten = () => rewritten;
}
