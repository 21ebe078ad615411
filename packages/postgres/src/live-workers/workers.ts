import {
  checkLimit,
  decodeWorker,
  encodeReport,
  MAX_DELETED_WORKERS,
  type StoredWorker,
  WORKER_KEPT_MS,
  type WorkerPage,
  type WorkerPageRequest,
  type WorkerReport,
  workerPage,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { NOW_SQL, type Reader } from '../query/reader.ts';

/**
 * Writes that a worker is alive. Each worker writes a row of its own, so nobody waits for anybody; on the connection for
 * queries, because a report may be late by half a minute and a claim or a heartbeat must not.
 */
export async function reportWorker(reader: Reader, report: WorkerReport): Promise<void> {
  const { name, running, isStopping, facts } = encodeReport(report);
  const values = [reader.nowMs, name, running, isStopping];
  const [updated] = await reader.rows({
    name: 'redrive report_worker',
    text: `update ${reader.schema}.workers set seen_at = ${NOW_SQL}, running = $3, stopping = $4,
        -- Facts may be long, and seldom change: the old value is not written again.
        facts = case when facts = $5 then facts else $5 end
      where name = $2 returning 1`,
    values: [...values, facts],
  });
  if (updated !== undefined) return;
  await reader.rows({
    text: `with old as (
        select name from ${reader.schema}.workers where seen_at < ${NOW_SQL} - ${WORKER_KEPT_MS}
        limit ${MAX_DELETED_WORKERS} for update skip locked
      ), deleted as (delete from ${reader.schema}.workers w using old where w.name = old.name)
      insert into ${reader.schema}.workers (name, since, seen_at, running, stopping, facts)
      select $2, n.ms, n.ms, $3, $4, $5 from (select ${NOW_SQL} as ms) n
      on conflict (name) do update set seen_at = excluded.seen_at, running = excluded.running, stopping = excluded.stopping`,
    values: [...values, facts],
  });
}

export async function forgetWorker(reader: Reader, name: string): Promise<void> {
  await reader.rows({
    text: `delete from ${reader.schema}.workers where name = $1`,
    values: [name],
  });
}

export async function listWorkers(reader: Reader, page: WorkerPageRequest): Promise<WorkerPage> {
  const { limit, after = '', seenWithinMs } = page;
  checkLimit('limit', limit);
  const rows = await reader.rows({
    text: `select n.ms, w.* from (select ${NOW_SQL} as ms) n left join lateral (
        select name, since, seen_at, running, stopping, facts from ${reader.schema}.workers
        where name > $2 and ($3::bigint is null or seen_at >= n.ms - $3::bigint)
        order by name limit $4
      ) w on true`,
    values: [
      reader.nowMs,
      after,
      seenWithinMs === undefined || seenWithinMs === Infinity ? null : seenWithinMs,
      limit + 1,
    ],
  });
  const found = rows.filter(([, name]) => name !== null).map(([, ...row]) => readWorker(row));
  return workerPage(found, limit, Number(rows[0]?.[0]));
}

function readWorker([name, since, seenAt, running, stopping, facts]: Row): StoredWorker {
  return decodeWorker({
    name: name ?? '',
    sinceMs: Number(since),
    seenAtMs: Number(seenAt),
    running: Number(running),
    isStopping: stopping === 't',
    facts: facts ?? '',
  });
}
