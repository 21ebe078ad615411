import type { RecordSizes } from '@redrive/durable/store';
import type { Reader } from './reader.ts';

const SAMPLE = 100;

/**
 * Mean bytes of the newest records of each kind, as they are stored: with the row's header, and compressed where Postgres
 * does so. Payloads and results are the user's, and not counted.
 */
export async function recordSizes(reader: Reader): Promise<RecordSizes> {
  const { schema } = reader;
  const newest = (table: 'jobs' | 'finished', result: string): string => `
    (select j.seq, j.attempts, pg_column_size(j.*) - coalesce(pg_column_size(j.payload), 0)
      - coalesce(pg_column_size(j.payload_bytes), 0) - coalesce(pg_column_size(j.attempts), 0) - ${result} as bytes
     from ${schema}.${table} j order by j.seq desc limit ${SAMPLE})`;
  const [row] = await reader.rows({
    name: 'redrive record_sizes',
    text: `
      with job as materialized (
        select * from (${newest('jobs', '0')} union all ${newest('finished', 'coalesce(pg_column_size(j.result), 0)')}) j
        order by j.seq desc limit ${SAMPLE}
      ), block as materialized (
        select pg_column_size(b.*) as bytes, json_array_length(b.body::json) as records
        from ${schema}.audit_blocks b order by b.seq desc limit ${SAMPLE}
      )
      select (select avg(bytes) from job),
        (select sum(pg_column_size(attempts))::numeric / nullif(sum(json_array_length(attempts::json) - 1), 0) from job),
        (select sum(bytes)::numeric / nullif(sum(records), 0) from block),
        (select avg(pg_column_size(p.*)) from (select * from ${schema}.policies limit ${SAMPLE}) p)`,
  });
  const [session, attempt, event, policy] = (row ?? []).map(rounded);
  return { session, attempt, event, policy };
}

function rounded(value: string | null): number | undefined {
  return value === null ? undefined : Math.round(Number(value));
}
