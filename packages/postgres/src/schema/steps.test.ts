import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { functions, MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import { JOB_COLUMNS } from './transition-sql.ts';

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A step that was released never changes: databases that have it would differ from new ones. */
const STEPS: Readonly<Record<number, string>> = {
  1: '2dc368ea9014f97f',
};

/** Functions of this version, and what they look like to processes that call them. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  act: '376a876d',
  add_job: 'd150750e',
  alike: 'f0ce50c9',
  begin_rates: '35bf5f70',
  callers_id: '542a2b6a',
  candidates_by_id: 'ffab4172',
  candidates_in_turn: '4d405f2e',
  canonical_json: '05d095e5',
  check_epoch: '9ce2074f',
  claim: '82a2d397',
  clock_ms: '83785e36',
  control: '4c0a925f',
  control_step: 'ed81027b',
  count_taken: '269c98d7',
  end_step: 'fd40f435',
  enqueue: 'a2de0468',
  enqueue_dead: '4850709f',
  enqueue_in: '0b111372',
  enqueue_uniform: '9e9d2875',
  first_range: '3af9af93',
  forget_groups: '606b8236',
  heartbeat: '028f207a',
  hold_key: '27313f78',
  job_digest: '1c201fe0',
  job_problems: '54fef26d',
  js_length: 'fff0b155',
  js_number: '5c2f8245',
  keep_cursor: '803022e3',
  keep_groups: '530bfc89',
  keep_payload: 'a4cc16c7',
  keep_rates: 'fed9a9b7',
  key_room: 'e5b1e2f6',
  key_rooms: 'd1d9a2ea',
  known_id: 'd54a7a9d',
  lanes_without: '942f45b5',
  ledger_step: '63653b09',
  losses: '0c374ad6',
  note: '9be89b90',
  once_begin: '16293794',
  once_end: '61138a2d',
  open_lanes: '2157d7df',
  promote: '37050946',
  prune: '68109324',
  put_back: 'b5c7c08f',
  rate_full: '732153c8',
  rate_next: '8ff23033',
  rate_value: '89056352',
  rates_of: '6c16e5ff',
  regroup: 'fddc46ed',
  release_free_keys: '632e6d1c',
  release_heads: '4746a772',
  release_held: 'ece63a75',
  release_in_turn: 'ef05f448',
  release_parked: 'e140a78a',
  replace_payload: '01b6161f',
  requeue_usual: '3e22f6d1',
  rise: '36041efd',
  settle: '2271471a',
  shown_value: 'e9add466',
  sortable_id: '659a35fa',
  spend_rates: '1388d1e5',
  step: '7a16fb4f',
  suspects: '1c827d78',
  tenants_in_turn: '4d8ba961',
  tenants_to_serve: '23c668ff',
  text_problem: 'dc221bb9',
  tick: '8e34c849',
  tick_step: 'f5e1fae4',
  tidy_rates: 'fd2ae900',
  time_ms: 'd1a9f976',
  unknown_option: '9e571c53',
  write_block: '798c14a6',
  write_leaf: '1233a1e8',
  write_stops: 'a989689e',
};

describe('each migration', () => {
  it('is pinned by a hash of its text', () => {
    const hashes = MIGRATIONS.map(({ version, sql, indexes }) => [
      version,
      sql === undefined && indexes === undefined
        ? ''
        : hashOf(`${sql?.('"s"') ?? ''}${indexes === undefined ? '' : JSON.stringify(indexes)}`),
    ]);
    const message = 'A step has changed. If it was released, put it back and add a new step.';
    expect(Object.fromEntries(hashes), message).toEqual(STEPS);
  });

  it('is made from no live constant', () => {
    const directory = join(import.meta.dirname, 'steps');
    const files = readdirSync(directory);
    const numbers = MIGRATIONS.filter(({ sql }) => sql !== undefined).map(({ version }) => version);
    expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(numbers);
    for (const file of files) {
      const source = readFileSync(join(directory, file), 'utf8');
      expect(source, file).not.toMatch(/\bimport\b/u);
      expect([...new Set(source.match(/\$\{[^}]*\}/gu))], file).toEqual(['$' + '{s}']);
    }
  });

  it('has the next number', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
  });

  it('builds indexes over tables that hold jobs concurrently', () => {
    for (const { version, sql } of MIGRATIONS.filter(({ version }) => version > 1)) {
      const text = sql?.('s') ?? '';
      const made = [...text.matchAll(/create table s\.(\w+)/gu)].map(([, table]) => table);
      const indexed = [...text.matchAll(/create (?:unique )?index \w+ on s\.(\w+)/gu)];
      const message = `Step ${version}: give the index as one of its indexes, not in its sql`;
      for (const [, table] of indexed) expect(made, message).toContain(table);
    }
  });

  it('comes with the functions of its version', () => {
    const hash = createHash('sha256').update(functions('"s"')).digest('hex');
    const message = `The functions have changed. A database that has version ${SCHEMA_VERSION} keeps those that it has: if that version was released, add a step to MIGRATIONS (without sql, if no table changes). Then pin this hash.`;
    expect({ version: SCHEMA_VERSION, hash }, message).toEqual({
      version: 1,
      hash: '6cb30db19e6f0a43b51cf9807957eea278da099ed24e05a8195f0696afc3defb',
    });
  });
});

describe('in a new schema', () => {
  const server = testServer(NO_SYNC);

  it('every function has the parameters and the answer that older processes know', async () => {
    const { store } = await server.emptyStore();
    const rows = await server.sql(
      `select p.proname as name, concat(p.proname, '(', pg_get_function_identity_arguments(p.oid), ') ', pg_get_function_result(p.oid)) as signature
      from pg_proc p where p.pronamespace = 'test_1'::regnamespace order by 1`,
    );
    await store.close();
    const found = rows.map(({ name, signature }) => [
      String(name),
      hashOf(String(signature)).slice(0, 8),
    ]);
    const message =
      'Processes of older versions call these functions. Keep each one that is missing or has changed, and give the new one another name. It may go when worksFrom is above every version that calls it.';
    expect(Object.fromEntries(found), message).toEqual(FUNCTIONS);
    expect(found).toHaveLength(Object.keys(FUNCTIONS).length);
  });

  it('both tables of jobs have the columns that statements name', async () => {
    const { store } = await server.emptyStore();
    await store.close();
    const columns = await server.sql(
      `select c.relname as table, array_agg(a.attname::text order by a.attnum) as names
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'test_1'::regnamespace and c.relname in ('jobs', 'finished') group by 1`,
    );
    for (const { names } of columns)
      expect(names).toEqual(expect.arrayContaining([...JOB_COLUMNS]));
  });
});
