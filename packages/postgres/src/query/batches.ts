import {
  type Batch,
  type BatchCounts,
  type BatchFilter,
  type BatchPage,
  batchCounts,
  batchPage,
  type CountedBatch,
  checkLimit,
  type PageRequest,
  readPlace,
} from '@redrive/durable/store';
import type { Row, Statement } from '../connect/connection.ts';
import type { Reader } from './reader.ts';

export const BATCH_COLUMNS =
  'b.id, b.tenant, b.state, b.follows, b.opened_by, b.opened_at, b.sealed_at, b.ended_at';

/** A batch `b` has no unfinished job: none that waits, and none of the few that are leased. */
export const NO_UNFINISHED = (schema: string): string =>
  `not exists (select from ${schema}.jobs j where j.batch = b.id and j.state <> 'leased')
      and not exists (select from ${schema}.jobs j where j.batch = b.id and j.state = 'leased')`;

/** Sealed batches without an unfinished job, as a `from` item with its condition. */
export const BATCH_ENDS = (schema: string): string => `${schema}.batches b where b.state = 'sealed'
      and ${NO_UNFINISHED(schema)}`;

export function readBatch(row: Row): Batch {
  const [id, tenant, state, then, by, openedAt, sealedAt, endedAt] = row;
  return {
    id: id ?? '',
    tenant: tenant ?? '',
    // Written by this package.
    state: state as Batch['state'],
    by: by ?? '',
    openedAtMs: Number(openedAt),
    ...(typeof then === 'string' && { then }),
    ...(typeof sealedAt === 'string' && { sealedAtMs: Number(sealedAt) }),
    ...(typeof endedAt === 'string' && { endedAtMs: Number(endedAt) }),
  };
}

type Rows = (statement: Statement) => Promise<readonly Row[]>;

/** Counts jobs by the indexes of batches; leases are few. One statement, so one snapshot. */
export async function countBatch(rows: Rows, schema: string, id: string): Promise<BatchCounts> {
  const found = await rows({
    name: 'redrive count_batch',
    text: `select f.state::text, count(*) from ${schema}.finished f where f.batch = $1 group by 1
      union all select p.state, p.count from ${schema}.pruned_in_batches p where p.batch = $1
      union all select 'waiting', count(*) from ${schema}.jobs j where j.batch = $1 and j.state <> 'leased'
      union all select 'running', count(*) from ${schema}.jobs j where j.state = 'leased' and j.batch = $1`,
    values: [id],
  });
  const sum = (of: string) =>
    found.reduce((all, [state, count]) => (state === of ? all + Number(count) : all), 0);
  return batchCounts(sum, sum('waiting') + sum('running'), sum('running'));
}

export async function findBatch(reader: Reader, id: string): Promise<CountedBatch | undefined> {
  const [row] = await reader.rows({
    name: 'redrive batch',
    text: `select ${BATCH_COLUMNS} from ${reader.schema}.batches b where id = $1`,
    values: [id],
  });
  if (row === undefined) return undefined;
  const counts = await countBatch((statement) => reader.rows(statement), reader.schema, id);
  return { ...readBatch(row), counts };
}

/** The newest first. */
export async function listBatches(
  reader: Reader,
  { tenant, state }: BatchFilter,
  { limit, after }: PageRequest,
): Promise<BatchPage> {
  checkLimit('limit', limit);
  const { atMs = Number.MAX_SAFE_INTEGER, id = '' } = after === undefined ? {} : readPlace(after);
  const rows = await reader.rows({
    name: 'redrive batches',
    text: `select ${BATCH_COLUMNS} from ${reader.schema}.batches b
      where (b.opened_at, b.id) < ($1::bigint, $2::text collate "C")
        and ($3::text is null or b.tenant = $3) and ($4::text is null or b.state = $4)
      order by b.opened_at desc, b.id desc limit $5`,
    values: [atMs, id, tenant ?? null, state ?? null, limit + 1],
  });
  return batchPage(rows.map(readBatch), limit);
}
