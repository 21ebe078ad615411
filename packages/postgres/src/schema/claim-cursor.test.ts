import type { Store } from '@redrive/durable';
import type { ClaimCommand } from '@redrive/durable/store';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callStep, StepStatements } from '../apply/call-step.ts';
import { Locators } from '../apply/locators.ts';
import type { Session } from '../connect/connection.ts';
import { applySettings, INDEX_ONLY } from '../connect/session-settings.ts';
import { openStore } from '../open-store.ts';
import { claimOf, enqueueOf, ids } from '../testing/commands.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { JOB_COLUMNS } from './tables.ts';

const server = testServer(NO_SYNC);
const MANY = { limit: 64 };
const LATER = String(Date.UTC(2100, 0, 1));

let schema: string;
let store: Store;
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  store = await openStore(server.url, { schema, onWarning: () => {} });
  client = new Client({ connectionString: server.url });
  await client.connect();
  await applySettings(session, 30_000, INDEX_ONLY);
  // One with an earlier place than all others, as a retry may have it, and where the others begin.
  await store.apply([enqueueOf('early'), ...ids(200).map((id) => enqueueOf(id))]);
  await client.query(`update ${schema}.jobs set submitted_at = 1 where id = 'early'`);
});
afterEach(async () => {
  await client.end();
  await store.close();
});

const session: Session = {
  async query({ text, values = [] }) {
    const { rows } = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => (value: string) => value },
    });
    return rows;
  },
};

/** A claim in a session of its own, whose cursor the test knows. */
async function claimed(with_: Partial<ClaimCommand> = {}): Promise<string[]> {
  const frame = { nowMs: null, seq: null, writer: 'writer' };
  const parts = { settles: [], enqueues: [], claim: claimOf(with_) };
  const statements = new StepStatements(schema);
  const { claimed } = await callStep(session, statements, frame, parts, new Locators());
  return (claimed?.jobs ?? []).map(({ id }) => id);
}

const setCursor = (priority = '0', tenant = '', until = LATER, since = '1') =>
  client.query(`select set_config('redrive.cursor', $1, false)`, [
    ['mail', 'default', priority, tenant, '2', since, until].join('\u0001'),
  ]);

describe('a cursor', () => {
  it('lets a claim of many begin behind what was claimed before', async () => {
    await setCursor();
    const got = await claimed(MANY);
    expect(got).toHaveLength(64);
    expect(got).not.toContain('early');
    // It goes on from there, and is good no longer than it was.
    const { rows } = await client.query(`select current_setting('redrive.cursor') as text`);
    const [, , , , from, since, until] = rows[0].text.split('\u0001');
    expect(Number(from)).toBeGreaterThan(2);
    expect([since, until]).toEqual(['1', LATER]);
  });

  it.each([
    ['its time is over', () => setCursor('0', '', '1')],
    ['the clock was set back behind its time', () => setCursor('0', '', LATER, LATER)],
    ['it is of another tenant', () => setCursor('0', 'other')],
    ['something has a higher priority', () => setCursor('-1')],
  ])('is not used when %s', async (_, given) => {
    await given();
    expect(await claimed(MANY)).toContain('early');
  });

  it('is not used when few jobs are wanted', async () => {
    await setCursor();
    expect(await claimed({ limit: 5 })).toContain('early');
  });

  it('does not hide what is before it from a claim that does not get enough behind it', async () => {
    await setCursor();
    const got = await claimed({ limit: 500 });
    expect(got).toHaveLength(201);
    expect(got).toContain('early');
    const { rows } = await client.query(`select current_setting('redrive.cursor') as text`);
    expect(rows[0].text).toBe('');
  });

  it('is set when a look was slow: while somebody’s transaction keeps dead entries alive', async () => {
    const holder = new Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select pg_current_xact_id()');
    // As many dead entries as after so many claims.
    const own: Record<string, string> = {
      seq: '1000000 + n',
      id: "'dead-' || n",
      submitted_at: '0',
    };
    const columns = JOB_COLUMNS.map((column) => own[column] ?? `j.${column}`);
    await client.query(`insert into ${schema}.jobs (${JOB_COLUMNS.join(', ')})
      select ${columns.join(', ')} from ${schema}.jobs j, generate_series(1, 30000) n where j.id = 'early'`);
    await client.query(`delete from ${schema}.jobs where seq > 1000000`);
    await claimed(MANY);
    const { rows } = await client.query(`select current_setting('redrive.cursor', true) as text`);
    expect(rows[0].text.split('\u0001').slice(0, 4)).toEqual(['mail', 'default', '0', '']);
    await holder.end();
  });
});
