import { isMeasured } from '../measure/lanes.mjs';
import { measureLateness } from '../measure/lateness.mjs';
import { peers } from '../peers.mjs';

const settings = { attempts: 3, factor: 1 };
const lanes = [
  ['Redrive', 'redrive#retrying'],
  ['hand-written', 'hand-written#retrying'],
  ...peers.map((peer) => [peer, `${peer}#retrying`]),
];

export const title = '100,000 waiting retries: punctuality';
export const about = `Delays spread evenly over a span of seconds; lateness by the monotonic clock,
from the failure plus the delay. A \`setTimeout\` can fire up to 1 ms early by that clock.`;

export async function measure({ waits, shortestMs, spanMs, skip }) {
  const results = [];
  for (const [label, lane] of lanes.filter(([, lane]) => isMeasured(lane, skip))) {
    const seen = await measureLateness({ lane, settings, waits, shortestMs, spanMs });
    if (seen.succeeded !== waits)
      throw new Error(`${lane}: ${seen.succeeded} of ${waits} succeeded`);
    const goal = label === 'Redrive' ? { valueAtMost: 0 } : null;
    results.push(
      { id: `${lane}/early`, label, measure: 'woken early', value: seen.early, unit: '', goal },
      { id: `${lane}/p50`, label, measure: 'late, p50', value: seen.p50Ms, unit: 'ms', goal: null },
      { id: `${lane}/p99`, label, measure: 'late, p99', value: seen.p99Ms, unit: 'ms', goal: null },
    );
  }
  return results;
}
