import { planActs } from '@redrive/durable/control';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { actSubjects } from './act-subjects.ts';

const server = testServer(NO_SYNC);
const actor = { name: 'test' };

async function threeDead(schema: string) {
  const store = await openMade(server.url, { schema, timeoutMs: 2_000, onWarning: () => {} });
  const ids = ['a', 'b', 'c'];
  await store.apply(ids.map((id) => ({ ...enqueueOf(id), dead: { reason: 'final_error' } })));
  return { store, ids };
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  return client;
}

describe('a dry run', () => {
  it('answers while somebody else has all its rows locked', async () => {
    const schema = server.newSchema();
    const { store, ids } = await threeDead(schema);
    const other = await connected();
    await other.query('begin');
    await other.query(`select from ${schema}.finished for update`);
    const wish = { act: 'requeue', target: { ids: [...ids, 'nobody'] }, actor } as const;
    const plan = await planActs(store, wish);
    await other.end();
    expect(plan).toMatchObject({ eligible: 3, ineligible: 1 });
    await store.close();
  });

  it('writes nothing and locks no row: its transaction gets no number', async () => {
    const schema = server.newSchema();
    const { store, ids } = await threeDead(schema);
    const client = await connected();
    await client.query('begin');
    const reader = {
      schema,
      rows: async ({ text, values = [] }: { text: string; values?: readonly unknown[] }) => {
        const all = { text, values: [...values], rowMode: 'array' } as const;
        return (await client.query<(string | null)[]>(all)).rows;
      },
    };
    expect(await actSubjects(reader, ids)).toHaveLength(3);
    const { rows } = await client.query('select pg_current_xact_id_if_assigned() as number');
    expect(rows).toEqual([{ number: null }]);
    await client.end();
    await store.close();
  });
});
