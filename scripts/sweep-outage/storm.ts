import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rabbitmqBus } from '@redrive/rabbitmq';
import { openStore } from '@redrive/sqlite';
import { type RabbitmqService, until } from '@redrive/testkit/services';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { type Delivery, readDeliveries } from './delivery.ts';

export const MAX_ATTEMPTS = 3;
const ON_MONGODB = 'on_mongodb';
const ON_POSTGRES = 'on_postgres';
const WORKERS = 2;
const CHUNK = 1_000;

export interface StormServers {
  readonly rabbitmq: RabbitmqService;
  /** Of a database that has no documents. */
  readonly mongodb: string;
  readonly postgres: string;
}

export interface StormOptions {
  /** On each database. */
  readonly documents: number;
  /** A document is sent again when its last attempt is older. */
  readonly windowSeconds: number;
  /** Kills of a worker and of both services while the broker is away, and as many after it is back. */
  readonly kills: number;
  readonly timeoutMs: number;
}

export interface Found {
  readonly id: string;
  readonly status: string;
  readonly attemptCount: number;
  /** A sweep has claimed it, and the broker has not confirmed its event. */
  readonly waits: boolean;
}

export interface StormReport {
  readonly collection: string;
  readonly documents: readonly Found[];
  readonly deliveries: readonly Delivery[];
  /** Documents when the broker came back. */
  readonly afterOutage: readonly Found[];
  /** When the jobs of the events ended, by their ids. */
  readonly ended: ReadonlyMap<string, number>;
  readonly finished: boolean;
  /** What `redrive audit verify` finds wrong in the store that the storm leaves. */
  readonly problems: readonly unknown[];
  /** `retry_job_documents_requeued_total`. */
  readonly requeued: number;
}

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const launcher = join(packages, 'cli/bin/redrive.cjs');
const service = fileURLToPath(new URL('service.ts', import.meta.url));

const configOf = ({ rabbitmq, mongodb, postgres }: StormServers, windowSeconds: number) => `
version: "1.1.0"
buses: { main: { url: "${rabbitmq.url}" } }
store: { url: "sqlite:./jobs.db" }
jobs: { lease_seconds: 5 }
policies:
  storm: { extends: documents.archives, name: Storm, max_attempts: ${MAX_ATTEMPTS}, base_delay: 1, max_delay: 1 }
sweeps:
  interval: 2
  stuck_threshold: ${windowSeconds}
  collections:
    ${ON_MONGODB}: { source: "${mongodb}", bus: main, policy: storm, event: Stored, destination: ${ON_MONGODB} }
    ${ON_POSTGRES}: { source: "${postgres}", bus: main, policy: storm, event: Stored, destination: ${ON_POSTGRES} }
`;

/**
 * Documents on MongoDB and on Postgres, with workers that sweep and send, and services that begin each document and finish
 * none. RabbitMQ is away for longer than all attempts of a document take; workers and services are killed. It ends when
 * all documents have failed.
 */
export async function storm(
  servers: StormServers,
  { documents, windowSeconds, kills, timeoutMs }: StormOptions,
): Promise<readonly StormReport[]> {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-outage-'));
  const fileOf = (collection: string) => join(directory, `${collection}.jsonl`);
  const databases = { [ON_MONGODB]: servers.mongodb, [ON_POSTGRES]: servers.postgres };
  const collections = [ON_MONGODB, ON_POSTGRES];
  const mongodb = new MongoClient(servers.mongodb);
  const postgres = new pg.Pool({ connectionString: servers.postgres, max: 2 });
  const bus = rabbitmqBus(servers.rabbitmq.url);
  const crew = new Crew(directory);
  const found = (collection: string): Promise<readonly Found[]> =>
    collection === ON_MONGODB ? onMongodb(mongodb) : onPostgres(postgres);
  const arrived = (): number =>
    Math.min(
      ...collections.map(
        (each) => new Set(readDeliveries(fileOf(each)).map((one) => one.document)).size,
      ),
    );
  try {
    writeFileSync(join(directory, 'redrive.yaml'), configOf(servers, windowSeconds));
    await insert(mongodb, postgres, documents);
    execFileSync(process.execPath, [launcher, 'sweep', 'init'], { cwd: directory });
    for (const queue of collections) await bus.declare({ name: queue, queue });
    for (let n = 0; n < WORKERS; n += 1)
      crew.keep([launcher, 'start', '--log-level', 'error', '--health-port', 'off']);
    for (const [queue, url] of Object.entries(databases))
      crew.keep([service, servers.rabbitmq.url, queue, fileOf(queue), url]);

    // Some events are sent, others are on their way, most are not.
    await until(() => arrived() >= documents / 10, { timeoutMs });
    await servers.rabbitmq.kill();
    const outageMs = (MAX_ATTEMPTS + 2) * windowSeconds * 1_000;
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(outageMs / kills);
      await crew.kill(kill % crew.size);
    }
    const afterOutage = await Promise.all(collections.map(found));
    await servers.rabbitmq.restart();
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(windowSeconds * 1_000);
      await crew.kill(kill % crew.size);
    }
    const isOver = async () => {
      const all = (await Promise.all(collections.map(found))).flat();
      return all.every(({ status }) => status === 'failed_max_retries');
    };
    const finished = await until(isOver, { timeoutMs, everyMs: 1_000 });
    // A second event would come now.
    await sleep(windowSeconds * 1_000);
    // Documents fail by the events that were sent: a service may be behind.
    const isDrained = async () => {
      const counts = await servers.rabbitmq.ctl(
        'list_queues',
        '-q',
        '--no-table-headers',
        'messages',
      );
      return counts.split('\n').every((count) => Number(count) === 0);
    };
    await until(isDrained, { timeoutMs, everyMs: 2_000 });
    await crew.stop();
    const ended = await endsOfJobs(join(directory, 'jobs.db'));
    const redrive = (...args: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [launcher, ...args, '--json'], {
          cwd: directory,
          encoding: 'utf8',
        }),
      );
    const { problems } = redrive('audit', 'verify');
    const { retry_job_documents_requeued_total: requeued } = redrive('sweep', 'status');
    return await Promise.all(
      collections.map(async (collection, n) => ({
        ...{ collection, finished, ended, afterOutage: afterOutage[n] ?? [], problems },
        requeued: requeued[collection],
        documents: await found(collection),
        deliveries: readDeliveries(fileOf(collection)),
      })),
    );
  } finally {
    await crew.stop();
    await Promise.all([bus.close(), mongodb.close(), postgres.end()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Processes that are started again when they end. */
class Crew {
  readonly #directory: string;
  readonly #children: ChildProcess[] = [];
  #isOver = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get size(): number {
    return this.#children.length;
  }

  keep(args: readonly string[], place = this.#children.length): void {
    const child = spawn(process.execPath, args, {
      cwd: this.#directory,
      // A service that lost its broker ends with a message.
      stdio: 'ignore',
    });
    this.#children[place] = child;
    child.once('exit', async () => {
      await sleep(1_000);
      if (!this.#isOver) this.keep(args, place);
    });
  }

  async kill(place: number): Promise<void> {
    const child = this.#children[place];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (let place = 0; place < this.size; place += 1) await this.kill(place);
  }
}

async function insert(mongodb: MongoClient, postgres: pg.Pool, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `d-${n}`);
  await postgres.query(`create table ${ON_POSTGRES} (_id text primary key, status text not null)`);
  const collection = mongodb.db().collection<{ _id: string; status: string }>(ON_MONGODB);
  for (let at = 0; at < count; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK);
    await collection.insertMany(chunk.map((_id) => ({ _id, status: 'pending' })));
    const sql = `insert into ${ON_POSTGRES} select unnest($1::text[]), 'pending'`;
    await postgres.query(sql, [chunk]);
  }
}

interface OnMongodb {
  readonly _id: string;
  readonly status: string;
  readonly attemptCount?: number;
  readonly retry_sweep?: { readonly sent?: boolean };
}

async function onMongodb(client: MongoClient): Promise<readonly Found[]> {
  const documents = await client.db().collection<OnMongodb>(ON_MONGODB).find().toArray();
  return documents.map(({ _id: id, status, attemptCount = 0, retry_sweep: mark }) => ({
    ...{ id, status, attemptCount },
    waits: mark?.sent === false,
  }));
}

async function onPostgres(pool: pg.Pool): Promise<readonly Found[]> {
  const sql = `select _id id, status, coalesce("attemptCount", 0)::int "attemptCount",
    coalesce(retry_sweep->>'sent' = 'false', false) waits from ${ON_POSTGRES}`;
  return (await pool.query<Found>(sql)).rows;
}

async function endsOfJobs(file: string): Promise<ReadonlyMap<string, number>> {
  const store = await openStore(file);
  const ended = new Map<string, number>();
  try {
    let after: string | undefined;
    do {
      const page = await store.jobs({ states: ['succeeded'] }, { limit: CHUNK, after });
      for (const { id, finishedAtMs = Infinity } of page.jobs) ended.set(id, finishedAtMs);
      after = page.next;
    } while (after !== undefined);
  } finally {
    await store.close();
  }
  return ended;
}

/** What must not be, in words. */
export function faultsOf(
  report: StormReport,
  { documents }: Pick<StormOptions, 'documents'>,
): readonly string[] {
  const faults: string[] = [];
  if (report.problems.length > 0) faults.push(`audit verify: ${JSON.stringify(report.problems)}`);
  if (!report.finished) faults.push('not all documents have failed in the time');
  if (report.documents.length !== documents) faults.push(`${report.documents.length} documents`);
  if (!report.afterOutage.some(({ waits }) => waits)) faults.push('no event waited for the broker');
  for (const { id, status } of report.afterOutage)
    if (status !== 'pending') faults.push(`${id}: ${status} while the broker was away`);
  const byDocument = Map.groupBy(report.deliveries, ({ document }) => document);
  for (const { id, status, attemptCount } of report.documents) {
    const events = Map.groupBy(byDocument.get(id) ?? [], (delivery) => delivery.id);
    const firsts = [...events.values()].flatMap(([first]) => first ?? []);
    const attempts = firsts.map(({ attempt }) => attempt);
    if (attemptCount !== events.size)
      faults.push(`${id}: ${attemptCount} attempts counted, ${events.size} events arrived`);
    if (status === 'failed_max_retries' && events.size !== MAX_ATTEMPTS)
      faults.push(`${id}: failed after ${events.size} events`);
    if (new Set(attempts).size !== attempts.length)
      faults.push(`${id}: two events of one attempt: ${attempts.join(', ')}`);
    const inOrder = firsts.toSorted((a, b) => a.attempt - b.attempt);
    for (const [n, { claimedAtMs, attempt }] of inOrder.entries()) {
      const before = inOrder[n - 1];
      if (before === undefined) continue;
      // The window begins when an event was sent. Its job ends then; after a kill it ends later, and the event is there.
      const ended = report.ended.get(before.id) ?? Infinity;
      if (claimedAtMs < Math.min(ended, before.arrivedAtMs))
        faults.push(
          `${id}: attempt ${attempt} was claimed before attempt ${before.attempt} was sent`,
        );
    }
    for (const [event, same] of events)
      if (new Set(same.map(({ body, messageId }) => `${messageId} ${body}`)).size > 1)
        faults.push(`${id}: event ${event} arrived with two bodies`);
  }
  return faults;
}

export function figuresOf({
  documents,
  deliveries,
  afterOutage,
  ended,
  problems,
  requeued,
}: StormReport) {
  const byDocument = Map.groupBy(deliveries, ({ document }) => document);
  const gaps = [...byDocument.values()].flatMap((all) => {
    const sorted = all.toSorted((a, b) => a.attempt - b.attempt);
    return sorted.flatMap(({ id, claimedAtMs }, n) => {
      const before = sorted[n - 1];
      if (before === undefined || before.id === id) return [];
      return [claimedAtMs - (ended.get(before.id) ?? Infinity)];
    });
  });
  const again = deliveries.length - new Set(deliveries.map(({ id }) => id)).size;
  return {
    failed: documents.filter(({ status }) => status === 'failed_max_retries').length,
    'waited for the broker': afterOutage.filter(({ waits }) => waits).length,
    events: deliveries.length - again,
    'problems of audit verify': problems.length,
    retry_job_documents_requeued_total: requeued,
    'arrived again': again,
    'of these redelivered by the broker': deliveries.filter((each) => each.isRedelivered).length,
    'shortest time from the end of a sending job to the next claim, ms': Math.min(...gaps),
  };
}
