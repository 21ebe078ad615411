import type { Store } from '@redrive/durable';
import type { LeasedJob } from '@redrive/durable/store';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);
const LEASE_MS = 60_000;
/** So that the wait for a locked row is of some milliseconds. */
const SHORT_MS = 480;

let schema: string;
let store: Store;
let other: Client;
let jobs: readonly LeasedJob[];

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} });
  other = new Client({ connectionString: server.url });
  await other.connect();
  await store.apply(ids(3).map((id) => enqueueOf(id)));
  [{ jobs }] = await store.apply([claimOf({ leaseMs: SHORT_MS * 1_000 })]);
});
afterEach(async () => {
  await other.end();
  await store.close();
});

const lock = (job: LeasedJob | undefined) =>
  other.query(`select 1 from ${schema}.jobs where id = '${job?.id}' for update`);
const leaseOf = async (job: LeasedJob | undefined) =>
  (await store.job(job?.id ?? ''))?.lease?.untilMs ?? 0;

describe('a heartbeat', () => {
  it('does not call a lease held that it could not extend, and extends the others', async () => {
    await other.query('begin');
    await lock(jobs[1]);
    expect(await store.heartbeat(jobs, SHORT_MS)).toEqual(['held', 'busy', 'held']);
    await other.query('rollback');
    expect(await store.heartbeat(jobs, SHORT_MS)).toEqual(['held', 'held', 'held']);
  });

  it('waits a little for a row that somebody has locked', async () => {
    await other.query('begin');
    await lock(jobs[1]);
    const longer = 10_000_000;
    const beat = store.heartbeat(jobs, longer);
    await server.someoneWaits();
    await other.query('commit');
    expect(await beat).toEqual(['held', 'held', 'held']);
    expect((await leaseOf(jobs[1])) - (jobs[1]?.lease.untilMs ?? 0)).toBeGreaterThan(LEASE_MS);
  });

  it('calls a lease lost that was ended by whoever had locked it', async () => {
    await other.query('begin');
    await lock(jobs[1]);
    const beat = store.heartbeat(jobs, 10_000_000);
    await server.someoneWaits();
    await other.query(`update ${schema}.jobs set token = token + 1 where id = '${jobs[1]?.id}'`);
    await other.query('commit');
    expect(await beat).toEqual(['held', 'lost', 'held']);
  });
});
