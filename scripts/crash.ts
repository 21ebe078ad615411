// `npm run crash -- sqlite|postgres|all|<fault> [--seed N] [--kills N] [--jobs N] [--only <fault>] [--keep DIR] [--no-fencing]
// [--no-ledger]`: tries to break durable jobs, fault by fault. `all` does it on both stores and prints a table at the end. Exit code 1:
// it found something that must not be. `--keep` leaves the store and the evidence of each fault in DIR/<fault>-<store>.
// `npm run crash -- nats|rabbitmq [--seed N] [--kills N] [--jobs N] [--bug <bug>]`: the
// broker of a source of events, its consumer and their connection; `--kills` of each, and `--jobs` events.
// `npm run crash -- mongodb`: the fault `sweep` with documents in MongoDB and RabbitMQ as their bus.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrokerKind } from './crash/broker.ts';
import { BROKER_LOSS, type BrokerLossOptions, brokerLoss } from './crash/faults/broker-loss.ts';
import { SWEEP, sweep } from './crash/faults/sweep.ts';
import { FAULTS, type Fault, type FaultOptions } from './crash/faults.ts';
import { markdownTable } from './crash/markdown-table.ts';
import { withMongodbAndRabbitmq } from './crash/mongodb-and-rabbitmq.ts';
import { type Place, type StoreKind, withPlace } from './crash/place.ts';
import { printReport, type Report } from './crash/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    kills: { type: 'string' },
    jobs: { type: 'string' },
    only: { type: 'string' },
    bug: { type: 'string' },
    keep: { type: 'string' },
    'no-fencing': { type: 'boolean', default: false },
    'no-ledger': { type: 'boolean', default: false },
  },
});

function usage(problem: string): never {
  const names = FAULTS.map(({ name }) => name).join('|');
  console.error(
    `${problem}\nnpm run crash -- sqlite|postgres|all|nats|rabbitmq|mongodb|<fault> [--only ${names}] [--keep DIR]`,
  );
  process.exit(2);
}

const STORES: Readonly<Record<string, readonly StoreKind[]>> = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  all: ['sqlite', 'postgres'],
  // The store beside the broker, or beside the documents.
  nats: ['sqlite'],
  rabbitmq: ['sqlite'],
  mongodb: ['sqlite'],
};
const BROKERS: readonly string[] = ['nats', 'rabbitmq'] satisfies BrokerKind[];
const isBroker = (name: string): name is BrokerKind => BROKERS.includes(name);
const BUGS = ['early acknowledgement', 'random id'] as const;
const given = positionals[0] ?? '';
// The name of a fault means that one, on every store that has it.
const only = FAULTS.some(({ name }) => name === given) ? given : values.only;
const kinds = STORES[only === given ? 'all' : given] ?? usage('Say which store, or which fault.');
const chosen = faultsOf(given).filter(({ name }) => only === undefined || only === name);
if (chosen.length === 0) usage(`There is no fault called ${only}.`);

/** All faults of a store, or the one of a broker or of documents elsewhere. */
function faultsOf(name: string): readonly Fault[] {
  if (name === 'mongodb')
    return [{ name: 'sweep, mongodb', stores: ['sqlite'], run: sweepMongodb }];
  if (!isBroker(name)) return FAULTS;
  const bug = BUGS.find((each) => each === values.bug);
  if (bug !== values.bug) usage(`There is no bug called ${values.bug}, but ${BUGS.join(', ')}.`);
  const run: Fault['run'] = (place, { seed, kills, jobs }) => {
    const times = kills ?? BROKER_LOSS.times;
    const events = jobs ?? BROKER_LOSS.events;
    const chosenOptions: BrokerLossOptions = { ...BROKER_LOSS, seed, times, events };
    return brokerLoss(name, place, bug === undefined ? chosenOptions : { ...chosenOptions, bug });
  };
  return [{ name: `broker-loss, ${name}`, stores: ['sqlite'], run }];
}

function sweepMongodb(place: Place, { seed, kills = SWEEP.kills, jobs, fencing }: FaultOptions) {
  const chosenOptions = { seed, kills, pauses: kills, documents: jobs ?? SWEEP.documents, fencing };
  return withMongodbAndRabbitmq((where) => sweep(place, chosenOptions, where));
}

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const options: FaultOptions = {
  seed: number(values.seed) ?? Math.floor(Math.random() * 1e6),
  kills: number(values.kills),
  jobs: number(values.jobs),
  fencing: !values['no-fencing'],
  ledger: !values['no-ledger'],
};
const reports: Report[] = [];
for (const { name, stores, run } of chosen) {
  for (const kind of kinds) {
    if (!stores.includes(kind)) {
      console.log(`\n${name}: not on ${kind}`);
      continue;
    }
    const isKept = (report: Report) => report.violations.length > 0;
    const keepIn = values.keep && join(values.keep, `${name.replaceAll(/\W+/g, '-')}-${kind}`);
    try {
      const report = await withPlace(kind, (place) => run(place, options), isKept, keepIn);
      printReport(report);
      reports.push(report);
    } catch (error) {
      // The others may still have something to say.
      const violations = [`it did not come to its end: ${String(error)}`];
      reports.push({ fault: name, store: kind, seed: options.seed, figures: {}, violations });
      console.log(`\n${name} on ${kind}, seed ${options.seed}\n  VIOLATION ${violations[0]}`);
    }
  }
}
if (given === 'all') console.log(`\n${markdownTable(reports)}`);
if (reports.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
