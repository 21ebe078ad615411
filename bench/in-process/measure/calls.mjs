import { fileURLToPath } from 'node:url';
import { runChild } from '../../lib/child.mjs';
import { median, pairedRatio } from '../../lib/statistics.mjs';
import { contenderOf, isMeasured } from './lanes.mjs';

const script = fileURLToPath(new URL('./calls-child.mjs', import.meta.url));

// Lanes rest while others run; without this flag, the collections in between would make them start
// from source text again.
const keepCode = '--no-flush-bytecode';

// A young generation large enough that nothing is collected inside a batch.
const roomForABatch = ['--min-semi-space-size=512', '--max-semi-space-size=512'];

const metrics = {
  cpu: { title: 'CPU', unit: 'ns', measured: 'cpu', flags: [keepCode] },
  cpuAfterGc: { title: 'CPU, just after a full collection', unit: 'ns', measured: 'cpu' },
  bytes: { title: 'allocated', unit: 'B', measured: 'bytes', flags: [keepCode, ...roomForABatch] },
};

/**
 * Measures rows of `{ label, lane, against, metrics, goals }` driven by one drive. Lanes of the same
 * contender share a process with the hand-written lanes they are compared with; the processes of
 * all contenders take turns.
 */
export async function measureCalls({ drive, settings, rows: all, unchecked = [], effort }) {
  const rows = all.filter((row) => isMeasured(row.lane, effort.skip));
  const series = {};
  for (const metric of ['cpu', 'bytes']) {
    series[metric] = await collect({ drive, settings, rows, unchecked, effort, metric });
  }
  return rows.flatMap((row) =>
    row.metrics.map((name) => compare(row, name, series[metrics[name].measured])),
  );
}

async function collect({ drive, settings, rows, unchecked, effort, metric }) {
  const contenders = Map.groupBy(rows, (row) => contenderOf(row.lane));
  const merged = {};
  const { processes, rounds, batchMs } = effort[metric];
  for (let process = 0; process < processes; process++) {
    for (const [contender, own] of contenders) {
      const lanes = [...new Set(own.flatMap((row) => [row.against, row.lane]))];
      const request = { lanes, drive, settings, metric, rounds, batchMs, unchecked };
      merged[contender] ??= [];
      merged[contender].push(await runChild(script, request, metrics[metric].flags));
    }
  }
  return merged;
}

function compare(row, name, processes) {
  const { title, unit } = metrics[name];
  const ofLane = (lane) => processes[contenderOf(row.lane)].flatMap((series) => series[lane][name]);
  const samples = ofLane(row.lane);
  const baseline = ofLane(row.against);
  const ratioAtMost = row.goals?.[name];
  return {
    id: `${row.lane}/${name}`,
    label: row.label,
    measure: title,
    ...pairedRatio(samples, baseline),
    value: median(samples),
    baseline: median(baseline),
    unit,
    goal: ratioAtMost === undefined ? null : { ratioAtMost },
  };
}
