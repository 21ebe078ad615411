import type { DatabaseSync } from 'node:sqlite';
import type { JobStanding, Operation } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { readableLife } from '../job/job-row.ts';
import { stateOf } from '../job/states.ts';
import { findOperation, listOperations, operationOf } from './operations.ts';

export interface OperationsInput {
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: { readonly atMs: number; readonly id: string } | undefined;
}

type StandingRow = [id: string, state: number, life: string | null, cause: string | null];

/** Reads of bulk operations, on the reader thread. */
export function operationTasks(open: () => DatabaseSync) {
  return {
    operation: (id: string) => {
      const row = findOperation(open()).get(id);
      return row && operationOf(row);
    },
    operations: ({ limit, after }: OperationsInput): Operation[] => {
      const { atMs = Number.MAX_SAFE_INTEGER, id = '' } = after ?? {};
      return listOperations(open()).all(atMs, id, limit).map(operationOf);
    },
    standings: (ids: readonly string[]): JobStanding[] =>
      query<StandingRow>(
        open(),
        'SELECT id, state, life, cause FROM jobs WHERE id IN (SELECT value FROM json_each(?))',
      )
        .all(JSON.stringify(ids))
        .map(standingOf),
  };
}

function standingOf([id, state, life, cause]: StandingRow): JobStanding {
  const { generation, entries } = readableLife(life).account;
  const failed = entries.failed + entries.rate_limited;
  return { id, generation, state: stateOf(state), failed, cause: cause ?? undefined };
}
