// plainjob 0.0.14: a queue on SQLite. It asks for synchronous=NORMAL, under which an acknowledged job
// can be lost with the power; to be compared it is set to FULL.
import { join } from 'node:path';
import { better, defineQueue, defineWorker, JobStatus } from 'plainjob';
import { openInBetterShape } from './better-sqlite3-shape.mjs';
import { sqliteDurability } from './sqlite-durability.mjs';

const type = 'job';
const silent = { error() {}, warn() {}, info() {}, debug() {} };

export async function open({ dir }) {
  const database = openInBetterShape(join(dir, 'plainjob.db'));
  const queue = defineQueue({ connection: better(database), logger: silent });
  database.pragma('synchronous = FULL');
  const empty = database.prepare('DELETE FROM plainjob_jobs');

  return {
    durability: () => sqliteDurability((text) => database.prepare(text).get()),
    reset: async () => empty.run(),
    enqueue: async (payload) => queue.add(type, payload),
    fill: async (payloads) => queue.addMany(type, payloads),
    unfinished: async () =>
      queue.countJobs({ status: JobStatus.Pending }) +
      queue.countJobs({ status: JobStatus.Processing }),
    async work({ concurrency, handler }) {
      const options = { queue, logger: silent };
      const run = (job) => handler(JSON.parse(job.data));
      const workers = Array.from({ length: concurrency }, () => defineWorker(type, run, options));
      const running = workers.map((worker) => worker.start());
      return async () => {
        await Promise.all(workers.map((worker) => worker.stop()));
        await Promise.all(running);
      };
    },
    close: async () => queue.close(),
  };
}
