import type { Store } from '@redrive/durable';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

// The functions of a claim, one at a time, and the plans of all of them.

const server = testServer(NO_SYNC);

let schema: string;
let store: Store;
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} });
  client = new Client({ connectionString: server.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await store.close();
});

/** Calls a function of the schema, and answers with its only row. */
async function call(sql: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(`select * from ${schema}.${sql}`);
  return rows[0];
}

describe('losses()', () => {
  it.each([
    [0, null, 0],
    [2, null, 2],
    [1, '0,0,0,0,0,0,0,0,3,0,1', 3],
    [1, '0,0,0,0,0,0,0,0,3', 4],
    [1, 'damaged, and longer than an account is', 1],
    [0, '0,0,0,0,0,0,0,0,99999999999,0,x', 0],
  ])('of %i charged ones and the account %s are %i', async (lost, account, losses) => {
    const { rows } = await client.query(`select ${schema}.losses($1, $2) as n`, [lost, account]);
    expect(rows).toEqual([{ n: losses }]);
  });
});

describe('first_range()', () => {
  const first = () => call(`first_range('mail', 100, '{}')`);

  it('has no queue while no job is ready', async () => {
    expect(await first()).toMatchObject({ queue: null, only_range: true, cursor: null });
  });

  it.each([
    ['one queue, priority and tenant', {}, true],
    ['another queue', { queue: 'slow' }, false],
    ['another tenant', { tenant: 'b' }, false],
    ['a lower priority, which comes later', { priority: -1 }, true],
    ['another handler', { handler: 'other' }, true],
  ])('with jobs of %s', async (_, spec, onlyRange) => {
    await store.apply([enqueueOf('a'), enqueueOf('b', spec)]);
    expect(await first()).toMatchObject({
      queue: 'default',
      priority: 0,
      tenant: '',
      only_range: onlyRange,
    });
  });
});

describe('open_lanes()', () => {
  beforeEach(() =>
    store.apply([
      enqueueOf('a'),
      enqueueOf('b', { queue: 'slow' }),
      enqueueOf('c', { handler: 'other' }),
    ]),
  );

  it.each([
    ['all handlers', `null, '{}', '{}'`, ['mail default', 'mail slow', 'other default']],
    ['only some queues', `'{slow}', '{}', '{}'`, ['mail slow']],
    ['a paused handler', `null, '{mail}', '{}'`, ['other default']],
    ['a paused queue', `null, '{}', '{default}'`, ['mail slow']],
  ])('of %s', async (_, rest, lanes) => {
    const { handlers, queues } = await call(`open_lanes('{mail,none,other}', ${rest})`);
    const names = handlers as string[]; // Every case has a lane.
    expect(names.map((name, at) => `${name} ${(queues as string[])[at]}`).sort()).toEqual(lanes);
  });
});

describe('tenants_in_turn()', () => {
  beforeEach(() => store.apply(['a', 'b', 'c'].map((tenant) => enqueueOf(tenant, { tenant }))));

  it.each([
    ['begins at the first', `null, false, 10, '{}'`, ['a', 'b', 'c']],
    ['goes on behind the last one that had its turn', `'a', false, 10, '{}'`, ['b', 'c', 'a']],
    ['goes on with the same one', `'b', true, 10, '{}'`, ['b', 'c', 'a']],
    ['has no more than asked for', `'b', false, 2, '{}'`, ['c', 'a']],
    ['leaves out tenants that a kill switch stops', `null, false, 10, '{b}'`, ['a', 'c']],
  ])('%s', async (_, rest, tenants) => {
    const turns = `tenants_in_turn('{mail}', '{default}', 0, ${rest}) as tenants`;
    expect(await call(turns)).toEqual({ tenants });
  });
});

describe('candidates_in_turn()', () => {
  const candidates = (room: number, ahead: number) =>
    call(`candidates_in_turn(0, null, '{}', null, 0, '{1}', '{mail}', '{default}', 0, '{a,b}', 2,
      '{100}', ${room}, ${ahead}, false)`);

  beforeEach(() =>
    store.apply(['a1', 'a2', 'a3', 'b1'].map((id) => enqueueOf(id, { tenant: id.charAt(0) }))),
  );

  it('takes one job of each tenant in turn, and no more than its quota', async () => {
    const found = await candidates(10, 0);
    expect(found).toMatchObject({ tenants: ['a', 'b', 'a'], all_safe: true, rounds: 2 });
  });

  it('locks one more than there is room for', async () => {
    expect((await candidates(0, 0)).tenants).toEqual(['a', 'b']);
  });

  it('knows jobs that have lost a lease', async () => {
    await server.sql(`update ${schema}.jobs set lease_lost = 1 where id = 'a1'`);
    expect(await candidates(10, 0)).toMatchObject({ safe: [false, true, true], all_safe: false });
  });
});

describe('the plans of a claim', () => {
  /** The scans of tables in the plans of all statements that a claim runs. */
  async function scans(claim: string): Promise<string[]> {
    const found = new Set<string>();
    client.on('notice', ({ message = '' }) => {
      for (const [, scan = ''] of message.matchAll(
        /^\s*(?:->)?\s*(\S[^(\n]*Scan[^(\n]* on [^(\n]*)/gmu,
      ))
        if (!/on (?:unnest|json|walk|pairs|turns)|Function|WorkTable|Subquery|CTE/u.test(scan))
          found.add(scan.trim().replace(/ on (\w+) \w+$/u, ' on $1'));
    });
    await client.query(`load 'auto_explain'`);
    await client.query('set auto_explain.log_min_duration = 0');
    await client.query('set auto_explain.log_nested_statements = on');
    await client.query('set client_min_messages = log');
    await client.query(claim);
    await client.query('set client_min_messages = warning');
    return [...found].sort();
  }

  it.each([
    ['one tenant', 1, 1],
    ['many tenants and handlers', 20, 3],
  ])('go through indexes alone: %s', async (_, tenants, lanes) => {
    await store.apply(
      ids(300).map((id, at) =>
        enqueueOf(id, {
          handler: `h-${at % lanes}`,
          tenant: tenants === 1 ? '' : `t-${at % tenants}`,
        }),
      ),
    );
    const list = (of: (at: number) => string | number) =>
      `array[${Array.from({ length: lanes }, (_, at) => of(at))}]`;
    // As `step` sets them, which calls it.
    const settings =
      'plan_cache_mode enable_seqscan enable_bitmapscan enable_hashjoin enable_mergejoin';
    for (const name of settings.split(' ').slice(1)) await client.query(`set ${name} = off`);
    await client.query('set plan_cache_mode = force_generic_plan; set random_page_cost = 0.01');
    const found =
      await scans(`select count(*) from ${schema}.claim(null, null, null, '', 'w', 30000, 100, 10, null, null,
      2, null, false, null, ${list((at) => `'h-${at}'`)}, ${list(() => 100)}, ${list(() => "'p'")},
      ${list(() => 8)}, ${list(() => 1)}, ${list(() => "'{}'")})`);
    expect(found).toEqual([
      'Index Only Scan using jobs_due on jobs',
      'Index Only Scan using jobs_ready on jobs',
      // Whether a rate was forgotten.
      'Index Only Scan using rates_idle on rates',
      'Index Scan using jobs_ready on jobs',
      'Index Scan using payloads_pkey on payloads',
      // A view without a table of jobs.
      'Seq Scan on stops',
      'Tid Scan on jobs',
    ]);
  });
});
