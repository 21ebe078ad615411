import { systemClock } from '@redrive/core';
import { nearest } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import {
  handlersAwaited,
  listOperations,
  type OperationStatus,
  operationStatus,
} from '@redrive/durable/control';
import { operationJson } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printList } from '../terminal/table.ts';
import { nextStep, OPERATION_COLUMNS, operationLines, operationRow } from './operation-lines.ts';

export const runOpsShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const { status, awaited } = await withStore(invocation, async (store) => ({
    status: await findOperation(store, id),
    awaited: await handlersAwaited(store, id),
  }));
  if (options.json) return printJson(io, { ...operationJson(status), request: status.request });
  printLines(io, operationLines(io.screen, status, (io.clock ?? systemClock).now(), awaited));
  note(io, nextStep(status));
};

/** @throws CliError with the exit code 3, and what could be meant. */
export async function findOperation(store: FullStore, id: string): Promise<OperationStatus> {
  const found = await operationStatus(store, id);
  if (found !== undefined) return found;
  const { operations } = await listOperations(store, { limit: 100 });
  const close = nearest(
    id,
    operations.map((each) => each.id),
  );
  const hint =
    close === undefined
      ? '"redrive ops list" lists all bulk operations.'
      : `Did you mean ${close}?`;
  throw new CliError('no_match', `There is no bulk operation ${id}.`, hint);
}

const NONE =
  'There are no bulk operations. "redrive dlq requeue", "reset", "purge" and "restore" start one.';

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
