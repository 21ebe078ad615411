import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { readOverview } from '../workers/read-overview.ts';
import { PARK_COLUMNS, parkJson, parkRow } from './park-view.ts';

const NONE =
  'No job is parked. Jobs are parked when the breaker of their dependency is open, its gate is closed, or a kill switch was released with --pace.';

/** `redrive park list` */
export const runParkList: RunCommand = async (invocation) => {
  const { parked, nowMs, hasWorker } = await withStore(invocation, readOverview);
  return printList(invocation, {
    name: 'causes',
    items: parked,
    document: (park) => parkJson(park, hasWorker),
    columns: PARK_COLUMNS,
    row: (park) => parkRow(park, nowMs, hasWorker),
    none: NONE,
  });
};
