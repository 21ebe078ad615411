import { jobsOn } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { virtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { type PgBouncerOptions, startPgBouncer } from '@redrive/testkit/services';
import { Client, Pool } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { Locators } from './apply/locators.ts';
import { Writer } from './apply/writer.ts';
import { ConfirmedBlock } from './connect/confirmed-block.ts';
import { Connection } from './connect/connection.ts';
import { enqueueIn } from './enqueue-in.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { onceIn } from './once-in.ts';
import { enqueueOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function pooler(options: PgBouncerOptions): Promise<string> {
  const { url, stop } = await startPgBouncer(server.service, options);
  stops.push(stop);
  return url;
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  stops.push(() => client.end());
  return client;
}

/**
 * All settings of the server session that a client has now. Those of plpgsql come with the first function, and the
 * application's name is carried by the pooler itself.
 */
async function settingsOf(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name not like 'plpgsql.%' and name <> 'application_name'`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/** Sends no statement under a name. */
class UnnamedClient extends Client {
  override query(...args: unknown[]): never {
    const [config, ...rest] = args as [{ name?: string }, ...unknown[]];
    const { name: _name, ...unnamed } = config;
    // The types of pg have eight overloads; it is passed on as it came.
    return (super.query as (...all: unknown[]) => unknown)(unnamed, ...rest) as never;
  }
}

const quiet = { onWarning: () => {} };

describe('a pooler in session mode', () => {
  it('works: jobs run, audit verify finds the log sound, and a closed store leaves no setting', async () => {
    const url = await pooler({ poolMode: 'session' });
    const before = await settingsOf(await connected(url));
    const schema = server.newSchema();
    const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12), monotonicMs: 5_000 });
    const store = await openMade(url, { schema, clock, ...quiet });
    await auditedHistory(store, clock, { seed: 7, rounds: 10 });
    await store.seal();
    const reader = await store.readAudit();
    expect(await verifyAudit(reader)).toMatchObject({ ok: true, problems: [] });
    await reader.close();
    await store.close();
    for (let client = 0; client < 5; client += 1) {
      expect(await settingsOf(await connected(url))).toEqual(before);
    }
  });
});

describe('a pooler in transaction mode', () => {
  const modes: [string, PgBouncerOptions][] = [
    ['transaction mode', { poolMode: 'transaction' }],
    [
      'transaction mode, connections in turn',
      { poolMode: 'transaction', settings: { server_round_robin: '1', min_pool_size: '2' } },
    ],
    ['statement mode', { poolMode: 'statement' }],
  ];
  it.each(modes)('is refused with the remedy, and is left as it was: %s', async (_, options) => {
    const url = await pooler(options);
    const application = await connected(url);
    const before = await settingsOf(application);
    const schema = server.newSchema();
    const refused = await openMade(url, { schema, ...quiet }).then(
      (store) => store.close(),
      (error: unknown) => error,
    );
    expect.soft(refused).toMatchObject({
      code: 'store_behind_pooler',
      message: expect.stringMatching(
        /shares server connections between clients.*Give the store the server's own address/,
      ),
    });
    for (let look = 0; look < 5; look += 1) expect(await settingsOf(application)).toEqual(before);
    expect(await server.sql('select 1 from pg_namespace where nspname = $1', [schema])).toEqual([]);
  });

  it('is refused where it comes with the application’s pool, and the message says so', async () => {
    const pool = new Pool({ connectionString: await pooler({ poolMode: 'transaction' }) });
    stops.push(() => pool.end());
    await expect(openMade({ pool }, quiet)).rejects.toMatchObject({
      code: 'store_behind_pooler',
      message: expect.stringContaining('option pool copies'),
    });
  });

  it('breaks no chain of audit blocks, should one go undetected', async () => {
    const url = await pooler({ poolMode: 'transaction' });
    const schema = server.newSchema();
    const store = await openMade(server.url, { schema, ...quiet });
    stops.push(() => store.close());
    // Two stores as they were before poolers were refused; named statements fail by themselves in this mode.
    const writers = ['one', 'two'].map((writer) => {
      const connection = new Connection({
        store: writer,
        makeClient: () => new UnnamedClient(url),
        prepare: async () => {},
      });
      stops.push(() => connection.close(1_000));
      return new Writer({
        schema,
        clock: undefined,
        writer,
        locators: new Locators(),
        fastPaths: FAST_PATHS,
        connection: () => connection,
        confirmed: new ConfirmedBlock({ store: writer, schema, writer, warn: () => {} }),
      });
    });
    const write = async (at: number, round: number): Promise<void> => {
      const commands = [enqueueOf(`${at} ${round}`)];
      const batch = { commands, size: 1, endsAtMs: Infinity, abandoned: false };
      expect(await writers[at]?.apply(batch)).toMatchObject({ results: [{ ok: true }] });
    };
    for (let round = 0; round < 20; round += 1) {
      // At once: two server connections. One after the other: the one that came back last.
      if (round % 2 === 0) await Promise.all([write(0, round), write(1, round)]);
      else for (const at of [0, 1]) await write(at, round);
    }
    await store.seal();
    const reader = await store.readAudit();
    expect(await verifyAudit(reader)).toMatchObject({ problems: [], records: 40, sealed: 40 });
    await reader.close();
  });

  it('carries the application’s own transactions: enqueueIn and onceIn work, settings stay', async () => {
    const url = await pooler({ poolMode: 'transaction', settings: { default_pool_size: '1' } });
    const schema = server.newSchema();
    // The store has the server's own address, the application the pooler's.
    const store = await openMade(server.url, { schema, ...quiet });
    stops.push(() => store.close());
    const [one, two] = [await connected(url), await connected(url)];
    const before = await settingsOf(one);
    for (const [client, id] of [
      [one, 'a'],
      [two, 'b'],
      [one, 'c'],
    ] as const) {
      await client.query('begin');
      await enqueueIn(client, enqueueOf(id, { uniqueKey: id }), { schema });
      const run = async () => id;
      expect(await onceIn(client, { key: id }, run, { schema })).toBe(id);
      await client.query('commit');
      store.committed();
      expect(await settingsOf(client)).toEqual(before);
    }
    const jobs = jobsOn(store, { mail: async () => 'sent' });
    await jobs.start();
    expect(await Promise.all(['a', 'b', 'c'].map((id) => jobs.wait(id)))).toEqual([
      'sent',
      'sent',
      'sent',
    ]);
    await jobs.stop();
    await store.seal();
    const reader = await store.readAudit();
    expect(await verifyAudit(reader)).toMatchObject({ ok: true, problems: [] });
    await reader.close();
  });
});
