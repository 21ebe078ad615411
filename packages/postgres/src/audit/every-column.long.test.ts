import { readFileSync } from 'node:fs';
import type { FullStore } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { claimRate, notCoveredTable } from '@redrive/durable/store';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOf, controlOf, enqueueOf } from '../testing/commands.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { NOT_COVERED } from './not-covered.ts';

// Whoever can write to the tables changes one column of one of them. Verification finds it, or the column is on the list
// of those that it cannot find; a new column must be on one side or the other.

const server = testServer(NO_SYNC);
const ACTOR = { name: 'test', why: 'because' };

const THEN = JSON.stringify({ handler: 'mail', queue: 'default', priority: 0 });
const FOR_EVER = Number.MAX_SAFE_INTEGER;

describe('tables whose columns are changed', () => {
  let store: FullStore;
  let schema = '';
  let close = async () => {};

  beforeAll(async () => {
    const subject = await server.emptyStore();
    const { clock } = subject;
    store = subject.store;
    close = async () => subject.close?.();
    const [row] = await server.sql(
      "select schemaname as s from pg_tables where tablename = 'jobs'",
    );
    schema = String(row?.s);
    await auditedHistory(store, clock, { seed: 11, rounds: 12 });
    const more = { limitKey: 'k', uniqueKey: 'u', tags: ['t'], headers: { h: '1' } };
    const ids = {
      policyId: 'p',
      maxAttempts: 3,
      onDead: 'mail',
      parentId: 'later',
      ownPolicy: { baseDelayMs: 5 },
      correlationId: 'c',
      traceId: 't',
      idempotencyKey: 'i',
      digest: 'd',
    };
    const later = { ...enqueueOf('later'), due: { inMs: 60_000 }, deadline: { inMs: 99_000 } };
    await store.apply([
      later,
      enqueueOf('held-1', { ...more, ...ids }),
      enqueueOf('held-2', { limitKey: 'k' }),
      enqueueOf('bytes', { payload: { kind: 'bytes', bytes: new Uint8Array([1]) } }),
      enqueueOf('large', { payload: { kind: 'json', text: `"${'x'.repeat(3_000)}"` } }),
      enqueueOf('large-bytes', { payload: { kind: 'bytes', bytes: new Uint8Array(3_000) } }),
    ]);
    const handler = claimOf().lanes[0]?.handler ?? '';
    const rates = [claimRate({ handler }, { limit: 100, perMs: 60_000 })];
    const [{ jobs }] = await store.apply([claimOf({ limit: 2, rates })]);
    const progress = { fraction: 0.5, sinceMs: clock.now() };
    await store.heartbeat(
      jobs.map(({ id, token }) => ({ id, token, progress })),
      30_000,
    );
    await store.apply([
      { kind: 'act', act: 'cancel', id: 'later', actor: ACTOR },
      {
        kind: 'act',
        act: 'requeue',
        id: 'later',
        actor: ACTOR,
        payload: { kind: 'json', text: '2' },
      },
      { kind: 'act', act: 'cancel', id: 'later', actor: ACTOR },
      { kind: 'act', act: 'purge', id: 'later', actor: ACTOR },
      { ...later, job: { ...later.job, id: 'later-2' } },
      controlOf('gate', 'g', 0, '{"untilMs":1}'),
    ]);
    await store.apply([
      { kind: 'batch', act: 'open', id: 'b', tenant: '', then: THEN, actor: ACTOR },
      enqueueOf('in-batch', { batch: 'b' }),
      enqueueOf('in-batch-2', { batch: 'b' }),
      { kind: 'batch', act: 'seal', id: 'b', tenant: '', actor: ACTOR },
      { kind: 'act', act: 'cancel', id: 'in-batch', actor: ACTOR },
      { kind: 'act', act: 'cancel', id: 'in-batch-2', actor: ACTOR },
      { kind: 'end_batches', limit: 1, actor: ACTOR },
      {
        kind: 'prune',
        ...{
          succeededAfterMs: FOR_EVER,
          cancelledAfterMs: 0,
          deadAfterMs: FOR_EVER,
          purgedAfterMs: FOR_EVER,
        },
        ...{ limit: 10, only: [{ id: 'in-batch-2', revision: 2 }], actor: ACTOR },
      },
    ]);
    await store.beginOperation({ id: 'op', request: '{}', actor: ACTOR });
    await store.ledger().reserve('key', { fingerprint: 'f', leaseMs: 1_000 });
    await store.noteEventDocuments([
      { collection: 'docs', job: 'held-1', bytes: 1, documents: ['a'] },
    ]);
    await store.reportWorker({
      name: 'w',
      host: 'h',
      pid: 1,
      version: '1',
      handlers: [],
      concurrency: 1,
      running: 0,
      state: 'working',
    });
    while ((await store.seal()) !== undefined);
    await clock.advance(10_000);
    await store.compress({ sealedForMs: 1, minBlocks: 2 });
    await store.apply([enqueueOf('last')]);
    await store.seal();
  });
  afterAll(() => close());

  async function problems(): Promise<string[]> {
    const reader = await store.readAudit();
    try {
      return (await verifyAudit(reader)).problems.map(({ kind }) => kind);
    } finally {
      await reader.close();
    }
  }

  /** What is found while a change is there, and how many rows it is in. It is undone from a copy of the table. */
  async function foundAfter(table: string, change: string) {
    await server.sql(`create table ${schema}.copy as table ${schema}.${table}`);
    try {
      const rows = await server.sql(`${change} returning 1`).catch((error: { code?: string }) => {
        // A constraint does not let it happen.
        if (/^23/.test(error.code ?? '')) return [];
        throw error;
      });
      return { rows: rows.length, found: rows.length === 0 ? [] : await problems() };
    } finally {
      await server.sql(`truncate ${schema}.${table}`);
      const list = await server.columns(schema, table);
      await server.sql(
        `insert into ${schema}.${table} (${list}) select ${list} from ${schema}.copy`,
      );
      await server.sql(`drop table ${schema}.copy`);
    }
  }

  /** Every change of a column, with the name that the list has for it. */
  function changesOf(table: string, name: string, type: string) {
    const set = `update ${schema}.${table} set ${name} =`;
    const one = `ctid = (select ctid from ${schema}.${table} where ${name} is`;
    const [value, empty] = otherValues(name, type, schema);
    const whole = [
      [name, `${set} ${value} where ${one} not null limit 1)`],
      [name, `${set} ${empty} where ${one} null limit 1)`],
    ] as const;
    if (table !== 'jobs' && table !== 'finished') return [...whole];
    const fields = (FIELDS[name] ?? []).map(
      ([field, json]) => [`${name}.${field}`, `${set} ${json}`] as const,
    );
    return [...whole, ...fields];
  }

  it('is sound as it is', async () => {
    expect(await problems()).toEqual([]);
  });

  it('has a problem, or the column is on the list of those that are not covered', async () => {
    const columns = await server.sql(
      `select table_name, column_name, udt_name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where table_schema = $1 and table_type = 'BASE TABLE' and is_generated = 'NEVER' order by table_name, ordinal_position`,
      [schema],
    );
    const unfound = new Set<string>();
    const without: string[] = [];
    for (const { table_name, column_name, udt_name } of columns) {
      const [table, name, type] = [table_name, column_name, udt_name].map(String);
      if (table === undefined || name === undefined || type === undefined) continue;
      let changed = 0;
      for (const [listed, sql] of changesOf(table, name, type)) {
        const { rows, found } = await foundAfter(table, sql);
        changed += rows;
        if (rows > 0 && found.length === 0) unfound.add(`${table}.${listed}`);
      }
      if (changed === 0) without.push(`${table}.${name}`);
    }
    const listed = Object.entries(NOT_COVERED).flatMap(([table, own]) =>
      Object.keys(own).map((name) => `${table}.${name}`),
    );
    expect({ without }).toEqual({ without: [] });
    expect([...unfound].sort()).toEqual(listed.sort());
  }, 300_000);

  it('is described so on the reference page', () => {
    const page = readFileSync(
      new URL('../../../../docs/reference/audit.md', import.meta.url),
      'utf8',
    );
    expect(page).toContain(notCoveredTable(NOT_COVERED));
  });
});

const specField = (field: string) =>
  [field, `jsonb_set(coalesce(spec, '{}')::jsonb, '{${field}}', '"other"')::text`] as const;

/** Fields inside of columns that hold JSON, and a text that can be read with another value of each. */
const FIELDS: Readonly<Record<string, readonly (readonly [field: string, json: string])[]>> = {
  spec: ['batch', 'policyId', 'correlationId', 'traceId', 'idempotencyKey', 'digest'].map(
    specField,
  ),
  headers: [['*', `'{"other":"1"}'`]],
  attempts: [['*', `'[9]'`]],
};

/** Another value of a column that holds one, and a value for one that does not. */
function otherValues(
  name: string,
  type: string,
  schema: string,
): readonly [value: string, empty: string] {
  switch (type) {
    case 'text':
      return [`${name} || 'x'`, `'x'`];
    case 'bool':
      return [`not ${name}`, 'true'];
    case 'bytea':
      return [`${name} || '\\x00'::bytea`, `'\\x00'::bytea`];
    case '_text':
      return [`${name} || array['x']`, `array['x']`];
    case 'timestamptz':
      return [`${name} + interval '1 day'`, 'now()'];
    case 'xid8':
      return [`(${name}::text::bigint + 1000000)::text::xid8`, `'1'::xid8`];
    case 'job_state':
      return [
        `(case when ${name} = 'dead' then 'succeeded' else 'dead' end)::${schema}.job_state`,
        `'dead'`,
      ];
    case 'int4':
      // Any number above it closes the store.
      if (name === 'works_from') return ['1', '1'];
      return [`${name} + 1`, '1'];
    default:
      return [`${name} + ${name === 'seq' ? 1_000_000 : 1}`, '1'];
  }
}
