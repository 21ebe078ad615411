import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

const open = (schema: string) => openMade(server.url, { schema, onWarning: () => {} });

describe('the cause of a dead letter', () => {
  it('is not forgotten while somebody is about to die of it', async () => {
    const schema = server.newSchema();
    const store = await open(schema);
    const group = { fingerprint: 'fp1:0123456789abcdef', pattern: 'Error: gone' };
    await server.sql(`insert into ${schema}.dead_groups values ($1, $2)`, [
      group.fingerprint,
      group.pattern,
    ]);
    // Somebody has taken the lock on it, and has not committed his letter yet.
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query('begin');
    await client.query(`select ${schema}.keep_groups(array[$1], array[$2])`, [
      group.fingerprint,
      group.pattern,
    ]);
    const never = Number.POSITIVE_INFINITY;
    const prune = () =>
      store.apply([
        {
          kind: 'prune',
          succeededAfterMs: never,
          cancelledAfterMs: never,
          deadAfterMs: never,
          purgedAfterMs: never,
          limit: 10,
          actor: { name: 'test' },
        },
      ]);
    const groups = () => server.sql(`select 1 from ${schema}.dead_groups`);
    await prune();
    expect(await groups()).toHaveLength(1);
    await client.query('rollback');
    await prune();
    expect(await groups()).toHaveLength(0);
    await client.end();
    await store.close();
  });

  it('waits for nobody who dies of the same', async () => {
    const schema = server.newSchema();
    const store = await open(schema);
    await server.sql(`select ${schema}.keep_groups(array['fp1:x'], array['x'])`);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query('begin');
    await client.query(`select ${schema}.keep_groups(array['fp1:x'], array['x'])`);
    await server.sql(`select ${schema}.keep_groups(array['fp1:x'], array['y'])`);
    expect(await server.sql(`select pattern from ${schema}.dead_groups`)).toEqual([
      { pattern: 'x' },
    ]);
    await client.end();
    await store.close();
  });

  it('may have a pattern without any text', async () => {
    const schema = server.newSchema();
    const store = await open(schema);
    await store.apply([enqueueOf('a')]);
    const [{ jobs }] = await store.apply([claimOf()]);
    const [job] = jobs;
    if (job === undefined) throw new Error('nothing claimed');
    const { settlement } = succeededOf(job);
    const group = { fingerprint: 'fp1:empty', pattern: '' };
    const dead = { ...settlement, to: 'dead', reason: 'max_attempts_exceeded', group } as const;
    const [answer] = await store.apply([{ kind: 'settle', settlement: dead }]);
    expect(answer).toEqual({ ok: true });
    expect((await store.deadGroups({}, { limit: 1 })).groups).toMatchObject([group]);
    await store.close();
  });
});
