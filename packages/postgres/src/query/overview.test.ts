import { countStates, isBounded, readStatus } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { oldestReadySql } from './oldest-ready.ts';
import { countsSql } from './overview.ts';

const server = testServer(NO_SYNC);
const MANY = 10_000;

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** How many rows of `jobs` a statement looks at. */
async function looked(text: string): Promise<number> {
  const [row = {}] = await server.sql(`explain (analyze, format json) ${text}`);
  // As the server writes it.
  const [{ Plan }] = row['QUERY PLAN'] as [{ Plan: Node }];
  const rows = (node: Node): number => {
    const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
    const inside = (node.Plans ?? []).reduce((sum, plan) => sum + rows(plan), 0);
    return inside + (node['Relation Name'] === 'jobs' ? own * node['Actual Loops'] : 0);
  };
  return rows(Plan);
}

it.each([
  ['ready', {}],
  ['scheduled', { due: { inMs: 3_600_000 } }],
] as const)('counting looks at each job once at most where many are %s', async (_state, spec) => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  for (let at = 0; at < MANY; at += 2_000) {
    await store.apply(ids(2_000, `${at}`).map((id) => enqueueOf(id, spec)));
  }
  await server.sql(`analyze ${schema}.jobs`);
  // And one more look for the handler and queue.
  expect(await looked(countsSql(schema))).toBeLessThanOrEqual(MANY + 1);
  expect(await looked(oldestReadySql(schema))).toBeLessThan(10);
  await store.close();
});

it.each(['ready', 'scheduled'])(
  'counts cost the same for 30,000 jobs as for 10,000 that are %s, and miss no handler of ready ones',
  async (state) => {
    const schema = server.newSchema();
    const store = await openMade(server.url, { schema, onWarning: () => {} });
    await store.apply([enqueueOf('other', { handler: 'other' })]);
    const given = ['seq', 'id', 'handler', 'state', 'due_at'];
    const columns = (await server.columns(schema, 'jobs')).filter((name) => !given.includes(name));
    const fill = (from: number, to: number): Promise<unknown> =>
      server.sql(`insert into ${schema}.jobs (seq, id, handler, state, due_at, ${columns})
        select 100 + n, n, 'mail', '${state}', ${state === 'ready' ? 'null' : 1}, ${columns}
        from ${schema}.jobs, generate_series(${from}, ${to}) as n where handler = 'other';
        analyze ${schema}.jobs`);
    await fill(1, MANY);
    const few = await looked(countsSql(schema));
    expect(await store.counts()).toMatchObject({ bounded: false });
    await fill(MANY + 1, 3 * MANY);
    expect(await looked(countsSql(schema))).toBeLessThan(1.01 * few);
    const { groups, bounded } = await store.counts();
    expect(bounded).toBe(true);
    expect(groups).toContainEqual(expect.objectContaining({ handler: 'other', count: 1 }));
    await store.close();
  },
);

it('counts cost no more where many handlers have many ready jobs', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  await store.apply([enqueueOf('other', { handler: 'other' })]);
  const given = ['seq', 'id', 'handler'];
  const columns = (await server.columns(schema, 'jobs')).filter((name) => !given.includes(name));
  // 20 handlers with 3,000 jobs each are 60,000, and 50,000 are counted.
  await server.sql(`insert into ${schema}.jobs (seq, id, handler, ${columns})
    select 100 + n, n, 'h' || n % 20, ${columns} from ${schema}.jobs, generate_series(1, 60000) as n;
    analyze ${schema}.jobs`);
  expect(await looked(countsSql(schema))).toBeLessThan(51_000);
  const { groups, bounded } = await store.counts();
  expect(bounded).toBe(true);
  expect(groups).toHaveLength(21);
  expect(groups).toContainEqual(expect.objectContaining({ handler: 'other', count: 1 }));
  expect(groups).toContainEqual(
    expect.objectContaining({ handler: 'h7', count: 2_380, bounded: true }),
  );
  await store.close();
});

it.each([
  ['ready', { mail: 20_300 }, { mail: 10_000 }],
  ['scheduled', { mail: 20_300 }, { mail: 10_000 }],
  ['ready', { mail: 10_000, other: 300 }, { mail: 10_000, other: 300 }],
  ['ready', { mail: 20_000, other: 300 }, { mail: 10_000, other: 300 }],
] as const)(
  'status of %s jobs %j: true numbers, or the bound 10,000+',
  async (state, stored, expected) => {
    const schema = server.newSchema();
    const store = await openMade(server.url, { schema, onWarning: () => {} });
    await store.apply([enqueueOf('seed', { handler: 'seed' })]);
    const given = ['seq', 'id', 'handler', 'state', 'due_at'];
    const columns = (await server.columns(schema, 'jobs')).filter((name) => !given.includes(name));
    for (const [handler, count] of Object.entries(stored)) {
      await server.sql(`insert into ${schema}.jobs (seq, id, handler, state, due_at, ${columns})
        select (select max(seq) from ${schema}.jobs) + n, '${handler}' || n, '${handler}', '${state}', ${state === 'ready' ? 'null' : 'now_ms'}, ${columns}
        from ${schema}.jobs, generate_series(1, ${count}) as n, (select extract(epoch from now()) * 1000 + 3600000) t(now_ms)
        where handler = 'seed'`);
    }
    await server.sql(`delete from ${schema}.jobs where handler = 'seed'`);
    // The independent count: every row.
    const truth = await server.sql(
      `select handler, count(*)::int as count from ${schema}.jobs group by 1`,
    );
    expect(Object.fromEntries(truth.map(({ handler, count }) => [handler, count]))).toEqual(stored);
    const { groups, bounded } = await store.counts();
    const shown = groups.map(({ handler, count }) => [handler, count]);
    expect(Object.fromEntries(shown)).toEqual(expected);
    // Only a count that stopped is a bound; the count beside it is exact.
    const cut = groups.filter((group) => group.bounded).map(({ handler }) => handler);
    expect(cut).toEqual(stored.mail === 10_000 ? [] : ['mail']);
    expect(bounded).toBe(cut.length > 0);
    const { counts } = await readStatus(store);
    const waiting = Object.values(expected).reduce((sum, count) => sum + count, 0);
    expect(countStates(counts)[state]).toBe(waiting);
    expect(isBounded(counts)).toBe(bounded);
    await store.close();
  },
);

it('the oldest ready job is found in any handler, queue, priority and tenant', async () => {
  const { store, clock, close } = await server.emptyStore();
  const oldest = async () => (await store.counts()).oldestReadyAtMs;
  const places = ['a', 'b', 'c'].flatMap((handler) =>
    ['q1', 'q2'].flatMap((queue) =>
      [5, 0].flatMap((priority) =>
        ['', 'x', 'y'].map((tenant) => ({ handler, queue, priority, tenant })),
      ),
    ),
  );
  const beganMs = clock.now();
  for (const [at, place] of places.entries()) {
    await store.apply([enqueueOf(`old-${at}`, place)]);
    await clock.advance(1);
  }
  await store.apply(places.map((place, at) => enqueueOf(`new-${at}`, place)));
  // Each place has the oldest job once.
  for (const at of places.keys()) {
    expect(await oldest()).toBe(beganMs + at);
    await store.apply([{ kind: 'act', act: 'cancel', id: `old-${at}`, actor: { name: 'test' } }]);
  }
  expect(await oldest()).toBe(beganMs + places.length);
  await close?.();
});

it('the oldest ready job may be one that its limit key holds back', async () => {
  const { store, clock, close } = await server.emptyStore();
  const heldAt = clock.now();
  await store.apply(ids(2).map((id) => enqueueOf(id, { limitKey: 'k1' })));
  await clock.advance(1);
  await store.apply([enqueueOf('ready')]);
  const [{ jobs }] = await store.apply([claimOf()]);
  expect(jobs.map(({ id }) => id)).toEqual(['job-00001', 'ready']);
  expect((await store.counts()).oldestReadyAtMs).toBe(heldAt);
  await close?.();
});
