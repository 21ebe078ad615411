// A worker starts on a backlog. The clock runs from its start until the last completion is in the database.
import { payloads } from './payload.mjs';
import { stopwatch } from './stopwatch.mjs';
import { untilFinished } from './until-finished.mjs';

/** `failures`: how often each job fails before it succeeds. `attempts`: how often it may be tried. */
export async function drive(queue, { jobs, concurrency, failures = 0, attempts = 1 }) {
  await queue.reset();
  await queue.fill(payloads(jobs), { attempts });
  const stored = await queue.unfinished();
  if (stored !== jobs) throw new Error(`${stored} of ${jobs} jobs are stored`);

  const calls = new Uint8Array(jobs);
  const expected = jobs * (failures + 1);
  let total = 0;
  let firstAfterMs = 0;
  const { promise: allCalled, resolve } = Promise.withResolvers();
  const handler = async ({ index }) => {
    if (total === 0) firstAfterMs = watch.read().seconds * 1000;
    calls[index] += 1;
    total += 1;
    if (total === expected) resolve();
    if (calls[index] <= failures) throw new Error('dependency down');
  };

  const watch = stopwatch();
  const stop = await queue.work({ concurrency, handler });
  await allCalled;
  await untilFinished(queue);
  const taken = watch.read();
  await stop();
  const wrong = calls.findIndex((count) => count !== failures + 1);
  if (wrong !== -1) throw new Error(`job ${wrong} ran ${calls[wrong]} times`);
  return { rate: jobs / taken.seconds, cpuUsPerJob: taken.cpuUs / jobs, firstAfterMs };
}
