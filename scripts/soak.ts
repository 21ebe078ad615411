// `npm run soak -- sqlite|postgres [--minutes 30] [--seed N]`: half load for long, with a kill every ten seconds. Prints
// a table over time. `npm run soak -- open-close [--cycles 20000] [--minutes N] [--seed N]`: processes open and close stores,
// and end in the middle of it. Exit code 1: it found something that must not be.
import { parseArgs } from 'node:util';
import { withPlace } from './crash/place.ts';
import { printReport } from './crash/report.ts';
import { OPEN_CLOSE, openClose } from './crash/soak/open-close.ts';
import { SOAK, soak } from './crash/soak/soak.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    cycles: { type: 'string', default: String(OPEN_CLOSE.cycles) },
    seed: { type: 'string' },
  },
});
const kind = positionals[0];
const isOpenClose = kind === 'open-close';
const seconds = Number(values.minutes ?? (isOpenClose ? Infinity : 30)) * 60;
const cycles = Number(values.cycles);
const isKnown = kind === 'sqlite' || kind === 'postgres' || isOpenClose;
if (!isKnown || !(seconds > 0) || !(cycles > 0)) {
  console.error('npm run soak -- sqlite|postgres [--minutes 30] [--seed N]');
  console.error('npm run soak -- open-close [--cycles 20000] [--minutes N] [--seed N]');
  process.exit(2);
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);
const report = await withPlace(
  kind === 'postgres' ? 'postgres' : 'sqlite',
  (place) =>
    isOpenClose
      ? openClose(place, { ...OPEN_CLOSE, cycles, seconds, seed })
      : soak(place, { ...SOAK, seed, seconds }),
  ({ violations }) => violations.length > 0,
);
printReport(report);
if (report.violations.length > 0) process.exitCode = 1;
