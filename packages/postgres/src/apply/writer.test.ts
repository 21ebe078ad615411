import type { Store } from '@redrive/durable';
import type { Change, LeasedJob } from '@redrive/durable/store';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn } from '../enqueue-in.ts';
import { claimOf, enqueueOf, ids, settleOf, succeededOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

let schema: string;
let store: Store;

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} });
});
afterEach(() => store.close());

const stateOf = async (id: string) => (await store.job(id))?.state;

async function leased(count: number): Promise<readonly LeasedJob[]> {
  await store.apply(ids(count).map((id) => enqueueOf(id)));
  const [{ jobs }] = await store.apply([claimOf({ limit: count })]);
  return jobs;
}

describe('what Postgres cannot store', () => {
  it('is refused alone, among the ends of attempts that came with it', async () => {
    const [one, two, three] = (await leased(3)) as [LeasedJob, LeasedJob, LeasedJob];
    await store.apply([enqueueOf('next')]);
    const results = await store.apply([
      succeededOf(one),
      settleOf(two, { to: 'parked', cause: 'breaker:\u0000', dueInMs: 5 }),
      succeededOf(three),
      claimOf(),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true]);
    expect(results[1]).toEqual({ ok: false, refusal: 'illegal' });
    expect(results[3].jobs.map(({ id }) => id)).toEqual(['next']);
    expect(await stateOf(one.id)).toBe('succeeded');
    expect(await stateOf(two.id)).toBe('leased');
    expect(await stateOf(three.id)).toBe('succeeded');
    // It is not in anybody's way afterwards.
    expect(await store.apply([succeededOf(two)])).toEqual([{ ok: true }]);
  });

  it('is an error for who wanted to enqueue it, and for nobody else', async () => {
    const bad = store.apply([enqueueOf('bad', { tenant: 'a\u0000b' })]);
    const good = store.apply([enqueueOf('good')]);
    await expect(bad).rejects.toMatchObject({ code: 'invalid_job' });
    expect(await good).toMatchObject([{ ok: true }]);
    const long = store.apply([enqueueOf('long', { uniqueKey: longText() })]);
    await expect(long).rejects.toMatchObject({ code: 'invalid_job' });
  });
});

/** Too long for an index, also when it is compressed. */
function longText(): string {
  return Array.from({ length: 4_000 }, (_, at) => String.fromCodePoint(0x4e00 + at * 5)).join('');
}

describe('large payloads', () => {
  it('that would be too much for one statement go one by one, in one transaction', async () => {
    const payload = { kind: 'json', text: JSON.stringify('x'.repeat(1024 * 1024)) } as const;
    const many = ids(140).map((id) => enqueueOf(id, { payload }));
    const patient = await openMade(server.url, { schema, timeoutMs: 60_000 });
    const results = await patient.apply(many);
    await patient.close();
    expect(results.every(({ ok }) => ok)).toBe(true);
    const [found] = await server.sql(
      `select count(*)::int as jobs, count(distinct audit_block)::int as blocks from ${schema}.jobs`,
    );
    expect(found).toEqual({ jobs: 140, blocks: 1 });
  }, 30_000);
});

describe('audit blocks', () => {
  it('have the order of the changes that they tell of, also where one waited for the other', async () => {
    const [job] = (await leased(1)) as [LeasedJob];
    const other = new Client({ connectionString: server.url });
    await other.connect();
    await other.query('begin');
    await other.query(`select 1 from ${schema}.jobs where id = '${job.id}' for update`);
    const settled = store.apply([succeededOf(job)]);
    await server.someoneWaits();
    // It has drawn its number by now. The one whom it waits for draws a later one.
    await other.query(
      `select ${schema}.act(null, nextval('${schema}.audit_seq'), 'cancel', '${job.id}', '{}', null, null)`,
    );
    await other.query('commit');
    await other.end();
    expect(await settled).toEqual([{ ok: true }]);
    const [row] = await server.sql(
      `select audit_block > previous_block as later, revision from ${schema}.finished`,
    );
    expect(row).toEqual({ later: true, revision: job.revision + 2 });
  });

  it('also of an enqueueing that replaces a job in the caller’s own transaction', async () => {
    await store.apply([enqueueOf('first', { uniqueKey: 'key', due: { inMs: 60_000 } })]);
    const other = new Client({ connectionString: server.url });
    const caller = new Client({ connectionString: server.url });
    await Promise.all([other.connect(), caller.connect()]);
    await other.query('begin');
    await other.query(`select 1 from ${schema}.jobs where id = 'first' for update`);
    await caller.query('begin');
    const command = enqueueOf('second', { uniqueKey: 'key', onConflict: 'replace' });
    const replaced = enqueueIn(caller, command, { schema });
    await server.someoneWaits();
    const act = `select ${schema}.act(null, nextval('${schema}.audit_seq'), 'run_now', 'first', '{}', null, null)`;
    await other.query(act);
    await other.query('commit');
    expect(await replaced).toEqual({ ok: true, id: 'first', outcome: 'replaced' });
    await caller.query('commit');
    const [row] = await server.sql(
      `select audit_block > previous_block as later, revision from ${schema}.jobs`,
    );
    expect(row).toEqual({ later: true, revision: 3 });
    await Promise.all([other.end(), caller.end()]);
  });
});

it('a lease counts from when its job was had, not from when the step began', async () => {
  const [job] = (await leased(1)) as [LeasedJob];
  await store.apply([enqueueOf('next')]);
  const other = new Client({ connectionString: server.url });
  await other.connect();
  await other.query('begin');
  await other.query(`select 1 from ${schema}.jobs where id = '${job.id}' for update`);
  const step = store.apply([succeededOf(job), claimOf()]);
  await server.someoneWaits();
  const [now] = await server.sql(
    'select ceil(extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  await other.query('commit');
  await other.end();
  const [, { jobs }] = await step;
  expect(jobs[0]?.lease.sinceMs).toBeGreaterThanOrEqual(Number(now?.ms) - 1);
});

it('two claims in one step that get nothing notify nobody: the notified worker would claim again', async () => {
  const changes: Change[] = [];
  const stop = store.watch((change) => changes.push(change));
  await store.apply([claimOf(), claimOf()]);
  expect(changes).toEqual([]);
  stop();
});
