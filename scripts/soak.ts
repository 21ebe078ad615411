// `npm run soak -- sqlite|postgres [--minutes 30] [--seed N]`: half load for long, with a kill every ten seconds. Prints
// a table over time. Exit code 1: it found something that must not be.
import { parseArgs } from 'node:util';
import { withPlace } from './crash/place.ts';
import { printReport } from './crash/report.ts';
import { SOAK, soak } from './crash/soak/soak.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const kind = positionals[0];
const seconds = Number(values.minutes) * 60;
if ((kind !== 'sqlite' && kind !== 'postgres') || !(seconds > 0)) {
  console.error('npm run soak -- sqlite|postgres [--minutes 30] [--seed N]');
  process.exit(2);
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);
const report = await withPlace(
  kind,
  (place) => soak(place, { ...SOAK, seed, seconds }),
  ({ violations }) => violations.length > 0,
);
printReport(report);
if (report.violations.length > 0) process.exitCode = 1;
