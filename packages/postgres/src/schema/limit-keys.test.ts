import type { LeasedJob } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, ids, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

it('the end of a lease lets go of few jobs, however many tenants wait for its key', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const all = ids(300);
  await store.apply(
    all.map((id, at) => enqueueOf(id, { limitKey: 'shared', tenant: `t${100 + (at % 50)}` })),
  );
  let [{ jobs }] = await store.apply([claimOf()]);
  const turns: string[] = [];
  for (let round = 0; round < 60; round += 1) {
    const [job] = jobs as [LeasedJob];
    turns.push(job.tenant);
    await store.apply([succeededOf(job)]);
    const [ready] = await server.sql(
      `select count(*)::int as n from ${schema}.jobs where state = 'ready'`,
    );
    expect(ready?.n).toBeGreaterThan(0);
    expect(ready?.n).toBeLessThanOrEqual(16);
    [{ jobs }] = await store.apply([claimOf({ afterTenant: job.tenant })]);
  }
  // All fifty in turn, and then again from the start.
  expect(new Set(turns.slice(0, 50)).size).toBe(50);
  expect(turns.slice(50)).toEqual(turns.slice(0, 10));
  await store.close();
});

it('however many keys hold jobs back, one that has room is found', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const keys = ids(300, 'key');
  for (const round of ['leased', 'held']) {
    await store.apply(keys.map((limitKey) => enqueueOf(`${round}-${limitKey}`, { limitKey })));
    for (let at = 0; at < 3; at += 1) await store.apply([claimOf({ limit: 1_000 })]);
  }
  const ready = () => server.sql(`select id from ${schema}.jobs where state = 'ready'`);
  expect(await ready()).toEqual([]);
  // Its lease is gone, and nobody has told of it.
  await server.sql(`delete from ${schema}.jobs where id = 'leased-key-00300'`);
  const tick = { kind: 'tick', limit: 10, actor: { name: 'test' } } as const;
  await store.apply([tick]);
  await store.apply([tick]);
  expect(await ready()).toEqual([{ id: 'held-key-00300' }]);
  await store.close();
});
