import { listWorkers } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { WORKER_COLUMNS, workerJson, workerRow } from './worker-view.ts';

const HOW_TO_START =
  'Start one with "redrive start", or with jobsOn(…).start() in your application.';

const AS_OF = '"running" is the number at the last report; a worker reports every 10 s.';

/** `redrive workers list` */
export const runWorkersList: RunCommand = async (invocation) => {
  const { options } = invocation;
  const { limit, after } = pageOptions(options);
  const all = options.all === true;
  const { workers, next, nowMs, anyGone } = await withStore(invocation, async (store) => {
    const found = await listWorkers(store, { limit, after, all });
    if (found.workers.length > 0) return { ...found, anyGone: false };
    const gone = await listWorkers(store, { limit: 1, all: true });
    return { ...found, anyGone: gone.workers.length > 0 };
  });
  return printList(invocation, {
    name: 'workers',
    items: workers,
    document: workerJson,
    columns: WORKER_COLUMNS,
    row: (worker) => workerRow(worker, nowMs),
    none: anyGone
      ? `No worker is alive. "redrive workers list --all" also lists workers that are gone. ${HOW_TO_START}`
      : `No worker is alive. ${HOW_TO_START}`,
    next,
    below: workers.length === 0 ? [] : ['', AS_OF],
  });
};
