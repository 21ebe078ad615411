import { controlOverview } from '@redrive/durable/control';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { GATE_COLUMNS, gateJson, gateRow, gateViews } from './gate-view.ts';

const NONE =
  'No gate is closed. A gate closes when a job gets a Retry-After from its dependency, or returns retryAfter().';

/** `redrive gates list` */
export const runGateList: RunCommand = async (invocation) => {
  const overview = await withStore(invocation, controlOverview);
  return printList(invocation, {
    name: 'gates',
    items: gateViews(overview),
    document: gateJson,
    columns: GATE_COLUMNS,
    row: (view) => gateRow(view, overview.nowMs),
    none: NONE,
  });
};
