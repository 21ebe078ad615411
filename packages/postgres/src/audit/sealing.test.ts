import type { Store } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import type { AuditStore } from '@redrive/durable/store';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { enqueueIn } from '../enqueue-in.ts';
import { claimOf, enqueueOf, ids, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { positionKey } from './position.ts';
import { unsealedSql } from './sealer.ts';

const server = testServer(NO_SYNC);

async function verified(store: AuditStore) {
  const reader = await store.readAudit();
  try {
    const { problems, records, sealed } = await verifyAudit(reader);
    return { problems, records, sealed };
  } finally {
    await reader.close();
  }
}

async function sealAll(store: AuditStore): Promise<number> {
  let blocks = 0;
  for (let anchor = await store.seal(); anchor !== undefined; anchor = await store.seal()) {
    blocks += anchor.blocks;
  }
  return blocks;
}

async function opened<T>(
  body: (store: Store & AuditStore, schema: string, client: Client) => Promise<T>,
): Promise<T> {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return await body(store, schema, client);
  } finally {
    await client.end();
    await store.close();
  }
}

describe('sealing', () => {
  it('seals a block later whose transaction was open while others committed', () =>
    opened(async (store, schema, client) => {
      await store.apply([enqueueOf('before')]);
      await client.query('begin');
      await enqueueIn(client, enqueueOf('slow'), { schema });
      await store.apply([enqueueOf('after-1')]);
      await store.apply([enqueueOf('after-2')]);

      expect(await sealAll(store)).toBe(1);
      expect(await verified(store)).toEqual({ problems: [], records: 3, sealed: 1 });

      await client.query('commit');
      expect(await sealAll(store)).toBe(3);
      expect(await verified(store)).toEqual({ problems: [], records: 4, sealed: 4 });
    }));

  it('reads none of the blocks behind a transaction that is open', () =>
    opened(async (store, schema, client) => {
      await store.apply([enqueueOf('before')]);
      await client.query('begin');
      await enqueueIn(client, enqueueOf('slow'), { schema });
      for (const id of ids(200)) await store.apply([enqueueOf(id)]);
      // Of so few, reading all of them may be cheaper.
      await server.sql('set enable_seqscan = off');
      const [row] = await server.sql(
        `explain (analyze, format json) ${unsealedSql(`"${schema}"`)}`,
        positionKey(''),
      );
      await server.sql('reset enable_seqscan');
      const plan = JSON.stringify(row?.['QUERY PLAN']);
      expect(plan).toContain('"Actual Rows":1,');
      expect(plan).not.toMatch(/"Rows Removed by Filter":[1-9]/);
      await client.query('commit');
      expect(await sealAll(store)).toBe(202);
    }));

  it('goes on after a transaction that was rolled back', () =>
    opened(async (store, schema, client) => {
      await client.query('begin');
      await enqueueIn(client, enqueueOf('gone'), { schema });
      await store.apply([enqueueOf('kept')]);
      expect(await sealAll(store)).toBe(0);
      await client.query('rollback');
      expect(await sealAll(store)).toBe(1);
      expect(await verified(store)).toEqual({ problems: [], records: 1, sealed: 1 });
    }));

  it('says in its pulse whether there is something to seal', () =>
    opened(async (store, schema, client) => {
      expect((await store.pulse(['mail'])).unsealed).toBe(false);
      await store.apply([enqueueOf('a')]);
      expect((await store.pulse(['mail'])).unsealed).toBe(true);
      await sealAll(store);
      expect((await store.pulse(['mail'])).unsealed).toBe(false);
      await client.query('begin');
      await enqueueIn(client, enqueueOf('b'), { schema });
      expect((await store.pulse(['mail'])).unsealed).toBe(false);
      await client.query('commit');
      expect((await store.pulse(['mail'])).unsealed).toBe(true);
    }));

  it('finds nothing amiss while writers, callers and two sealers are at it', () =>
    opened(async (store, schema) => {
      const other = await openMade(server.url, { schema, onWarning: () => {} });
      const clients = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const client = new Client({ connectionString: server.url });
          await client.connect();
          return client;
        }),
      );
      let writing = true;
      const write = async (at: number, by: Store) => {
        for (let round = 0; round < 25; round++) {
          await by.apply([enqueueOf(`w${at}-${round}`)]);
          const [claimed] = await by.apply([claimOf({ limit: 5 })]);
          await by.apply(claimed.jobs.map(succeededOf));
        }
      };
      const call = async (client: Client, at: number) => {
        for (let round = 0; round < 25; round++) {
          await client.query('begin');
          await enqueueIn(client, enqueueOf(`c${at}-${round}`), { schema });
          await client.query(round % 5 === 0 ? 'rollback' : 'commit');
        }
      };
      const seal = async (by: AuditStore) => {
        while (writing) await by.seal();
      };
      const sealing = [seal(store), seal(other)];
      await Promise.all([write(1, store), write(2, other), ...clients.map(call)]);
      writing = false;
      await Promise.all(sealing);
      await sealAll(store);
      const { problems, records, sealed } = await verified(store);
      expect(problems).toEqual([]);
      expect(sealed).toBe(records);
      expect(records).toBeGreaterThan(130);
      await Promise.all(clients.map((client) => client.end()));
      await other.close();
    }));

  it('raises the epoch where transaction ids have begun anew', () =>
    opened(async (store, schema) => {
      await store.apply([enqueueOf('a')]);
      await sealAll(store);
      // As after a restore in another server: what is there has higher ids than any transaction to come.
      await server.sql(
        `update ${schema}.audit_blocks set xid = (xid::text::bigint + 1000000000)::text::xid8`,
      );
      await server.sql(`delete from ${schema}.audit_anchors`);
      const again = await openMade(server.url, { schema, onWarning: () => {} });
      await again.apply([enqueueOf('b')]);
      await again.apply([enqueueOf('c')]);
      expect(await again.seal()).toMatchObject({
        from: expect.stringMatching(/^0001\./),
        to: expect.stringMatching(/^0002\./),
        blocks: 3,
      });
      await again.close();
      const third = await openMade(server.url, { schema, onWarning: () => {} });
      await third.apply([enqueueOf('d')]);
      expect((await third.seal())?.to).toMatch(/^0002\./);
      expect(await verified(third)).toEqual({ problems: [], records: 4, sealed: 4 });
      await third.close();
    }));

  it('reads one moment, and says so when it is lost', () =>
    opened(async (store, schema) => {
      await store.apply([enqueueOf('a')]);
      const reader = await store.readAudit();
      await server.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'redrive' and state = 'idle in transaction' and query ilike '%snapshot%'`,
      );
      await expect(reader.blocks('', 10)).rejects.toMatchObject({ code: 'store_unavailable' });
      await expect(reader.blocks('', 10)).rejects.toThrow('the moment');
      await reader.close();
      expect(schema).toBeTruthy();
    }));
});
