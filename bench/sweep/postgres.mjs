import pg from 'pg';
import { openStore, postgresDocuments } from '../../packages/postgres/dist/index.js';
import { startPostgres } from '../../packages/testkit/src/services/index.ts';
import { HOUR_MS, idOf, PAGE } from './documents.mjs';

export async function openPostgres() {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  let stores = 0;
  return {
    url: server.url,
    async openStore() {
      const name = `store_${++stores}`;
      await client.query(`create database ${name}`);
      const target = server.url.replace(/\/postgres$/, `/${name}`);
      const store = await openStore(target);
      await store.migrate();
      return { target, store };
    },
    openSource: () => postgresDocuments(server.url),
    async fill(name, total) {
      await client.query(`create table ${name} (_id text primary key, status text, "attemptCount" integer,
        "lastAttemptTime" timestamptz, retry_sweep jsonb, "lastError" text, title text)`);
      await client.query(
        `insert into ${name} select 'd' || lpad(n::text, 8, '0'), case when n % 10 = 0 then 'pending' else 'processed' end, 1,
          $1::timestamptz, null, null, 'Document ' || n || ' ' || repeat('x', 80) from generate_series(0, $2::int - 1) n`,
        [new Date(Date.now() - HOUR_MS), total],
      );
      await client.query(`vacuum analyze ${name}`);
    },
    async stick(name, count) {
      await client.query(
        `update ${name} set status = 'pending', "attemptCount" = 1, "lastAttemptTime" = $1, retry_sweep = null where _id < $2`,
        [new Date(Date.now() - 25 * HOUR_MS), idOf(count)],
      );
      await client.query(`vacuum analyze ${name}`);
      await client.query('checkpoint');
    },
    raw: (name) => rawOn(client, name),
    async close() {
      await client.end();
      await server.stop();
    },
  };
}

function rawOn(client, name) {
  const at = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return {
    async find(status, after) {
      const { rows } = await client.query({
        name: `find ${name}`,
        text: `select _id, status, "attemptCount", "lastAttemptTime", title from ${name}
          where status = $1 and "lastAttemptTime" < now() - interval '24 hours' and ("lastAttemptTime", _id) > ($2, $3)
          and retry_sweep ->> 'sent' is distinct from 'false' order by "lastAttemptTime", _id limit ${PAGE}`,
        values: [status, after?.lastAttemptTime ?? '-infinity', after?._id ?? ''],
      });
      return rows;
    },
    async claim(documents, events) {
      const column = (field) => documents.map((document) => document[field]);
      const { rowCount } = await client.query({
        name: `claim ${name}`,
        text: `update ${name} d set "attemptCount" = d."attemptCount" + 1, "lastAttemptTime" = now(),
          retry_sweep = jsonb_build_object('event', c.event, 'sent', false, 'at', ${at})
          from unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[]) c(id, status, count, time, event)
          where d._id = c.id and d.status = c.status and d."attemptCount" = c.count and d."lastAttemptTime" = c.time`,
        values: [...['_id', 'status', 'attemptCount', 'lastAttemptTime'].map(column), events],
      });
      return rowCount;
    },
    async mark(documents, events) {
      await client.query({
        name: `mark ${name}`,
        text: `update ${name} d set retry_sweep = d.retry_sweep || '{"sent": true}', "lastAttemptTime" = now()
          from unnest($1::text[], $2::text[]) c(id, event) where d._id = c.id and d.retry_sweep ->> 'event' = c.event`,
        values: [documents.map(({ _id }) => _id), events],
      });
    },
  };
}
