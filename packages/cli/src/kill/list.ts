import { controlOverview } from '@redrive/durable/control';
import { killDocument, wordOf } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { ageCell, columns, printList } from '../terminal/table.ts';

const COLUMNS = columns(
  'scope:red | name:cyan,optional | since | by | running jobs | why:shrinks,optional',
);

const NONE =
  'No kill switch is engaged. "redrive kill engage" stops everything, a queue, a handler or a tenant.';

export const runKillList: RunCommand = async (invocation) => {
  const { killSwitches, nowMs } = await withStore(invocation, controlOverview);
  return printList(invocation, {
    name: 'engaged',
    items: killSwitches,
    document: killDocument,
    columns: COLUMNS,
    row: ({ scope, name = '', sinceMs, by, mode, why = '' }) => [
      wordOf(scope),
      name,
      ageCell(sinceMs, nowMs),
      by,
      { shown: mode === 'interrupt' ? 'interrupted' : 'may finish', exact: mode },
      why,
    ],
    none: NONE,
  });
};
