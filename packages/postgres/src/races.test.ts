import type { FullStore, Store } from '@redrive/durable';
import { type ClaimCommand, recordsIn } from '@redrive/durable/store';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { enqueueIn } from './enqueue-in.ts';
import { claimOf, enqueueOf, ids, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

/** So many stores on one schema, as so many processes have them. */
async function together<T>(
  count: number,
  body: (stores: readonly FullStore[], schema: string) => Promise<T>,
): Promise<T> {
  const schema = server.newSchema();
  const stores: FullStore[] = [];
  for (let at = 0; at < count; at += 1) {
    stores.push(await openMade(server.url, { schema, onWarning: () => {} }));
  }
  try {
    return await body(stores, schema);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

/** Works until all is done: each round ends what the one before has claimed, and claims again, in one commit. */
async function work(
  store: Store,
  isDone: () => boolean,
  with_: Partial<ClaimCommand> & { limitPerKey?: number },
  onClaimed: (id: string) => void,
): Promise<void> {
  const first = await store.apply([claimOf(with_)]);
  let { jobs } = first[0];
  while (!isDone()) {
    for (const { id } of jobs) onClaimed(id);
    const results = await store.apply([...jobs.map(succeededOf), claimOf(with_)]);
    const last = results.at(-1);
    jobs = last !== undefined && 'jobs' in last ? last.jobs : [];
  }
}

describe('stores on one schema', () => {
  it('accept one id of a caller once, and one unique key for a time', async () => {
    await together(3, async (stores, schema) => {
      const hour = { uniqueKey: 'slot', uniqueForMs: 3_600_000 };
      let made = 0;
      const both = () => {
        made += 1;
        return [enqueueOf('id::1', { digest: 'd' }), enqueueOf(`slot-${made}`, hour)];
      };
      const inTransactions = async () => {
        const client = new Client({ connectionString: server.url });
        await client.connect();
        const results = [];
        for (let round = 0; round < 10; round += 1) {
          for (const command of both()) {
            await client.query('begin');
            const result = await enqueueIn(client, command, { schema });
            // Half of them come to nothing, and leave nothing.
            await client.query(round % 2 === 0 ? 'rollback' : 'commit');
            if (round % 2 === 1) results.push(result);
          }
        }
        await client.end();
        return results;
      };
      const inStore = async (store: FullStore) => {
        const results = [];
        for (let round = 0; round < 20; round += 1) results.push(await store.apply(both()));
        return results.flat();
      };
      const results = await Promise.all([
        ...stores.map(inStore),
        ...stores.map(inStore),
        inTransactions(),
        inTransactions(),
      ]);
      const outcomes = results
        .flat()
        .map((result) => (result.ok ? result.outcome : result.refusal));
      const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
      expect([count('created'), count('existing'), outcomes.length]).toEqual([2, 258, 260]);
      expect((await stores[0]?.jobs({}, { limit: 10 }))?.jobs).toHaveLength(2);
    });
  });

  it('wait for a caller’s transaction that takes the same id or key', async () => {
    await together(1, async ([store], schema) => {
      const hour = { uniqueKey: 'slot', uniqueForMs: 3_600_000 };
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('begin');
      await enqueueIn(client, enqueueOf('id::1', { digest: 'd' }), { schema });
      await enqueueIn(client, enqueueOf('slot-1', hour), { schema });
      const waiting = Promise.all([
        store?.apply([enqueueOf('id::1', { digest: 'd' })]),
        store?.apply([enqueueOf('id::1', { digest: 'other' })]),
        store?.apply([enqueueOf('slot-2', hour)]),
      ]);
      // Others do not wait with them.
      expect(await store?.apply([enqueueOf('plain')])).toMatchObject([{ outcome: 'created' }]);
      await client.query('commit');
      expect((await waiting).flat()).toEqual([
        { ok: true, id: 'id::1', outcome: 'existing' },
        { ok: false, id: 'id::1', refusal: 'idempotency_conflict' },
        { ok: true, id: 'slot-1', outcome: 'existing' },
      ]);
      await client.end();
    });
  });

  it('write a note once that each of them writes once', async () => {
    await together(3, async (stores) => {
      const once = { key: 'read:a', forMs: 900_000 };
      const note = { kind: 'note', event: 'read', subject: 'list', detail: '{}', once } as const;
      await Promise.all([...stores, ...stores].map((store) => store.apply([note])));
      const blocks = (await stores[0]?.auditBlocks(0, 10)) ?? [];
      expect(blocks.flatMap((block) => recordsIn(block))).toHaveLength(1);
    });
  });

  it('report a worker without waiting for the rows of others, also while these are deleted', async () => {
    await together(2, async ([one, two], schema) => {
      const facts = { host: 'h', pid: 1, version: '1', handlers: ['mail'], concurrency: 1 };
      const report = { ...facts, running: 0, state: 'working' } as const;
      await one?.reportWorker({ ...report, name: 'live' });
      await server.sql(`insert into ${schema}.workers values ('old', 1, 1, 0, false, '{}')`);
      const holder = new Client({ connectionString: server.url });
      await holder.connect();
      await holder.query('begin');
      await holder.query(`select from ${schema}.workers for update`);
      // Each of these would wait until the end of the test if it touched a row that is held.
      await two?.reportWorker({ ...report, name: 'new' });
      await two?.reportWorker({ ...report, name: 'new', running: 1 });
      await holder.end();
      const page = await one?.workers({ limit: 10 });
      expect(page?.workers.map(({ name, running }) => [name, running])).toEqual([
        ['live', 0],
        ['new', 1],
        ['old', 0],
      ]);
    });
  });

  it('never claim a job twice, and leave none behind', async () => {
    await together(3, async (stores, schema) => {
      const all = ids(1_500);
      await stores[0]?.apply(all.map((id, at) => enqueueOf(id, { tenant: `t${at % 7}` })));
      const claimed: string[] = [];
      const isDone = () => claimed.length >= all.length;
      await Promise.all(
        stores.map((store, at) =>
          work(store, isDone, { limit: 40, worker: `w${at}` }, (id) => claimed.push(id)),
        ),
      );
      expect(claimed.toSorted()).toEqual(all);
      const [left] = await server.sql(`select count(*)::int as n from ${schema}.jobs`);
      const [done] = await server.sql(`select max(token)::int as token from ${schema}.finished`);
      expect(left?.n).toBe(0);
      // Claimed once, settled once.
      expect(done?.token).toBe(2);
    });
  });

  it('keep to the limit of a key together, and hold no job for ever', async () => {
    await together(3, async (stores, schema) => {
      const keys = 12;
      const all = ids(480);
      await stores[0]?.apply(all.map((id, at) => enqueueOf(id, { limitKey: `key-${at % keys}` })));
      const claimed = new Set<string>();
      const isDone = () => claimed.size >= all.length;
      let most = 0;
      const watching = (async () => {
        while (!isDone()) {
          const [row] = await server.sql(`select max(n)::int as most from (
            select count(*) as n from ${schema}.jobs where state = 'leased' group by limit_key) k`);
          most = Math.max(most, Number(row?.most ?? 0));
        }
      })();
      const one = { limit: 25, limitPerKey: 2 };
      await Promise.all(stores.map((store) => work(store, isDone, one, (id) => claimed.add(id))));
      await watching;
      expect(most).toBe(2);
    });
  });

  it('give one unique key to one of many who want it', async () => {
    await together(3, async (stores) => {
      const outcomes = await Promise.all(
        ids(60).map(async (id, at) => {
          const [result] = await (stores[at % 3] as Store).apply([
            enqueueOf(id, { uniqueKey: `key-${at % 5}` }),
          ]);
          return result.ok ? result.outcome : result.refusal;
        }),
      );
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === 'existing')).toHaveLength(55);
    });
  });

  it('wake each other', async () => {
    await together(2, async ([one, two]) => {
      const told = new Promise<string>((resolve) => two?.watch(resolve));
      // The first one is heard only by who listens already.
      let heard: string | undefined;
      void told.then((change) => {
        heard = change;
      });
      for (const id of ids(1_000)) {
        if (heard !== undefined) break;
        await one?.apply([enqueueOf(id)]);
      }
      expect(await told).toBe('ready');
    });
  });
});
