import { settleAttempt } from '@redrive/core/stored';
import { recordsIn } from '@redrive/durable/store';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

it('an end that has waited for a cancellation follows it', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  await store.apply([enqueueOf('a')]);
  const [{ jobs }] = await store.apply([claimOf()]);
  // Its row is not any more where the claim has seen it.
  await store.heartbeat(jobs, 600_000);
  const canceller = new Client({ connectionString: server.url });
  await canceller.connect();
  await canceller.query('begin');
  await canceller.query(
    `select ${schema}.act(null, nextval('${schema}.audit_seq'), 'cancel', 'a', '{}', null, null)`,
  );
  const ended = store.apply(
    jobs.map((job) => {
      const account = settleAttempt(job.account, 'failed', 1_000);
      return settleOf(job, { to: 'scheduled', dueInMs: 1_000, reason: 'retryable_error', account });
    }),
  );
  await server.someoneWaits();
  await canceller.query('commit');
  expect(await ended).toEqual([{ ok: true }]);
  expect(await store.job('a')).toMatchObject({ state: 'cancelled', account: { claims: 1 } });
  await canceller.end();
  await store.close();
});

it('a rescue waits for nobody, and takes what it can have', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  await store.apply([enqueueOf('a'), enqueueOf('b')]);
  const [{ jobs }] = await store.apply([claimOf({ leaseMs: 1 })]);
  await server.sql(`update ${schema}.jobs set lease_until = 1`);
  const rescue = () =>
    store.apply(
      jobs.map((job) => settleOf(job, { by: 'expired', to: 'scheduled', reason: 'lease_lost' })),
    );
  const holder = new Client({ connectionString: server.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select from ${schema}.jobs where id = 'a' for update`);
  expect(await rescue()).toEqual([{ ok: false, refusal: 'lease_alive' }, { ok: true }]);
  await holder.query('rollback');
  expect(await rescue()).toEqual([{ ok: true }, { ok: false, refusal: 'stale_token' }]);
  await holder.end();
  await store.close();
});

it('a step sends the detail that its failures share once, and each record has its own', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  await store.apply(ids.map((id) => enqueueOf(id)));
  const [{ jobs }] = await store.apply([claimOf()]);
  const shared = '{"error":"down","attempt":0,"own":["attempt"]}';
  const other = '{"error":"slow","attempt":0,"own":["attempt"]}';
  const failed = { to: 'scheduled', dueInMs: 1_000, reason: 'retryable_error' } as const;
  const settlements = [
    { detail: '{"entry":"succeeded"}' },
    { ...failed, detail: shared, own: '[1]' },
    { ...failed, detail: other, own: '[2]' },
    { ...failed, detail: shared, own: '[3]' },
    { ...failed, to: 'dead', detail: shared, own: '[4]' } as const,
  ];
  const settled = jobs.map((job, at) => settleOf(job, settlements[at] ?? {}));
  expect(await store.apply(settled)).toEqual(ids.map(() => ({ ok: true })));
  const last = `select body from ${schema}.audit_blocks order by seq desc limit 1`;
  const [row] = await server.sql(last);
  const records = recordsIn({ body: String(row?.body) });
  const details = records.map((record) => [record.id, record.detail]);
  expect(Object.fromEntries(details)).toEqual({
    a: { entry: 'succeeded' },
    b: { error: 'down', attempt: 1 },
    c: { error: 'slow', attempt: 2 },
    d: { error: 'down', attempt: 3 },
    e: { error: 'down', attempt: 4 },
  });
  await store.close();
});

it('a job that is cancelled during its attempt goes no further, also in a step of jobs that do', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  await store.apply(['a', 'b', 'c'].map((id) => enqueueOf(id)));
  const [{ jobs }] = await store.apply([claimOf()]);
  // As an act does it, but without a new place of the row.
  await server.sql(`update ${schema}.jobs set cancel_requested = true where id = 'b'`);
  const failed = { to: 'scheduled', dueInMs: 1_000, reason: 'retryable_error' } as const;
  const settled = jobs.map((job) => settleOf(job, failed));
  expect(await store.apply(settled)).toEqual(jobs.map(() => ({ ok: true })));
  const states = await Promise.all(['a', 'b', 'c'].map(async (id) => (await store.job(id))?.state));
  expect(states).toEqual(['scheduled', 'cancelled', 'scheduled']);
  await store.close();
});

it('successes whose records have values of their own', async () => {
  const store = await openMade(server.url, { schema: server.newSchema(), onWarning: () => {} });
  await store.apply([enqueueOf('a'), enqueueOf('b')]);
  const [{ jobs }] = await store.apply([claimOf({ limit: 2 })]);
  const detail = '{"attempt":0,"own":["attempt"]}';
  await store.apply(jobs.map((job, at) => settleOf(job, { detail, own: `[${at + 1}]` })));
  const blocks = await store.auditBlocks(0, 10);
  const records = recordsIn({ body: blocks.at(-1)?.body ?? '' });
  expect(records.map((record) => record.detail)).toEqual([{ attempt: 1 }, { attempt: 2 }]);
  await store.close();
});
