import {
  type Batch,
  type BatchCommand,
  type BatchCounts,
  type BatchResult,
  batchAnswer,
  newBatch,
} from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { BATCH_COLUMNS, BATCH_ENDS, countBatch, readBatch } from '../query/batches.ts';
import { CLOCK_MS } from '../schema/now.ts';

interface BatchFrame {
  readonly session: Session;
  /** The schema's quoted name. */
  readonly schema: string;
  readonly nowMs: number | null;
}

const NOW = `coalesce($1::bigint, ${CLOCK_MS})`;

/** Opens or seals a batch. A seal waits for the enqueues under way, which share a lock on the row. */
export async function changeBatch(
  { session, schema, nowMs }: BatchFrame,
  command: BatchCommand,
): Promise<BatchResult> {
  const { id, tenant, then, by } = newBatch(command, 0);
  if (command.act === 'open') {
    const rows = await session.query({
      name: 'redrive open_batch',
      text: `insert into ${schema}.batches (id, tenant, state, follows, opened_by, opened_at)
        values ($2, $3, 'open', $4, $5, ${NOW}) on conflict do nothing returning 1`,
      values: [nowMs, id, tenant, then ?? null, by],
    });
    if (rows.length > 0) return { ok: true, outcome: 'created' };
  }
  const [row] = await session.query({
    name: 'redrive find_batch',
    text: `select ${BATCH_COLUMNS} from ${schema}.batches b where id = $1 for update`,
    values: [id],
  });
  const answer = batchAnswer(row && readBatch(row), command);
  if (command.act === 'seal' && answer.ok && answer.outcome === 'created') {
    await session.query({
      name: 'redrive seal_batch',
      text: `update ${schema}.batches set state = 'sealed', sealed_at = ${NOW} where id = $2`,
      values: [nowMs, id],
    });
  }
  return answer;
}

/** Ends sealed batches without an unfinished job, with their counts. Another process that ends one is not waited for. */
export async function endBatches(
  { session, schema, nowMs }: BatchFrame,
  limit: number,
): Promise<readonly (readonly [Batch, BatchCounts])[]> {
  const rows = await session.query({
    name: 'redrive end_batches',
    text: `update ${schema}.batches b set state = 'ended', ended_at = ${NOW} where b.id = any(array(
      select b.id from ${BATCH_ENDS(schema)} limit $2 for update skip locked)) returning ${BATCH_COLUMNS}`,
    values: [nowMs, limit],
  });
  const ended: [Batch, BatchCounts][] = [];
  for (const row of rows) {
    const batch = readBatch(row);
    ended.push([
      batch,
      await countBatch((statement) => session.query(statement), schema, batch.id),
    ]);
  }
  return ended;
}
