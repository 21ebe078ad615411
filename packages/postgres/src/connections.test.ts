import { jobsOn } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { engageKill, pauseWork } from '@redrive/durable/control';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn } from './enqueue-in.ts';
import { claimOf, enqueueOf, ids, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);
const actor = { name: 'test' };
const COUNTS = [4, 3, 2] as const;

let schema: string;
let name: string;
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  name = `counted ${schema}`;
  client = new Client({ connectionString: server.url });
  await client.connect();
});

afterEach(() => client.end());

function open(connections?: 2 | 3 | 4, parameters = '') {
  const target = { url: `${server.url}${parameters}`, client: { application_name: name } };
  return openMade(target, { schema, connections, timeoutMs: 4_000, onWarning: () => {} });
}

/** Counts the connections of the store again and again while `work` runs: the most that there were. */
async function mostDuring(work: Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  void work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver) {
    const [row] = await server.sql(
      'select count(*)::int as n from pg_stat_activity where application_name = $1',
      [name],
    );
    most = Math.max(most, Number(row?.n));
  }
  await work;
  return most;
}

describe('a process uses at most four connections', () => {
  it.each([
    [undefined, 4],
    [4, 4],
    [3, 4],
    [2, 3],
    ['?connections=2', 3],
  ] as const)(
    'with the option %s: %i, while everything happens at once',
    async (option, most) => {
      const store = typeof option === 'string' ? await open(undefined, option) : await open(option);
      const jobs = jobsOn(store, { mail: async () => 'sent' });

      async function everything(): Promise<void> {
        await jobs.start();
        for (let round = 0; round < 3; round += 1) {
          const reading = store.readAudit();
          const sent = ids(20).map((id) => jobs.enqueue('mail', id));
          await Promise.all([
            ...ids(5).map((id) => jobs.enqueue('mail', id, { uniqueKey: id })),
            ...ids(5).map((id) => store.ledger().once({ key: `${round} ${id}` }, async () => id)),
            store.beginOperation({ id: `op-${round}`, request: '{}', actor }),
            pauseWork(store, { scope: 'queue', name: 'q', actor }),
            store.seal(),
            store.counts(),
            store.jobs({}, { limit: 10 }),
            store.heartbeat([{ id: 'x', token: 1 }], 1_000),
          ]);
          const reader = await reading;
          expect((await verifyAudit(reader)).problems).toEqual([]);
          await reader.close();
          await Promise.all((await Promise.all(sent)).map((id) => jobs.wait(id)));
        }
        await jobs.stop();
      }

      const counted = await mostDuring(everything());
      expect(counted).toBeLessThanOrEqual(most);
      // Otherwise it has seen nothing.
      expect(counted).toBeGreaterThan(1);
      await store.close();
    },
    30_000,
  );

  it('reads of the audit log take turns, and what else reads goes on meanwhile', async () => {
    const store = await open();
    await store.apply([enqueueOf('a')]);
    const first = await store.readAudit();
    const second = store.readAudit();
    expect(await store.job('a')).toMatchObject({ state: 'ready' });
    expect((await first.blocks('', 10)).length).toBe(1);
    await first.close();
    const reader = await second;
    expect((await reader.blocks('', 10)).length).toBe(1);
    await reader.close();
    await store.close();
  });

  it('an option out of range is refused', async () => {
    // @ts-expect-error: one connection could not keep claims apart from what waits for a lock.
    await expect(open(1)).rejects.toMatchObject({ code: 'invalid_option' });
  });
});

describe('while something waits for somebody else’s lock', () => {
  it.each(COUNTS)(
    'claims, settlements and heartbeats go on, with %i connections',
    async (count) => {
      const store = await open(count);
      await store.apply([...ids(4).map((id) => enqueueOf(id)), enqueueOf('locked')]);
      const [{ jobs }] = await store.apply([claimOf({ limit: 5 })]);
      await store.apply([enqueueOf('next')]);
      // The application's transaction has a unique key, and a job that is cancelled meanwhile.
      await client.query('begin');
      await enqueueIn(client, enqueueOf('theirs', { uniqueKey: 'k' }), { schema });
      await client.query(`select from ${schema}.jobs where id = 'locked' for update`);
      const waiting = [
        store.apply([enqueueOf('ours', { uniqueKey: 'k' })]),
        store.apply([{ kind: 'act', act: 'cancel', id: 'locked', actor }]),
        store.beginOperation({ id: 'op', request: '{}', actor }).then(() =>
          store.stepOperation({
            id: 'op',
            revision: 0,
            acts: [{ kind: 'act', act: 'cancel', id: 'locked', actor }],
            finished: true,
          }),
        ),
      ];
      let waited = 0;
      for (const one of waiting) void one.finally(() => (waited += 1));
      await server.someoneWaits();

      const free = jobs.filter(({ id }) => id !== 'locked');
      for (let round = 0; round < 20; round += 1) {
        expect(await store.heartbeat(free, 30_000)).toEqual(free.map(() => 'held'));
      }
      // One whose row is locked does not keep the others waiting.
      const beat = store.heartbeat(jobs, 30_000);
      expect(await store.apply(free.slice(0, 2).map(succeededOf))).toEqual([
        { ok: true },
        { ok: true },
      ]);
      const [claim] = await store.apply([claimOf()]);
      expect(claim.jobs.map(({ id }) => id)).toEqual(['next']);
      expect((await beat).filter((answer) => answer === 'busy')).toEqual(['busy']);
      expect(await store.ledger().once({ key: 'key' }, async () => 1)).toBe(1);
      expect(waited).toBe(0);

      await client.query('commit');
      await Promise.all(waiting);
      await store.close();
    },
  );

  it.each([...COUNTS.map((count) => [count, false] as const), [4, true] as const])(
    'kill switches are engaged, with %i connections (the audit log is being read: %s)',
    async (count, readsAudit) => {
      const store = await open(count);
      await store.apply([enqueueOf('first')]);
      const audit = readsAudit ? await store.readAudit() : undefined;
      await client.query('begin');
      await enqueueIn(client, enqueueOf('theirs', { uniqueKey: 'k' }), { schema });
      let waited = 0;
      const waiting = ['one', 'two', 'three'].map((id) =>
        store.apply([enqueueOf(id, { uniqueKey: 'k' })]).finally(() => (waited += 1)),
      );
      await server.someoneWaits();

      await engageKill(store, { scope: 'queue', name: 'q', mode: 'finish', actor });
      await pauseWork(store, { scope: 'queue', name: 'r', actor });
      expect((await store.controls()).all.map(({ key }) => key)).toEqual([
        'pause:queue:r',
        'queue:q',
      ]);
      expect(waited).toBe(0);

      await client.query('commit');
      await Promise.all(waiting);
      await audit?.close();
      const reader = await store.readAudit();
      expect((await verifyAudit(reader)).problems).toEqual([]);
      await reader.close();
      await store.close();
    },
  );
});
