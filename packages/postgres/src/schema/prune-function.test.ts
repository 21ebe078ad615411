import type { PruneCommand } from '@redrive/durable/store';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

const NO_JOBS: PruneCommand = {
  kind: 'prune',
  succeededAfterMs: Infinity,
  cancelledAfterMs: Infinity,
  deadAfterMs: Infinity,
  purgedAfterMs: Infinity,
  limit: 2,
  actor: { name: 'test' },
};

it('says that there is more to delete also while idempotency keys are left', async () => {
  const { store, clock, close } = await server.emptyStore();
  const ledger = store.ledger({ retentionMs: 10 });
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ledger.once({ key }, () => 1);
  await clock.advance(10);
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(...(await store.apply([NO_JOBS])));
  expect(answers.map(({ deleted, more }) => [deleted, more])).toEqual([
    [0, true],
    [0, true],
    [0, false],
  ]);
  await close?.();
});

it('holds up nobody while it waits for somebody itself', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  await server.sql(`insert into ${schema}.operations
    (id, revision, request, finished, acted, refused, begun_by, started_at, updated_at)
    values ('old', 1, '{}', true, 0, 0, 'test', 1, 1)`);
  const other = new Client({ connectionString: server.url });
  await other.connect();
  await other.query('begin');
  await other.query(`select from ${schema}.operations for update`);
  const pruned = store.apply([NO_JOBS]);
  await server.someoneWaits();
  await store.apply([enqueueOf('a')]);
  const [{ jobs }] = await store.apply([claimOf()]);
  expect(await store.apply(jobs.map(succeededOf))).toEqual([{ ok: true }]);
  await other.query('commit');
  await other.end();
  expect(await pruned).toMatchObject([{ ok: true }]);
  await store.close();
});
