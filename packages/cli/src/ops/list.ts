import { systemClock } from '@redrive/core';
import { listOperations } from '@redrive/durable/control';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { OPERATION_COLUMNS, operationJson, operationRow } from './operation-lines.ts';

const NONE =
  'There are no bulk operations. "redrive dlq requeue", "reset", "purge" and "restore" start one.';

/** `redrive ops list` */
export const runOpsList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { limit, after } = pageOptions(options);
  const { operations, next } = await withStore(invocation, (store) =>
    listOperations(store, { limit, after }),
  );
  const nowMs = (io.clock ?? systemClock).now();
  return printList(invocation, {
    name: 'operations',
    items: operations,
    document: operationJson,
    columns: OPERATION_COLUMNS,
    row: (operation) => operationRow(operation, nowMs),
    none: NONE,
    next,
  });
};
