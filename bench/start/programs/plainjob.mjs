import { better, defineQueue, defineWorker } from 'plainjob';
import { openInBetterShape } from '../../jobs/contenders/better-sqlite3-shape.mjs';

const silent = { error() {}, warn() {}, info() {}, debug() {} };
const database = openInBetterShape(process.env.PLACE);
const queue = defineQueue({ connection: better(database), logger: silent });
database.pragma('synchronous = FULL');
if (process.argv[2] === 'fill') {
  queue.add('job', 1);
  queue.close();
} else {
  const options = { queue, logger: silent };
  await defineWorker('job', (job) => globalThis.firstJob(job.data), options).start();
}
