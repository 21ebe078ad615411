import { systemClock } from '@redrive/core';
import { listOperations } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { operationJson } from './operation-json.ts';
import { operationTable } from './operation-lines.ts';

const DEFAULT_LIMIT = 50;
const NONE =
  'There are no operations. "redrive dlq requeue", "reset", "purge" and "restore" begin one each.';

/** `redrive ops list` */
export const runOpsList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? DEFAULT_LIMIT;
  const after = textOption(options, 'after');
  const { operations, next } = await withStore(invocation, (store) =>
    listOperations(store, { limit, after }),
  );
  if (options.json) {
    printJson(io, { operations: operations.map(operationJson), next: next ?? null });
    return EXIT.ok;
  }
  const nowMs = (io.clock ?? systemClock).now();
  if (operations.length === 0) printText(io, NONE);
  else printLines(io, operationTable(io.screen, operations, nowMs));
  if (next !== undefined) io.stderr(`There are more: --after ${printable(next)}\n`);
  return EXIT.ok;
};
