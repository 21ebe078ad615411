import { breakerJson, breakerView, breakerViews, readOverview } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printList } from '../terminal/table.ts';
import { BREAKER_COLUMNS, breakerLines, breakerRow } from './breaker-lines.ts';
import { findBreaker } from './breaker-view.ts';

export const runBreakerShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const overview = await withStore(invocation, readOverview);
  const { nowMs } = overview;
  const view = breakerView(findBreaker(overview, args[0] ?? ''), overview);
  if (options.json) printJson(io, breakerJson(view, nowMs));
  else printLines(io, breakerLines(io.screen, view, nowMs));
};

const NONE =
  'No breaker has counted a failure. A breaker appears when a job fails whose handler or policy names a dependency and has a circuit breaker, or when an operator forces one.';

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
