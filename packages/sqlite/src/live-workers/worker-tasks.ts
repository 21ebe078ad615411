import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import { type WorkerPageRequest, workerBounds } from '@redrive/durable/store';
import { query } from '../database/statement.ts';

export type WorkerRow = [
  name: string,
  since: number,
  seenAt: number,
  running: number,
  stopping: number,
  facts: string,
];

export interface FoundWorkers {
  readonly nowMs: number;
  readonly rows: readonly WorkerRow[];
}

interface WorkersInput {
  readonly page: WorkerPageRequest;
  readonly nowMs?: number;
}

/** The tasks of the reading thread about workers. */
export function workerTasks(open: () => DatabaseSync) {
  return {
    workers: ({ page, nowMs = systemClock.now() }: WorkersInput): FoundWorkers => {
      const { after, take, seenFromMs } = workerBounds(page, nowMs);
      const found = query<WorkerRow>(
        open(),
        `SELECT name, since, seen_at, running, stopping, facts FROM workers
         WHERE name > ? AND seen_at >= ? ORDER BY name LIMIT ?`,
      );
      return { nowMs, rows: found.all(after, seenFromMs, take) };
    },
  };
}
