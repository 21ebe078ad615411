import { fileURLToPath } from 'node:url';
import { runChild } from '../../lib/child.mjs';
import { median, pairedRatio } from '../../lib/statistics.mjs';
import { isMeasured } from './lanes.mjs';

const script = fileURLToPath(new URL('./heap-child.mjs', import.meta.url));

/**
 * Measures rows of `{ id, label, lane, against, settings, waits, failuresEach, signals,
 * errors, goal }`: one process per lane and repetition. What a waiting retry holds hardly varies, so
 * few suffice.
 */
export async function measureHeap({ rows, repetitions, skip }) {
  const known = new Map();
  const heapOf = async (row, lane, repetition) => {
    const { settings, waits, failuresEach = 1, signals = 'none', errors = 'one' } = row;
    const request = { lane, settings, waits, failuresEach, signals, errors };
    const key = JSON.stringify([request, repetition]);
    if (!known.has(key)) known.set(key, await bytesEach(request));
    return known.get(key);
  };

  const results = [];
  for (const row of rows.filter((row) => isMeasured(row.lane, skip))) {
    const samples = [];
    const baseline = [];
    for (let repetition = 0; repetition < repetitions; repetition++) {
      baseline.push(await heapOf(row, row.against, repetition));
      samples.push(await heapOf(row, row.lane, repetition));
    }
    results.push(compare(row, samples, baseline));
  }
  return results;
}

async function bytesEach(request) {
  const { bytesEach, waiting } = await runChild(script, request);
  if (!waiting) throw new Error(`${request.lane} did not stay in its wait`);
  return bytesEach;
}

function compare({ id, label, goal }, samples, baseline) {
  return {
    id,
    label,
    measure: 'live heap each',
    ...pairedRatio(samples, baseline),
    value: median(samples),
    baseline: median(baseline),
    unit: 'B',
    goal: goal === undefined ? null : { ratioAtMost: goal },
  };
}
