import { systemClock } from '@redrive/core';
import { handlersAwaited } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { findOperation } from './find-operation.ts';
import { operationJson } from './operation-json.ts';
import { nextStep, operationLines } from './operation-lines.ts';

/** `redrive ops show` */
export const runOpsShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const { status, awaited } = await withStore(invocation, async (store) => ({
    status: await findOperation(store, id),
    awaited: await handlersAwaited(store, id),
  }));
  if (options.json) {
    printJson(io, { ...operationJson(status), request: status.request });
    return EXIT.ok;
  }
  printLines(io, operationLines(io.screen, status, (io.clock ?? systemClock).now(), awaited));
  const next = nextStep(status);
  if (next !== undefined) note(io, next);
  return EXIT.ok;
};
