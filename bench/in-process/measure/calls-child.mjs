// Measures the lanes of one contender beside the hand-written ones, in rounds: every round runs each
// lane once, in rotated order. Answers, per lane and metric, one number per round.
//
// A full collection comes before each run, because it can throw optimised code away. The run that
// follows it is kept apart (`cpuAfterGc`): measured by itself, every 30 ms, it would charge some peers
// four times what they cost in a program that collects every few seconds.
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { answer, childRequest } from '../../lib/child.mjs';
import { exercise, laneMaker } from './lanes.mjs';

const { lanes, drive, settings, metric, rounds, batchMs, unchecked } = childRequest();

let lastCollectionAt = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) lastCollectionAt = entry.startTime;
}).observe({ entryTypes: ['gc'] });

// A program has other timers. Without one, each lone setTimeout of the hand-written loop wakes Node's timer
// machinery from nothing and costs half as much again.
setInterval(() => {}, 1000);

const measures = { cpu: measureCpu, bytes: measureBytes };

const prepared = [];
for (const lane of lanes) prepared.push(await prepare(lane));
for (let round = 0; round < rounds; round++) {
  for (let i = 0; i < prepared.length; i++) {
    const { run, count, series } = prepared[(i + round) % prepared.length];
    globalThis.gc();
    await measures[metric](run, count, series);
  }
}
answer(Object.fromEntries(prepared.map(({ lane, series }) => [lane, series])));

async function prepare(lane) {
  if (!unchecked.includes(lane)) await exercise(lane, settings);
  const make = await laneMaker(lane);
  const call = await make(settings);
  const { run: drivenBy, waveSize = 1 } = await import(`../drives/${drive}.mjs?${lane}`);
  const run = (count) => drivenBy(call, count);
  const count = metric === 'cpu' ? await calibrate(run, waveSize) : 4000;
  return { lane, run, count, series: { cpu: [], cpuAfterGc: [], bytes: [] } };
}

/** Warms the lane up and finds how many calls fill a batch. */
async function calibrate(run, waveSize) {
  let count = waveSize;
  let perCallNs = 0;
  for (let warmUpMs = 0; warmUpMs < 6 * batchMs; ) {
    perCallNs = await cpuPerCall(run, count);
    const tookMs = (perCallNs * count) / 1e6;
    warmUpMs += tookMs;
    if (tookMs < batchMs / 2) count *= 2;
  }
  const wanted = (batchMs * 1e6) / perCallNs;
  return Math.max(1, Math.round(wanted / waveSize)) * waveSize;
}

async function measureCpu(run, count, series) {
  series.cpuAfterGc.push(await cpuPerCall(run, count));
  await run(count);
  series.cpu.push(await cpuPerCall(run, count));
}

async function cpuPerCall(run, count) {
  const before = process.cpuUsage();
  await run(count);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / count;
}

/** Needs a young generation that holds the whole batch: a collection would hide what it freed. */
async function measureBytes(run, count, series) {
  await run(8 * count); // until the optimising compiler has removed what it can
  globalThis.gc();
  const startedAt = performance.now();
  const before = getHeapStatistics().used_heap_size;
  await run(count);
  const after = getHeapStatistics().used_heap_size;
  await sleep(5); // until the observer has been told
  if (lastCollectionAt > startedAt) throw new Error('a collection ran while bytes were counted');
  series.bytes.push((after - before) / count);
}
