// `npm run parking`: an outage in virtual time, on the real engine. Half an hour with parking, and three minutes with and
// without it, side by side. Prints tables. Exit code 1: it did not hold what it promises.
// `npm run parking -- sqlite|postgres [--seconds 60]`: once for real, with two worker processes and an HTTP server.
import { parseArgs } from 'node:util';
import { type StoreKind, withPlace } from './crash/place.ts';
import { realOutage } from './parking/real-outage.ts';
import {
  HALF_AN_HOUR,
  type Outage,
  type OutageReport,
  simulateOutage,
  THREE_MINUTES,
} from './parking/simulate-outage.ts';

const seconds = (ms: number | undefined) =>
  ms === undefined ? 'never' : `${(ms / 1_000).toFixed(0)} s`;
const rows: Record<string, (report: OutageReport) => string> = {
  'attempts while it is down': ({ attemptsWhileDown }) => `${attemptsWhileDown}`,
  'attempts in all': ({ attempts }) => `${attempts}`,
  'live success in the first 2 minutes after': ({ liveSuccess }) =>
    `${(liveSuccess * 100).toFixed(1)} %`,
  'jobs finished': ({ finished }) => `${finished}`,
  'dead letters': ({ dead }) => `${dead}`,
  '99 % finished after': ({ until99Ms }) => seconds(until99Ms),
  'all finished after': ({ untilAllMs }) => seconds(untilAllMs),
  'least possible time': ({ leastMs }) => seconds(leastMs),
};

async function show(outages: Readonly<Record<string, Outage>>): Promise<OutageReport[]> {
  const reports: OutageReport[] = [];
  for (const outage of Object.values(outages)) reports.push(await simulateOutage(outage));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log(line(['', ...Object.keys(outages)]));
  console.log(line(['---', ...reports.map(() => '--:')]));
  for (const [name, of] of Object.entries(rows)) console.log(line([name, ...reports.map(of)]));
  console.log();
  return reports;
}

async function simulate(): Promise<void> {
  const { jobs, outageMs, capacityPerSecond, livePerSecond } = THREE_MINUTES;
  console.log(
    '10,000 jobs in an outage of half an hour; 200 calls a second at most, 100 are of others.\n',
  );
  const [long] = await show({ parking: HALF_AN_HOUR });
  console.log(
    `${jobs} jobs in an outage of ${outageMs / 60_000} minutes; ${capacityPerSecond} calls a second at most, ${livePerSecond} are of others.\n`,
  );
  await show({ parking: THREE_MINUTES, 'without parking': { ...THREE_MINUTES, parking: false } });
  const holds =
    long !== undefined &&
    long.attemptsWhileDown <= 500 &&
    long.liveSuccess >= 0.99 &&
    long.finished === HALF_AN_HOUR.jobs &&
    (long.until99Ms ?? Infinity) <= 2.5 * long.leastMs;
  if (!holds) process.exitCode = 1;
}

async function forReal(kind: StoreKind, downMs: number): Promise<void> {
  const report = await withPlace(kind, (place) => realOutage(place, { downMs, perSecond: 30 }));
  console.log(JSON.stringify(report, null, 2));
  if (report.succeeded < report.jobs) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' } },
});
const [kind] = positionals;
if (kind === undefined) await simulate();
else if (kind === 'sqlite' || kind === 'postgres')
  await forReal(kind, Number(values.seconds) * 1_000);
else {
  console.error('npm run parking [-- sqlite|postgres [--seconds 60]]');
  process.exitCode = 2;
}
