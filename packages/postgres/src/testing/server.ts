import { type VirtualClock, virtualClock } from '@redrive/testkit';
import type { FullStoreUnderTest } from '@redrive/testkit/conformance/store';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { FAST_PATHS, type FastPaths } from '../fast-paths.ts';
import { openMade } from './open-made.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

export interface TestServer {
  readonly service: PostgresService;
  readonly url: string;
  /** A name that no other test has. */
  newSchema(): string;
  /** Runs statements as the superuser. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** The columns of a table that take a value: a generated one takes none. */
  columns(schema: string, table: string): Promise<string[]>;
  /** Resolves when a statement waits for a row that somebody else has locked. */
  someoneWaits(): Promise<void>;
  /** Resolves when somebody listens for notifications. */
  someoneListens(): Promise<void>;
  /** An empty store on virtual time. Schemas are used again when their test is over: making one takes a while. */
  emptyStore(): Promise<FullStoreUnderTest>;
}

/** Where nothing is lost but time: these tests are not about crashes of the server. */
export const NO_SYNC = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** All that hold what a test has left behind. */
const TABLES = [
  'ids',
  'jobs',
  'finished',
  'audit_blocks',
  'audit_anchors',
  'audit_packs',
  'policies',
  'dead_groups',
  'rates',
  'payloads',
  'earlier_payloads',
  'batches',
  'pruned_in_batches',
  'event_documents',
  'operations',
  'ledger',
  'controls',
  'workers',
];

const START_MS = Date.UTC(2026, 0, 29, 12);

/** One server for all tests of a file. Each test has a schema to itself. */
export function testServer(
  settings: Readonly<Record<string, string>> = {},
  fastPaths: FastPaths = FAST_PATHS,
): TestServer {
  let service: PostgresService | undefined;
  let admin: Client | undefined;
  let schemas = 0;
  const free: string[] = [];

  beforeAll(async () => {
    service = await startPostgres({ settings });
    admin = new Client({ connectionString: service.url });
    // Tests kill servers.
    admin.on('error', () => {});
    await admin.connect();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await admin?.end();
    await service?.stop();
  });

  async function sql(text: string, values: readonly unknown[] = []) {
    const result = await admin?.query<Record<string, unknown>>(text, [...values]);
    return result?.rows ?? [];
  }

  async function someoneWaits(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
    while ((await sql(waiting)).length === 0);
  }

  async function someoneListens(): Promise<void> {
    const listening = `select 1 from pg_stat_activity where query like 'listen %' and state = 'idle'`;
    while ((await sql(listening)).length === 0);
  }

  function newSchema(): string {
    schemas += 1;
    return `test_${schemas}`;
  }

  async function emptyStore(): Promise<FullStoreUnderTest> {
    const clock: VirtualClock = virtualClock({ startMs: START_MS, monotonicMs: 5_000 });
    const schema = free.pop() ?? newSchema();
    const options = { schema, clock, onWarning: () => {} };
    const open = () => openMade(server.url, options, { audit: true, fastPaths });
    let store = await open();
    return {
      store,
      clock,
      async reopen() {
        await store.close();
        store = await open();
        return store;
      },
      async close() {
        await store.close();
        // One question for all: hundreds of tests do this.
        await admin?.query(
          [
            ...TABLES.map((table) => `delete from ${schema}.${table}`),
            `update ${schema}.control_revision set revision = 0, documents = 0`,
            `select ${schema}.write_stops()`,
          ].join(';\n'),
        );
        free.push(schema);
      },
    };
  }

  const columns = async (schema: string, table: string): Promise<string[]> => {
    const rows = await sql(
      `select column_name as name from information_schema.columns where table_schema = $1
       and table_name = $2 and is_generated = 'NEVER' order by ordinal_position`,
      [schema, table],
    );
    return rows.map(({ name }) => String(name));
  };

  const server: TestServer = {
    get service() {
      if (service === undefined) throw new Error('The server has not been started');
      return service;
    },
    get url() {
      return server.service.url;
    },
    newSchema,
    sql,
    columns,
    someoneWaits,
    someoneListens,
    emptyStore,
  };
  return server;
}
