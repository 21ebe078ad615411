import { controlOverview } from '@redrive/durable/control';
import { type GateView, gateJson, gateViews } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { ageCell, type Cell, columns, printList } from '../terminal/table.ts';

const GATE_COLUMNS = columns(
  'dependency:cyan | credential:optional | tenant:optional | opens:yellow | closed | parked:right | :optional,shrinks',
);

function gateRow(view: GateView, nowMs: number): Cell[] {
  return [
    view.dependency,
    view.credential,
    view.tenant,
    ageCell(view.untilMs, nowMs),
    ageCell(view.sinceMs, nowMs),
    countText(view.parked, view.bounded),
    view.cut ? 'asked for more than an hour' : '',
  ];
}

const NONE =
  'No gate is closed. A gate closes when a job gets a Retry-After from its dependency, or returns retryAfter().';

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
