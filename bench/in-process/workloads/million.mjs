import { measureLateness } from '../measure/lateness.mjs';

const settings = { attempts: 3, factor: 1 };
const lanes = [
  ['Redrive', 'redrive#retrying'],
  ['hand-written', 'hand-written#retrying'],
];

export const title = '1,000,000 retries waiting at once';
export const about = `All started before the first may wake, then all awaited: none lost, none early.`;

export async function measure({ waits, spanMs }) {
  const results = [];
  for (const [label, lane] of lanes) {
    const seen = await measureLateness({ lane, settings, waits, spanMs });
    const goal = (bound) => (label === 'Redrive' ? bound : null);
    const row = (measure, value, unit, goal = null) =>
      results.push({ id: `${lane}/${measure}`, label, measure, value, unit, goal });
    row('waiting at once', seen.mostWaiting, '', goal({ valueAtLeast: waits }));
    row('succeeded', seen.succeeded, '', goal({ valueAtLeast: waits }));
    row('woken early', seen.early, '', goal({ valueAtMost: 0 }));
    row('late, p50', seen.p50Ms, 'ms');
    row('late, p99', seen.p99Ms, 'ms');
    row('heap while waiting', seen.heapMiB, 'MiB');
    row('CPU for all', seen.cpuMs, 'ms');
  }
  return results;
}
