// Starts many retries that wait, and answers the live heap bytes that each of them holds.
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { answer, childRequest } from '../../lib/child.mjs';
import { laneMaker } from './lanes.mjs';

const { lane, settings, waits, failuresEach, signals, errors } = childRequest();
const call = await (await laneMaker(lane))(settings);

// The caller's own: its promises and signals exist before the first look at the heap.
const operations = new Array(waits).fill(null);
const shared = new AbortController().signal;
const ownSignals = Array.from({ length: signals === 'own' ? waits : 0 }, newSignal);

const madeOnce = new Error('dependency down');
let failures = 0;
const fails = async () => {
  failures++;
  throw errors === 'new' ? new Error('dependency down') : madeOnce;
};

const before = liveHeap();
for (let i = 0; i < waits; i++) operations[i] = call(fails, ownSignals[i] ?? shared);
while (failures < waits * failuresEach) await sleep(20);
await sleep(50); // the last ones reach their wait
const bytesEach = (liveHeap() - before) / waits;
// With jitter, a few draw a delay so short that they have woken already.
answer({ bytesEach, waiting: failures <= waits * failuresEach * 1.02 });

function newSignal() {
  return new AbortController().signal;
}

function liveHeap() {
  globalThis.gc();
  globalThis.gc();
  return getHeapStatistics().used_heap_size;
}
