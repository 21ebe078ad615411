import type { Store } from '@redrive/durable';
import type { ClaimCommand, ClaimResult } from '@redrive/durable/store';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callStep, StepStatements } from '../apply/call-step.ts';
import { Locators } from '../apply/locators.ts';
import type { Session } from '../connect/connection.ts';
import { applySettings } from '../connect/session-settings.ts';
import { claimOf, enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { JOB_COLUMNS } from './transition-sql.ts';

// Nobody else removes dead entries.
const server = testServer({ ...NO_SYNC, autovacuum: 'off' });
const FEW = { limit: 8 };
const LATER = String(Date.UTC(2100, 0, 1));

let schema: string;
let store: Store;
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} });
  client = new Client({ connectionString: server.url });
  await client.connect();
  await applySettings(session, 30_000);
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
async function claim(with_: Partial<ClaimCommand>): Promise<ClaimResult> {
  const frame = { nowMs: null, seq: null, writer: 'writer' };
  const parts = { settles: [], enqueues: [], claim: claimOf(with_) };
  const statements = new StepStatements(schema);
  const { claimed } = await callStep(session, statements, frame, parts, new Locators());
  if (claimed === undefined) throw new Error('There was no answer to the claim');
  return claimed;
}

async function claimed(with_: Partial<ClaimCommand> = {}): Promise<string[]> {
  return (await claim(with_)).jobs.map(({ id }) => id);
}

const setCursor = (priority = '0', tenant = '', until = LATER, since = '1') =>
  client.query(`select set_config('redrive.cursor_${schema}', $1, false)`, [
    ['mail', 'default', priority, tenant, '2', since, until].join('\u0001'),
  ]);

describe('a cursor', () => {
  it('lets a claim begin behind what was claimed before', async () => {
    await setCursor();
    const got = await claimed(FEW);
    expect(got).toHaveLength(8);
    expect(got).not.toContain('early');
    // It goes on from there, and is good no longer than it was.
    const [, , , , from, since, until] = (await cursor()).split('\u0001');
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
    expect(await claimed(FEW)).toContain('early');
  });

  it('tells when to look again if it does not get enough behind it', async () => {
    await setCursor();
    const { jobs, nextDueInMs } = await claim({ limit: 500 });
    expect(jobs).toHaveLength(200);
    expect(nextDueInMs).toBeGreaterThan(0);
  });

  it('is not given up when nothing is behind it: the next look from the start is when its time is over', async () => {
    await setCursor();
    await claim({ limit: 500 });
    const { jobs, nextDueInMs } = await claim(FEW);
    expect(jobs).toEqual([]);
    expect(nextDueInMs).toBeGreaterThan(0);
    await setCursor('0', '', '1');
    expect(await claimed(FEW)).toEqual(['early']);
  });

  describe('when many were claimed and nothing was vacuumed since', () => {
    /** As many dead entries as after so many claims. */
    beforeEach(async () => {
      const own: Record<string, string> = {
        seq: '1000000 + n',
        id: "'dead-' || n",
        submitted_at: '0',
      };
      const columns = JOB_COLUMNS.map((column) => own[column] ?? `j.${column}`);
      await client.query(`insert into ${schema}.jobs (${JOB_COLUMNS.join(', ')})
        select ${columns.join(', ')} from ${schema}.jobs j, generate_series(1, 30000) n where j.id = 'early'`);
    });
    const finish = () => client.query(`delete from ${schema}.jobs where seq > 1000000`);

    it('is set by a claim of few jobs, and the next one reads few pages', async () => {
      await finish();
      const { rows } = await client.query(
        `select pg_relation_size('${schema}.jobs_ready') / 8192 as pages`,
      );
      const pages = Number(rows[0].pages);
      expect(pages).toBeGreaterThan(200);
      // It goes over them once, not twice.
      expect(await pagesRead(() => claimed(FEW))).toBeLessThan(1.2 * pages);
      const set = (await cursor()).split('\u0001');
      expect(set.slice(0, 4)).toEqual(['mail', 'default', '0', '']);
      // Its time may be over before this test goes on.
      await client.query(`select set_config('redrive.cursor_${schema}', $1, false)`, [
        [...set.slice(0, 6), LATER].join('\u0001'),
      ]);
      expect(await pagesRead(() => claimed(FEW))).toBeLessThan(40);
    });

    it('is set while somebody’s transaction keeps dead entries alive', async () => {
      const holder = new Client({ connectionString: server.url });
      await holder.connect();
      await holder.query('begin isolation level repeatable read');
      await holder.query('select pg_current_xact_id()');
      await finish();
      await server.sql(`vacuum ${schema}.jobs`);
      await claimed(FEW);
      await holder.end();
      expect((await cursor()).split('\u0001').slice(0, 4)).toEqual(['mail', 'default', '0', '']);
    });

    it('is not set after a vacuum', async () => {
      await finish();
      await server.sql(`vacuum ${schema}.jobs`);
      await claimed(FEW);
      expect(await cursor()).toBe('');
    });
  });
});

async function cursor(): Promise<string> {
  const { rows } = await client.query(
    `select coalesce(current_setting('redrive.cursor_${schema}', true), '') as text`,
  );
  return rows[0].text;
}

/** Pages of the index of ready jobs that were read meanwhile. */
async function pagesRead(act: () => Promise<unknown>): Promise<number> {
  await client.query('begin');
  const read = `select pg_stat_get_xact_blocks_fetched('${schema}.jobs_ready'::regclass)::int as pages`;
  const before = await client.query(read);
  await act();
  const after = await client.query(read);
  await client.query('commit');
  return after.rows[0].pages - before.rows[0].pages;
}
