import type { DatabaseSync } from 'node:sqlite';
import {
  type Batch,
  type BatchFilter,
  type BatchStore,
  batchPage,
  type CountedBatch,
  checkLimit,
  type PagePlace,
  readPlace,
} from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import { BATCH_COLUMNS, type BatchRow, batchOf, countBatch, findBatch } from './batches.ts';

export interface BatchesInput extends BatchFilter {
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: PagePlace | undefined;
}

/** Reads of batches, on the reader thread. */
export function batchTasks(open: () => DatabaseSync) {
  return {
    batch: (id: string): CountedBatch | undefined => {
      const row = findBatch(open()).get(id);
      return row && { ...batchOf(row), counts: countBatch(open(), id) };
    },
    batches: ({ tenant, state, limit, after }: BatchesInput): Batch[] => {
      const { atMs = Number.MAX_SAFE_INTEGER, id = '' } = after ?? {};
      return query<BatchRow>(
        open(),
        `SELECT ${BATCH_COLUMNS} FROM batches WHERE (opened_at, id) < (?1, ?2)
           AND (?3 IS NULL OR tenant = ?3) AND (?4 IS NULL OR state = ?4)
         ORDER BY opened_at DESC, id DESC LIMIT ?5`,
      )
        .all(atMs, id, tenant ?? null, state ?? null, limit)
        .map(batchOf);
    },
  };
}

export function askBatches(reader: Calls<Reads>): BatchStore {
  return {
    batch: (id) => reader.call('batch', id),

    async batches(filter, { limit, after }) {
      checkLimit('limit', limit);
      const place = after === undefined ? undefined : readPlace(after);
      const input = { ...filter, limit: limit + 1, after: place };
      return batchPage(await reader.call('batches', input), limit);
    },
  };
}
