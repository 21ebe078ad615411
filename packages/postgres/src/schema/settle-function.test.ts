import { settleAttempt } from '@redrive/core/stored';
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
