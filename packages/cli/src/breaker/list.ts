import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { readOverview } from '../workers/read-overview.ts';
import { BREAKER_COLUMNS, breakerRow } from './breaker-lines.ts';
import { breakerJson, breakerViews } from './breaker-view.ts';

const NONE =
  'No breaker has counted a failure. A breaker appears when a job fails whose handler or policy names a dependency and has a circuit breaker, or when an operator forces one.';

/** `redrive breakers list` */
export const runBreakerList: RunCommand = async (invocation) => {
  const overview = await withStore(invocation, readOverview);
  const { nowMs } = overview;
  return printList(invocation, {
    name: 'breakers',
    items: breakerViews(overview),
    document: (view) => breakerJson(view, nowMs),
    columns: BREAKER_COLUMNS,
    row: (view) => breakerRow(view, nowMs),
    none: NONE,
  });
};
