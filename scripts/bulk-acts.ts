// `npm run bulk-acts -- sqlite|postgres [--letters 100000] [--live 50] [--calm 15] [--work]`: how long a requeue of very
// many dead letters takes, and what it does to live jobs; with `--work` once more with the ramp and somebody who works on
// them. Exit code 1: the first takes longer than 30 s, or live jobs have more than twice their calm p99.
import { parseArgs } from 'node:util';
import { type BulkFigures, measureBulk } from './bulk-acts/measure.ts';
import { withPlace } from './crash/place.ts';

const MAX_MS = 30_000;
const MAX_TIMES = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    letters: { type: 'string', default: '100000' },
    live: { type: 'string', default: '50' },
    calm: { type: 'string', default: '15' },
    work: { type: 'boolean', default: false },
  },
});
const [kind] = positionals;
if (kind !== 'sqlite' && kind !== 'postgres') {
  console.error('Say which store: npm run bulk-acts -- sqlite|postgres');
  process.exit(2);
}

const settings = {
  letters: Number(values.letters),
  livePerSecond: Number(values.live),
  calmMs: Number(values.calm) * 1_000,
};
for (const works of values.work ? [false, true] : [false]) {
  const figures = await withPlace(kind, (place) => measureBulk(place, { ...settings, works }));
  const isSlow = figures.tookMs > MAX_MS || timesOf(figures) > MAX_TIMES;
  console.log(works ? 'requeued with the ramp, and worked on:' : 'requeued:', lineOf(figures));
  // Who works on them too shares the machine with the live ones: that is for information.
  if (isSlow && !works) process.exitCode = 1;
}

function timesOf({ calm, busy }: BulkFigures): number {
  return busy.p99Ms / calm.p99Ms;
}

function lineOf(figures: BulkFigures): string {
  const { acted, tookMs, calm, busy } = figures;
  const live = `live p50 ${calm.p50Ms.toFixed(1)} → ${busy.p50Ms.toFixed(1)} ms, p99 ${calm.p99Ms.toFixed(1)} → ${busy.p99Ms.toFixed(1)} ms (${timesOf(figures).toFixed(2)}x)`;
  return `${acted} in ${(tookMs / 1_000).toFixed(1)} s; ${live}; ${calm.count} and ${busy.count} live jobs`;
}
