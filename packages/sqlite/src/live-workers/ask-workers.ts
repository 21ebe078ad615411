import type { Clock } from '@redrive/core';
import {
  checkLimit,
  decodeWorker,
  encodeReport,
  type StoredWorker,
  type WorkerPageRequest,
  type WorkerStore,
  workerPage,
} from '@redrive/durable/store';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import type { EncodedWorker, WorkerRow } from './worker-table.ts';

export interface WorkerParts {
  /** Commits it, together with whatever else arrives. */
  readonly commit: (call: EncodedWorker) => Promise<unknown>;
  readonly reader: Calls<Reads>;
  readonly clock: Clock | undefined;
}

/** Workers, as this thread sees them. */
export function askWorkers({ commit, reader, clock }: WorkerParts): WorkerStore {
  return {
    async reportWorker(report) {
      const { name, running, isStopping, facts } = encodeReport(report);
      await commit(['report_worker', name, running, isStopping, facts]);
    },

    async forgetWorker(name) {
      await commit(['forget_worker', name]);
    },

    async workers(page: WorkerPageRequest) {
      checkLimit('limit', page.limit);
      const input = { page, nowMs: clock?.now() };
      const { rows, nowMs } = await reader.call('workers', input);
      return workerPage(rows.map(workerOf), page.limit, nowMs);
    },
  };
}

function workerOf([name, sinceMs, seenAtMs, running, stopping, facts]: WorkerRow): StoredWorker {
  return decodeWorker({ name, sinceMs, seenAtMs, running, isStopping: stopping !== 0, facts });
}
