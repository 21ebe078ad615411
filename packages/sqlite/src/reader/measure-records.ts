import type { DatabaseSync } from 'node:sqlite';
import { query } from '../database/statement.ts';

const SAMPLE = 100;

export interface MeasuredSizes {
  readonly session: number | null;
  readonly attempt: number | null;
  readonly event: number | null;
  readonly policy: number | null;
}

/** Mean bytes of the newest records of each kind, as they are stored. Payloads and results are the user's, and not counted. */
export function measureRecords(db: DatabaseSync): MeasuredSizes {
  const one = (sql: string): number | null => query<[number | null]>(db, sql).get()?.[0] ?? null;
  // Numbers of a row take about two bytes each, and there are about 20; times take six.
  return {
    session:
      one(`SELECT CAST(avg(80 + length(id) * 2 + length(tenant) + coalesce(octet_length(spec), 0)
      + coalesce(octet_length(life), 0)) AS INTEGER) FROM (SELECT * FROM jobs ORDER BY n DESC LIMIT ${SAMPLE})`),
    attempt:
      one(`SELECT CAST(sum(octet_length(attempts)) / sum((json_array_length(attempts) - 1)) AS INTEGER)
      FROM (SELECT attempts FROM jobs WHERE attempts IS NOT NULL ORDER BY n DESC LIMIT ${SAMPLE})`),
    event: one(`SELECT CAST(sum(octet_length(body) + 160) / sum(json_array_length(body)) AS INTEGER)
      FROM (SELECT body FROM audit_blocks ORDER BY seq DESC LIMIT ${SAMPLE})`),
    policy:
      one(`SELECT CAST(avg(octet_length(hash) + octet_length(id) + octet_length(policy)) AS INTEGER)
      FROM policies`),
  };
}
