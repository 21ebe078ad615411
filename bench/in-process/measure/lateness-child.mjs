// Starts retries that each wait once, with delays spread over a span, and answers how late they woke
// by the monotonic clock. The count starts when the function fails, so waking earlier than the delay
// after that is early, whoever rounded.
import { setImmediate as turn } from 'node:timers/promises';
import { answer, childRequest } from '../../lib/child.mjs';
import { quantile } from '../../lib/statistics.mjs';
import { laneMaker } from './lanes.mjs';

const { lane, settings, waits, spanMs, ...request } = childRequest();
const distinctDelays = 1000;
const make = await laneMaker(lane);
const shortestMs = request.shortestMs ?? (await longerThanStarting(waits));
const calls = [];
for (let i = 0; i < distinctDelays; i++) {
  const baseMs = shortestMs + Math.round((i * spanMs) / distinctDelays);
  calls.push({ baseMs, call: await make({ ...settings, baseMs, maxMs: baseMs }) });
}

const lateness = new Float64Array(waits);
const operations = new Array(waits);
let waiting = 0;
let mostWaiting = 0;

const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
for (let i = 0; i < waits; i++) {
  operations[i] = start(i);
  if (i % 1000 === 999) await turn();
}
await turn();
const startTookMs = performance.now() - startedAt;
const heapMiB = process.memoryUsage().heapUsed / 2 ** 20;
const outcomes = await Promise.allSettled(operations);
const { user, system } = process.cpuUsage(cpuBefore);

answer({
  succeeded: outcomes.filter((outcome) => outcome.status === 'fulfilled').length,
  mostWaiting,
  early: lateness.filter((ms) => ms < 0).length,
  earliestMs: lateness.reduce((a, b) => Math.min(a, b)),
  p50Ms: quantile(lateness, 0.5),
  p99Ms: quantile(lateness, 0.99),
  startTookMs,
  heapMiB,
  cpuMs: (user + system) / 1000,
});

function start(index) {
  const { baseMs, call } = calls[index % distinctDelays];
  let dueAt = 0;
  return call(async () => {
    if (dueAt === 0) {
      mostWaiting = Math.max(mostWaiting, ++waiting);
      dueAt = performance.now() + baseMs;
      throw new Error('dependency down');
    }
    lateness[index] = performance.now() - dueAt;
    waiting--;
    return index;
  });
}

/** A delay within which this machine surely starts that many, so that all of them wait at once. */
async function longerThanStarting(count) {
  const sample = 20_000;
  const call = await make({ ...settings, baseMs: 1, maxMs: 1 });
  await Promise.all(Array.from({ length: sample }, () => call(failsOnce())));
  const began = performance.now();
  await Promise.all(Array.from({ length: sample }, () => call(failsOnce())));
  const allMs = ((performance.now() - began) / sample) * count;
  return 5000 + Math.round(1.5 * allMs);
}

function failsOnce() {
  let calls = 0;
  return async () => {
    if (++calls === 1) throw new Error('dependency down');
  };
}
