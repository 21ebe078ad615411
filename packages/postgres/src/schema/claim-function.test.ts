import type { Store } from '@redrive/durable';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callStep, StepStatements } from '../apply/call-step.ts';
import { Locators } from '../apply/locators.ts';
import type { Session } from '../connect/connection.ts';
import { applySettings } from '../connect/session-settings.ts';
import { claimOf, enqueueOf, ids, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

let schema: string;
let store: Store;
let clients: Client[];

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} });
  clients = [1, 2].map(() => new Client({ connectionString: server.url }));
  for (const client of clients) await client.connect();
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await store.close();
});

function sessionOf(client: Client | undefined): Session {
  return {
    async query({ text, values = [] }) {
      const result = await client?.query<(string | null)[]>({
        text,
        values: [...values],
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      });
      return result?.rows ?? [];
    },
  };
}

it('a claim leaves to the next one what was enqueued after its step had begun', async () => {
  const [worker, holder] = clients;
  const session = sessionOf(worker);
  await applySettings(session, 30_000);
  await store.apply([enqueueOf('a'), enqueueOf('b')]);
  const [{ jobs }] = await store.apply([claimOf({ limit: 1 })]);
  const step = (settles = jobs.map(succeededOf)) =>
    callStep(
      session,
      new StepStatements(schema),
      { nowMs: null, seq: null, writer: 'writer' },
      { settles, enqueues: [], claim: claimOf() },
      new Locators(),
    );
  await holder?.query('begin');
  await holder?.query(`select 1 from ${schema}.jobs where id = 'a' for update`);
  // The step has its number, and waits for the row of the job that it ends.
  const first = step();
  await server.someoneWaits();
  await store.apply([enqueueOf('fresh')]);
  await holder?.query('commit');
  expect((await first).claimed?.jobs.map(({ id }) => id)).toEqual(['b']);
  expect((await step([])).claimed?.jobs.map(({ id }) => id)).toEqual(['fresh']);
});

it('a claim for many handlers of many tenants looks at those that have jobs, and not at every pair of them', async () => {
  const many = Array.from({ length: 300 }, (_, at) => String(at).padStart(3, '0'));
  await store.apply(many.map((at) => enqueueOf(`job-${at}`, { handler: `h-${at}`, tenant: at })));
  const [worker] = clients;
  const lane = claimOf().lanes[0];
  const lanes = many.map((at) => ({ ...lane, handler: `h-${at}` }) as NonNullable<typeof lane>);
  await worker?.query('begin');
  const frame = { nowMs: null, seq: null, writer: null };
  const claim = claimOf({ lanes, limit: 100 });
  const statements = new StepStatements(schema);
  const parts = { settles: [], enqueues: [], claim };
  const { claimed } = await callStep(sessionOf(worker), statements, frame, parts, new Locators());
  const scans = await worker?.query<{ scans: string }>(
    `select pg_stat_get_xact_numscans('${schema}.jobs_ready'::regclass) as scans`,
  );
  await worker?.query('commit');
  expect(claimed?.jobs.map(({ tenant }) => tenant)).toEqual(many.slice(0, 100));
  // Some looks per handler, and not 100 tenants of each.
  expect(Number(scans?.rows[0]?.scans)).toBeLessThan(10 * many.length);
});

it.each([
  [50, true],
  [400, false],
])('behind %i jobs that have lost a lease a job is claimed ahead: %s', async (lost, isClaimed) => {
  const all = ids(lost + 1);
  await store.apply(all.map((id) => enqueueOf(id)));
  const fresh = all.at(-1);
  await server.sql(`update ${schema}.jobs set lease_lost = 1 where id <> $1`, [fresh]);
  const [{ jobs, more }] = await store.apply([claimOf({ limit: 2, ahead: 300 })]);
  expect(jobs.map(({ id }) => id)).toEqual([...all.slice(0, 2), ...(isClaimed ? [fresh] : [])]);
  expect(more).toBe(true);
});
