// `npm run parking`: an outage of half an hour in virtual time, on the real engine, with and without parking, side by
// side, and one of two hours for jobs of eight attempts. Takes three minutes. Exit code 1: it did not hold what it
// promises.
// `npm run parking -- sqlite|postgres [--seconds 60] [--keep DIR]`: once for real, with two worker processes and an HTTP
// server. `--keep` leaves the store and its `redrive.yaml` in DIR, to try commands of the lab on them.
import { parseArgs } from 'node:util';
import { type StoreKind, withPlace } from './crash/place.ts';
import { realOutage } from './parking/real-outage.ts';
import {
  HALF_AN_HOUR,
  type Outage,
  type OutageReport,
  simulateOutage,
  TWO_HOURS,
} from './parking/simulate-outage.ts';

const seconds = (ms: number | undefined) =>
  ms === undefined ? 'never' : ms === Infinity ? 'any' : `${(ms / 1_000).toFixed(0)} s`;
const rows: Record<string, (report: OutageReport) => string> = {
  'attempts while it is down': ({ attemptsWhileDown }) => `${attemptsWhileDown}`,
  'attempts allowed: those that ran when it opened, and outage ÷ timeout': ({ attemptsAllowed }) =>
    attemptsAllowed === Infinity ? 'any' : `${attemptsAllowed}`,
  'attempts in all': ({ attempts }) => `${attempts}`,
  'live success in the first 2 minutes after': ({ liveSuccess }) =>
    `${(liveSuccess * 100).toFixed(1)} %`,
  'jobs finished': ({ finished }) => `${finished}`,
  'dead letters': ({ dead }) => `${dead}`,
  '99 % finished after': ({ until99Ms }) => seconds(until99Ms),
  'all finished after': ({ untilAllMs }) => seconds(untilAllMs),
  'least possible time': ({ leastMs }) => seconds(leastMs),
  'time allowed for 99 %: one timeout, and 2.5 times the least': ({ allowedMs }) =>
    seconds(allowedMs),
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
  console.log(
    '10,000 jobs in an outage of half an hour; 200 calls a second at most, 100 are of others.\n',
  );
  const [halfAnHour] = await show({
    parking: HALF_AN_HOUR,
    'without parking': { ...HALF_AN_HOUR, parking: false },
  });
  console.log(
    'The same in an outage of two hours, for jobs of 8 attempts from a minute to an hour.\n',
  );
  const [twoHours] = await show({ parking: TWO_HOURS });
  if (![halfAnHour, twoHours].every(holds)) process.exitCode = 1;
}

function holds(report: OutageReport | undefined): boolean {
  return (
    report !== undefined &&
    report.attemptsWhileDown <= report.attemptsAllowed &&
    report.liveSuccess >= 0.99 &&
    report.finished === HALF_AN_HOUR.jobs &&
    (report.until99Ms ?? Infinity) <= report.allowedMs
  );
}

/** Fits a minute. */
const BREAKER_TIMEOUT_MS = 5_000;

async function forReal(kind: StoreKind, downMs: number, keepIn?: string): Promise<void> {
  const report = await withPlace(
    kind,
    (place) => realOutage(place, { downMs, perSecond: 30, breakerTimeoutMs: BREAKER_TIMEOUT_MS }),
    undefined,
    keepIn,
  );
  console.log(JSON.stringify(report, null, 2));
  if (report.succeeded < report.jobs || report.firstAfterMs > 1.1 * BREAKER_TIMEOUT_MS + 1_000)
    process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, keep: { type: 'string' } },
});
const [kind] = positionals;
if (kind === undefined) await simulate();
else if (kind === 'sqlite' || kind === 'postgres')
  await forReal(kind, Number(values.seconds) * 1_000, values.keep);
else {
  console.error('npm run parking [-- sqlite|postgres [--seconds 60] [--keep DIR]]');
  process.exitCode = 2;
}
