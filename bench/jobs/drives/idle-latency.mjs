// One job at a time into an idle queue, at irregular intervals: from the call of enqueue to the handler.
import { payloadOf } from './payload.mjs';
import { untilFinished } from './until-finished.mjs';

export async function drive(queue, { jobs, concurrency, pauseMs }) {
  await queue.reset();
  const startedAt = new Float64Array(jobs);
  let arrived = Promise.withResolvers();
  const handler = async ({ index }) => {
    startedAt[index] = performance.now();
    arrived.resolve();
  };
  const stop = await queue.work({ concurrency, handler });
  const lateMs = [];
  for (let index = 0; index < jobs; index++) {
    // Spread, so that no lane's timers fall into step with it.
    await new Promise((resolve) =>
      setTimeout(resolve, pauseMs * (0.5 + ((index * 7919) % 101) / 101)),
    );
    arrived = Promise.withResolvers();
    const calledAt = performance.now();
    await queue.enqueue(payloadOf(index));
    await arrived.promise;
    lateMs.push(startedAt[index] - calledAt);
  }
  await untilFinished(queue);
  await stop();
  return { lateMs };
}
