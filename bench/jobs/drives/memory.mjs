// Jobs without end through one process: what it holds after each quarter, when everything has been collected.
import { collectGarbage } from '../../../scripts/collect-garbage.ts';
import { payloads } from './payload.mjs';
import { untilFinished } from './until-finished.mjs';

const batch = 2000;

export async function drive(queue, { jobs, concurrency }) {
  await queue.reset();
  let done = 0;
  let resolve = () => {};
  const handler = async () => {
    done += 1;
    resolve();
  };
  const stop = await queue.work({ concurrency, handler });
  const quarters = [];
  for (let quarter = 1; quarter <= 4; quarter++) {
    const startedAt = performance.now();
    const before = done;
    for (let brought = before; brought < (jobs * quarter) / 4; brought += batch) {
      await queue.fill(payloads(batch));
      // At most two batches wait: what waits is in the database, but fills would run ahead.
      while (done < brought) {
        await new Promise((arrived) => {
          resolve = arrived;
        });
      }
    }
    await untilFinished(queue);
    const seconds = (performance.now() - startedAt) / 1000;
    quarters.push({ rate: (done - before) / seconds, ...(await held()) });
  }
  await stop();
  return { quarters, done };
}

async function held() {
  await collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: (heapUsed + external) / 2 ** 20, rssMiB: rss / 2 ** 20 };
}
