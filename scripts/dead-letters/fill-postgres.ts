import { Client } from 'pg';

/**
 * Multiplies the dead letters that are in a store until there are so many. The first `templates` jobs are the kinds; each
 * new letter is a copy of one of them with an id, a tenant and a time of its own.
 */
export async function fillPostgres(url: string, templates: number, letters: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select column_name as name from information_schema.columns where table_schema = 'redrive' and table_name = 'finished' and is_generated = 'NEVER' order by ordinal_position",
    );
    const columns = rows.map(({ name }) => name);
    const own: Readonly<Record<string, string>> = {
      seq: '100000 + r.i',
      id: "concat('job-', lpad(r.i::text, 8, '0'), '-', to_hex(r.i * 7919 % 16777216))",
      tenant: "case when r.i % 10 < 3 then '' else concat('tenant-', r.i * 7919 % 2000) end",
      submitted_at: 'n.now - (n.letters - r.i) * 40 - 60000',
      finished_at: 'n.now - (n.letters - r.i) * 40',
    };
    const values = columns.map((column) => own[column] ?? `t.${column}`);
    // Indexes are made faster than they are filled.
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      "select indexname as name, indexdef as made from pg_indexes where schemaname = 'redrive' and tablename = 'finished' and indexname <> 'finished_pkey'",
    );
    for (const { name } of indexes) await client.query(`drop index redrive.${name}`);
    await client.query('begin');
    await client.query('set local synchronous_commit = off');
    await client.query(
      `with n as materialized (select $1::bigint as letters, $2::integer as templates, $3::bigint as now),
         kinds as materialized (select row_number() over (order by seq) - 1 as kind, f.* from redrive.finished f order by seq limit $2),
         r as (select i, (i * 2654435761 % 4294967296) / 4294967296.0::float8 as r from generate_series(1, $1::bigint) i)
       insert into redrive.finished (${columns.join(', ')})
       select ${values.join(', ')} from n, r join kinds t on t.kind = floor($2::integer * r.r * r.r * r.r)::integer`,
      [letters, templates, Date.now()],
    );
    await client.query(
      'insert into redrive.ids (id, seq) select f.id, f.seq from redrive.finished f where f.seq > 100000',
    );
    // Jobs that arrive later must not get a number that a letter has.
    await client.query("select setval('redrive.job_seq', 100001 + $1::bigint)", [letters]);
    await client.query('commit');
    for (const { made } of indexes) await client.query(made);
    // What the server does by itself, in time.
    await client.query('vacuum (analyze) redrive.finished');
  } finally {
    await client.end();
  }
}
