// `npm run regroup -- sqlite|postgres [--letters 1000000] [--live 50] [--calm 10]`: how long a merge of all causes of very
// many dead letters takes, and a split of the merged cause, while jobs arrive. Exit code 1: a letter was lost or counted
// twice.
import { parseArgs } from 'node:util';
import { withPlace } from './crash/place.ts';
import { measureRegroup } from './regroup/measure.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    letters: { type: 'string', default: '1000000' },
    live: { type: 'string', default: '50' },
    calm: { type: 'string', default: '10' },
  },
});
const [kind] = positionals;
if (kind !== 'sqlite' && kind !== 'postgres') {
  console.error('Say which store: npm run regroup -- sqlite|postgres');
  process.exit(2);
}
const settings = {
  letters: Number(values.letters),
  livePerSecond: Number(values.live),
  calmMs: Number(values.calm) * 1_000,
};
const figures = await withPlace(kind, (place) => measureRegroup(place, settings));
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
const before = sum(figures[0]?.counted ?? []);
for (const { name, tookMs, moved, counted, live } of figures) {
  const { count, p50Ms, p99Ms } = live;
  const rate = `${moved} letters in ${(tookMs / 1_000).toFixed(1)} s`;
  const jobs = `${count} live jobs, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  console.log(`${name}: ${rate}; ${jobs}; letters by cause: ${counted.join(', ')}`);
  if (sum(counted) !== before) process.exitCode = 1;
}
