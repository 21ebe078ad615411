import type { DatabaseSync } from 'node:sqlite';
import { findOperation, operationOf } from './operation-row.ts';

/** What the thread that reads can say about acts on many. */
export function operationTasks(open: () => DatabaseSync) {
  return {
    operation: (id: string) => {
      const row = findOperation(open()).get(id);
      return row && operationOf(row);
    },
  };
}
