// `npm run crash -- sqlite|postgres [--seed N] [--kills N] [--jobs N] [--only <fault>] [--no-fencing] [--no-ledger]`: tries to break
// durable jobs, fault by fault. Exit code 1: it found something that must not be.
import { parseArgs } from 'node:util';
import { FAULTS } from './crash/faults.ts';
import { withPlace } from './crash/place.ts';
import { printReport } from './crash/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    kills: { type: 'string' },
    jobs: { type: 'string' },
    only: { type: 'string' },
    'no-fencing': { type: 'boolean', default: false },
    'no-ledger': { type: 'boolean', default: false },
  },
});

function usage(problem: string): never {
  const names = FAULTS.map(({ name }) => name).join('|');
  console.error(`${problem}\nnpm run crash -- sqlite|postgres [--only ${names}]`);
  process.exit(2);
}

const kind = positionals[0];
if (kind !== 'sqlite' && kind !== 'postgres') usage('Say which store.');
const chosen = FAULTS.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) usage(`There is no fault called ${values.only}.`);

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const options = {
  seed: number(values.seed) ?? Math.floor(Math.random() * 1e6),
  kills: number(values.kills),
  jobs: number(values.jobs),
  fencing: !values['no-fencing'],
  ledger: !values['no-ledger'],
};
for (const { name, stores, run } of chosen) {
  if (!stores.includes(kind)) {
    console.log(`\n${name}: not on ${kind}`);
    continue;
  }
  const isKept = (report: { violations: readonly string[] }) => report.violations.length > 0;
  const report = await withPlace(kind, (place) => run(place, options), isKept);
  printReport(report);
  if (report.violations.length > 0) process.exitCode = 1;
}
