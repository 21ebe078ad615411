// A queue that is always filled a little ahead of its worker: jobs per second, in slices.
import { payloads } from './payload.mjs';
import { untilFinished } from './until-finished.mjs';

const batch = 1000;
const backlog = 3000;

export async function drive(queue, { seconds, concurrency, sliceSeconds = 1 }) {
  await queue.reset();
  let done = 0;
  let brought = 0;
  let isOver = false;
  const stop = await queue.work({
    concurrency,
    handler: async () => {
      done += 1;
    },
  });
  const feeding = (async () => {
    while (!isOver) {
      if (brought - done > backlog) await new Promise((resolve) => setTimeout(resolve, 2));
      else {
        brought += batch;
        await queue.fill(payloads(batch));
      }
    }
  })();
  const rates = [];
  for (let slice = 0; slice < seconds / sliceSeconds; slice++) {
    const before = done;
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, sliceSeconds * 1000));
    rates.push((done - before) / ((performance.now() - startedAt) / 1000));
  }
  isOver = true;
  await feeding;
  await untilFinished(queue);
  await stop();
  if (done !== brought) throw new Error(`${done} of ${brought} jobs ran`);
  return { rates };
}
