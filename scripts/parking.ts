// `npm run parking [-- --jobs 10000] [--minutes 30] [--only parking|storm]`: an outage in virtual time, on the real
// engine, with parking and without. Prints a table.
import { parseArgs } from 'node:util';
import { HALF_AN_HOUR, type OutageReport, simulateOutage } from './parking/simulate-outage.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: `${HALF_AN_HOUR.jobs}` },
    minutes: { type: 'string', default: `${HALF_AN_HOUR.outageMs / 60_000}` },
    only: { type: 'string' },
  },
});
const jobs = Number(values.jobs);
const outageMs = Number(values.minutes) * 60_000;
if (!(jobs > 0 && outageMs > 0)) {
  console.error('npm run parking -- [--jobs 10000] [--minutes 30] [--only parking|storm]');
  process.exit(2);
}
const seconds = (ms: number | undefined) =>
  ms === undefined ? 'never' : `${(ms / 1_000).toFixed(0)} s`;
const rows: Record<string, (report: OutageReport) => string> = {
  'attempts while it is down': ({ attemptsWhileDown }) => `${attemptsWhileDown}`,
  'attempts in all': ({ attempts }) => `${attempts}`,
  'live success in the first 2 minutes after': ({ liveSuccess }) =>
    `${(liveSuccess * 100).toFixed(1)} %`,
  'jobs finished': ({ finished }) => `${finished} of ${jobs}`,
  'dead letters': ({ dead }) => `${dead}`,
  '99 % finished after': ({ until99Ms }) => seconds(until99Ms),
  'all finished after': ({ untilAllMs }) => seconds(untilAllMs),
  'least possible time': ({ leastMs }) => seconds(leastMs),
};
const reports: OutageReport[] = [];
const columns = ['parking', 'storm'].filter((column) => (values.only ?? column) === column);
for (const column of columns) {
  const startedMs = performance.now();
  reports.push(
    await simulateOutage({ ...HALF_AN_HOUR, jobs, outageMs, parking: column === 'parking' }),
  );
  console.error(`${column}: simulated in ${seconds(performance.now() - startedMs)}`);
}
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
console.log(line(['', ...columns]));
console.log(line(['---', ...columns.map(() => '--:')]));
for (const [name, of] of Object.entries(rows)) console.log(line([name, ...reports.map(of)]));
