import { type DocumentCollection, MAX_DOCUMENT_PAGE_BYTES } from '@redrive/durable/documents';
import {
  documentSourceConformance,
  type OwnersDocument,
  testCollection,
} from '@redrive/testkit/conformance/document-source';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../connect/connection.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { pageSql } from './page.ts';
import { postgresDocuments } from './postgres-documents.ts';
import { findTable } from './table.ts';

const server = testServer(NO_SYNC);
const HOUR = 3_600_000;
const DUE = { set: 'due', olderThanMs: HOUR, limit: 100 } as const;
let tables = 0;

async function makeTable(columns = '_id text primary key, status text, title text') {
  tables += 1;
  const name = `Archives "${tables}"`;
  await server.sql(`create table ${quoted(name)} (${columns})`);
  return { source: postgresDocuments(server.url), collection: testCollection(name) };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function put({ name }: DocumentCollection, document: OwnersDocument): Promise<void> {
  const { id, status, count, timeMs, mark, title, lastError } = document;
  const values = {
    _id: id,
    ...(status !== undefined && { status }),
    ...(count !== undefined && { attemptCount: count }),
    ...(timeMs !== undefined && { lastAttemptTime: timeMs === null ? null : new Date(timeMs) }),
    ...(mark && { retry_sweep: JSON.stringify(mark) }),
    ...(title !== undefined && { title }),
    ...(lastError !== undefined && { lastError }),
  };
  const names = Object.keys(values).map((column) => `"${column}"`);
  const parameters = names.map((_, index) => `$${index + 1}`);
  const updates = names.map((column) => `${column} = excluded.${column}`);
  await server.sql(
    `insert into ${quoted(name)} (${names.join(', ')}) values (${parameters.join(', ')})
      on conflict (_id) do update set ${updates.join(', ')}`,
    Object.values(values),
  );
}

describe('documents of Postgres', () => {
  documentSourceConformance(
    async () => {
      const { source, collection } = await makeTable();
      await source.prepare(collection, { dryRun: false });
      return { source, collection, put: (document) => put(collection, document) };
    },
    { describe, it },
  );
});

describe('a table of the user', () => {
  it('gets the missing columns and indexes; a dry run says which', async () => {
    const { source, collection } = await makeTable(
      '_id text primary key, status text, title text, "attemptCount" int',
    );
    const table = `public.${quoted(collection.name)}`;
    const find = source.find(collection, DUE);
    await expect(find).rejects.toMatchObject({ code: 'documents_refused' });
    await expect(find).rejects.toThrow(/lastAttemptTime.*redrive sweep init/s);
    const lines = await source.prepare(collection, { dryRun: true });
    expect(lines.map((line) => line.replace(/_[\da-f]{8} /, '_# '))).toEqual([
      `column "lastAttemptTime" timestamptz on ${table}`,
      `column "retry_sweep" jsonb on ${table}`,
      `column "lastError" text on ${table}`,
      `index redrive_due_# on ${table} ("status", "lastAttemptTime", "_id")`,
      `index redrive_unsent_# on ${table} (("retry_sweep" ->> 'at') collate "C", "_id") where "retry_sweep" ->> 'sent' = 'false'`,
      `index redrive_stuck_# on ${table} ("status", ("retry_sweep" ->> 'firstStuckAt') collate "C", "_id") where "retry_sweep" ->> 'firstStuckAt' is not null`,
    ]);
    expect(await source.prepare(collection, { dryRun: false })).toEqual(lines);
    expect((await source.find(collection, DUE)).documents).toEqual([]);
    await source.close();
  });

  it('that does not exist is documents_refused; a schema may stand before its name', async () => {
    const source = postgresDocuments(server.url);
    const missing = testCollection('nowhere.archives');
    await expect(source.find(missing, DUE)).rejects.toMatchObject({ code: 'documents_refused' });
    await server.sql(
      'create schema "app"; create table "app"."archives" (_id text, status text, title text)',
    );
    const there = testCollection('app.archives');
    await source.prepare(there, { dryRun: false });
    expect((await source.find(there, DUE)).documents).toEqual([]);
    await source.close();
  });

  it.each([
    ['bigint', ['9007199254740993', '-1'], ['abc', '1.5', '']],
    ['uuid', ['6f1c0f2e-0000-4000-8000-000000000001'], ['abc']],
    ['varchar(8)', ['abc'], ['abcdefghi', 'a\0']],
  ])('may have ids of type %s', async (type, ids, missing) => {
    const { source, collection } = await makeTable(
      `_id ${type} primary key, status text, title text`,
    );
    await source.prepare(collection, { dryRun: false });
    for (const id of ids) await put(collection, { id, status: 'pending' });
    expect((await source.byIds(collection, [...missing, ...ids])).documents).toHaveLength(
      ids.length,
    );
    const { documents } = await source.find(collection, DUE);
    const claims = [
      ...documents,
      ...missing.map((id) => ({ id, stamp: '["pending",null,null]' })),
    ].map(({ id, stamp }) => ({ id, stamp, event: id.slice(0, 1) }));
    expect(await source.claim(collection, claims)).toEqual([
      ...ids.map(() => true),
      ...missing.map(() => false),
    ]);
    await source.close();
  });

  it('may have its statuses as an enum and its times without a zone, whatever the zone of the server is', async () => {
    await server.sql(
      "create type state as enum ('pending', 'processing', 'processed', 'failed_max_retries')",
    );
    const { source, collection } = await makeTable(
      '_id text primary key, status state, title text, "lastAttemptTime" timestamp, "attemptCount" smallint',
    );
    await source.prepare(collection, { dryRun: false });
    await server.sql(
      `insert into ${quoted(collection.name)} values ('a', 'pending', null, timezone('UTC', now()) - interval '2 hours', 1)`,
    );
    const before = await source.find(collection, DUE);
    const [document] = before.documents;
    expect(Math.abs((document?.timeMs ?? 0) - (before.nowMs - 2 * HOUR))).toBeLessThan(60_000);
    const claims = [{ id: 'a', stamp: document?.stamp ?? '', event: 'e' }];
    expect(await source.claim(collection, claims)).toEqual([true]);
    const dropped = { id: 'a', event: 'e', to: 'dropped' } as const;
    expect(await source.settle(collection, [dropped])).toEqual([true]);
    expect((await source.byIds(collection, ['a'])).documents).toEqual([document]);
    expect(await source.claim(collection, claims)).toEqual([true]);
    const sent = { id: 'a', event: 'e', to: 'sent' } as const;
    expect(await source.settle(collection, [sent])).toEqual([true]);
    expect((await source.byIds(collection, ['a'])).documents[0]).toMatchObject({ count: 2 });
    expect((await source.find(collection, DUE)).documents).toEqual([]);
    await source.close();
  });

  it('shows documents that are not valid as they are, and infinity as no time', async () => {
    const { source, collection } = await makeTable(
      '_id text primary key, status text, title text, "attemptCount" numeric',
    );
    await source.prepare(collection, { dryRun: false });
    await server.sql(`insert into ${quoted(collection.name)} (_id, status, "attemptCount", "lastAttemptTime") values
      ('half', 'pending', 2.5, null), ('nan', 'pending', 'NaN', null), ('never', 'pending', -1, '-infinity'),
      ('ever', 'pending', 1, 'infinity'), (repeat('x', 600), 'pending', 1, null)`);
    const stuck = (await source.find(collection, DUE)).documents;
    expect(
      stuck.map(({ id, count, timeMs }) => [id.length > 9 ? 'long' : id, count, timeMs]),
    ).toEqual([
      ['half', 2.5, null],
      ['nan', 'NaN', null],
      ['long', 1, null],
      ['never', -1, Number.NaN],
    ]);
    const ahead = (await source.find(collection, { set: 'ahead', limit: 9 })).documents;
    expect(ahead.map(({ id, timeMs }) => [id, timeMs])).toEqual([['ever', Number.NaN]]);
    await source.close();
  });

  it.each([
    ['trigger', "raise exception 'not this one'"],
    ['cast', "new.title := 'one'::int"],
    ['constraint', 'new.title := null'],
  ])('with a %s that fails for one row leaves the others alone', async (kind, refusal) => {
    const { source, collection } = await makeTable(
      "_id text primary key, status text, title text not null default ''",
    );
    await source.prepare(collection, { dryRun: false });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await put(collection, { id, status: 'pending' });
    await server.sql(`create function "${kind}"() returns trigger language plpgsql as
      $$ begin if old._id = 'b' then ${refusal}; end if; return new; end $$;
      create trigger no before update on ${quoted(collection.name)} for each row execute function "${kind}"()`);
    const { documents } = await source.find(collection, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    expect(await source.claim(collection, claims)).toEqual(ids.map((id) => id !== 'b'));
    expect((await source.find(collection, DUE)).documents).toEqual(documents.slice(1, 2));
    await expect(source.claim(collection, claims.slice(1, 2))).rejects.toMatchObject({
      code: 'documents_refused',
    });
    await source.close();
  });

  it('gets a wider archive when it has a new column', async () => {
    const { source, collection } = await makeTable();
    await source.prepare(collection, { dryRun: false });
    for (const id of ['a', 'b']) await put(collection, { id, status: 'failed_max_retries' });
    expect(await source.remove(collection, ['a'], { archive: true })).toEqual([true]);
    await server.sql(`alter table ${quoted(collection.name)} add "Owner" text default 'me'`);
    expect(await source.remove(collection, ['b'], { archive: true })).toEqual([true]);
    const archive = quoted(`${collection.name}_dead_letters`);
    expect(await server.sql(`select _id, "Owner" from ${archive} order by 1`)).toEqual([
      { _id: 'a', Owner: null },
      { _id: 'b', Owner: 'me' },
    ]);
    await source.close();
  });

  it('with large values that are not texts has small pages, and is not read for their sizes', async () => {
    const { source, collection } = await makeTable(
      '_id text primary key, status text, title jsonb',
    );
    await source.prepare(collection, { dryRun: false });
    await server.sql(`insert into ${quoted(collection.name)} (_id, status, title)
      select 'd' || n, 'pending', (select jsonb_agg(md5(n::text || m)) from generate_series(1, 60000) m)
      from generate_series(1, 8) n`);
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await source.find(collection, { ...DUE, after });
      const bytes = page.documents.map(({ values }) => JSON.stringify(values).length);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MAX_DOCUMENT_PAGE_BYTES);
      found.push(...page.documents.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(found).toEqual(Array.from({ length: 8 }, (_, n) => `d${n + 1}`));
    await source.close();
  });

  it('a locked row is not waited for', async () => {
    const { source, collection } = await makeTable();
    await source.prepare(collection, { dryRun: false });
    for (const id of ['a', 'b']) await put(collection, { id, status: 'pending' });
    const { documents } = await source.find(collection, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    await server.sql('begin');
    await server.sql(`update ${quoted(collection.name)} set title = 'mine' where _id = 'a'`);
    expect(await source.claim(collection, claims)).toEqual([false, true]);
    await server.sql('commit');
    expect(await source.claim(collection, claims)).toEqual([true, false]);
    await source.close();
  });

  it('is read by indexes, in their order', async () => {
    const { source, collection } = await makeTable();
    await source.prepare(collection, { dryRun: false });
    const name = quoted(collection.name);
    await server.sql(`insert into ${name} (_id, status, "lastAttemptTime", retry_sweep)
      select 'd' || n, (array['pending', 'processing', 'processed', 'failed_max_retries'])[1 + n % 4],
        case when n % 3 > 0 then now() - n % 60 * interval '1 minute' - interval '1 hour' end,
        case when n % 50 = 0 then '{"event": "e", "sent": false, "at": "2020-01-01T00:00:00.000Z"}'::jsonb end
      from generate_series(1, 20000) n`);
    await server.sql(`analyze ${name}`);
    const session = {
      query: async ({ text, values = [] }: Statement) =>
        (await server.sql(text, values)).map((row) => Object.values(row) as string[]),
    };
    const table = await findTable(session, collection);
    const add = (value: string | number | null) => (value === null ? 'null' : `'${value}'`);
    const sets = [
      DUE,
      { ...DUE, set: 'unsent' } as const,
      { set: 'failed', limit: 1 } as const,
      { set: 'ahead', limit: 1 } as const,
    ];
    for (const set of sets) {
      for (const newestFirst of [false, true]) {
        const timed = '[1,"2026-01-01 00:00:00+00","d5"]';
        for (const after of [
          undefined,
          timed,
          ...(['unsent', 'ahead'].includes(set.set) ? [] : ['[0,null,"d5"]']),
        ]) {
          const request = { ...set, limit: 50, newestFirst, after };
          const text = pageSql({ ...table, now: 'now()', add }, request);
          const plan = (await server.sql(`explain ${text}`))
            .map((row) => row['QUERY PLAN'])
            .join('\n');
          expect(plan).not.toMatch(/Seq Scan|Bitmap/);
          // The union of the parts may be sorted; each part is a page that the index has in order.
          expect(plan.match(/Sort {2}\(/g)?.length ?? 0).toBeLessThan(2);
        }
      }
    }
    await source.close();
  });
});
