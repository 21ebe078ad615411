// `npm run cluster -- nats|rabbitmq [--seed N] [--kills N] [--events N] [--bug "early acknowledgement"]`: three nodes, each
// killed in turn while two processes share 20,000 events and one kill switch.
// `npm run cluster -- postgres [--seed N] [--kills N] [--jobs N] [--standby asynchronous] [--bug "asynchronous standby"]`:
// the primary is killed under load, again and again, and its standby promoted.
// Exit code 1: it found something that must not be.
import { parseArgs } from 'node:util';
import { BROKER_CLUSTER, brokerCluster } from './crash/faults/broker-cluster.ts';
import { POSTGRES_CLUSTER, postgresCluster } from './crash/faults/postgres-cluster.ts';
import { type Place, type StoreKind, withPlace } from './crash/place.ts';
import { printReport, type Report } from './crash/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    kills: { type: 'string' },
    events: { type: 'string' },
    jobs: { type: 'string' },
    standby: { type: 'string' },
    bug: { type: 'string' },
  },
});
const { bug } = values;
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);

interface Cluster {
  readonly store: StoreKind;
  /** The planted bug that it finds. */
  readonly bug: string;
  readonly run: (place: Place) => Promise<Report>;
}

const broker = (kind: 'nats' | 'rabbitmq'): Cluster => ({
  store: 'sqlite',
  bug: 'early acknowledgement',
  run: (place) =>
    brokerCluster(kind, place, {
      ...BROKER_CLUSTER,
      seed,
      ...numbers('kills', 'events'),
      ...(bug !== undefined && { bug: 'early acknowledgement' }),
    }),
});

const CLUSTERS: Readonly<Record<string, Cluster>> = {
  nats: broker('nats'),
  rabbitmq: broker('rabbitmq'),
  postgres: {
    store: 'postgres',
    bug: 'asynchronous standby',
    run: (place) =>
      postgresCluster(place, {
        ...POSTGRES_CLUSTER,
        seed,
        ...numbers('kills', 'jobs'),
        ...(values.standby === 'asynchronous' && { standby: 'asynchronous' }),
        ...(bug !== undefined && { bug: 'asynchronous standby' }),
      }),
  },
};

/** The options that were given, of these names. */
function numbers(...names: readonly ('kills' | 'events' | 'jobs')[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])]])),
  );
}

const cluster = CLUSTERS[positionals[0] ?? ''];
if (cluster === undefined || (bug !== undefined && bug !== cluster.bug)) {
  const bugs = [...new Set(Object.values(CLUSTERS).map((each) => `--bug "${each.bug}"`))];
  console.error(
    `npm run cluster -- ${Object.keys(CLUSTERS).join('|')} [--seed N] [--kills N] [--events N] [--jobs N] [--standby asynchronous] [${bugs.join(' | ')}]`,
  );
  process.exit(2);
}
const report = await withPlace(
  cluster.store,
  cluster.run,
  ({ violations }) => violations.length > 0,
);
printReport(report);
if (report.violations.length > 0) process.exitCode = 1;
