// So many callers, each of which waits until its job is safe before it brings the next one.
import { payloadOf } from './payload.mjs';
import { stopwatch } from './stopwatch.mjs';

export async function drive(queue, { jobs, callers }) {
  await queue.reset();
  let next = 0;
  const caller = async () => {
    while (next < jobs) await queue.enqueue(payloadOf(next++));
  };
  const watch = stopwatch();
  await Promise.all(Array.from({ length: callers }, caller));
  const taken = watch.read();
  const stored = await queue.unfinished();
  if (stored !== jobs) throw new Error(`${stored} of ${jobs} jobs are stored`);
  return { rate: jobs / taken.seconds, cpuUsPerJob: taken.cpuUs / jobs };
}
