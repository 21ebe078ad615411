import { systemClock } from '@redrive/core';
import { commandText, nearest } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import {
  abortOperation,
  handlersAwaited,
  listOperations,
  type OperationAct,
  type OperationStatus,
  operationStatus,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from '@redrive/durable/control';
import { operationJson } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption, pageOptions } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJson, printJsonLine, printLines } from '../terminal/io.ts';
import { parseRate } from '../terminal/parse-rate.ts';
import { printList } from '../terminal/table.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { bulkWatch } from './bulk-watch.ts';
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

type Act = (store: FullStore, about: OperationAct) => Promise<OperationStatus>;

export const runOpsPause: RunCommand = (invocation) => act(invocation, pauseOperation);
export const runOpsResume: RunCommand = (invocation) => act(invocation, resumeOperation);
export const runOpsAbort: RunCommand = (invocation) => act(invocation, abortOperation);

export const runOpsSetRate: RunCommand = (invocation) => {
  const [, rate = ''] = invocation.args;
  const ratePerSecond = rate === 'none' ? undefined : parseRate(rate, 'The rate');
  return act(invocation, (store, about) => setOperationRate(store, { ...about, ratePerSecond }));
};

/** Acts on one operation, and shows how it is then, or would be. */
async function act(invocation: Invocation, carryOut: Act): Promise<void> {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const dry = options.dryRun === true;
  const { before, status } = await withStore(invocation, async (store) => ({
    before: await findOperation(store, id),
    status: await carryOut(store, { id, actor: actorOf(options), dryRun: dry }),
  }));
  if (options.json) return printJson(io, { ...operationJson(status), dry_run: dry });
  const { hasWorker } = before;
  const nowMs = (io.clock ?? systemClock).now();
  const lines = operationLines(io.screen, { ...status, hasWorker }, nowMs);
  if (dry) {
    const stays = before.state === status.state && before.ratePerSecond === status.ratePerSecond;
    printLines(io, [`Nothing was changed. It would ${stays ? 'stay as it is' : 'be'}:`, ...lines]);
    return;
  }
  printLines(io, lines);
  note(io, nextStep(status));
}

const EVERY_MS = 500;

export const runOpsWatch: RunCommand = (invocation) => {
  const { args, options } = invocation;
  const [id = ''] = args;
  const timeoutMs = durationOption(options, 'timeout') ?? Infinity;
  return withStore(invocation, (store) =>
    untilStopped(invocation.io, (stopped) => follow(invocation, store, id, timeoutMs, stopped)),
  );
};

async function follow(
  { io, options }: Invocation,
  store: FullStore,
  id: string,
  timeoutMs: number,
  stopped: AbortSignal,
): Promise<ExitCode> {
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + timeoutMs;
  const shown = bulkWatch(io, store);
  try {
    for (;;) {
      const status = await findOperation(store, id);
      if (options.json) printJsonLine(io, operationJson(status));
      else shown.update(status);
      if (isOver(status)) {
        shown.end();
        if (!options.json) {
          printLines(io, operationLines(io.screen, status, clock.now()));
          note(io, nextStep(status));
        }
        return status.state === 'finished' ? EXIT.ok : EXIT.partial;
      }
      const leftMs = endMs - clock.monotonic();
      if (leftMs > 0) await pause(clock, Math.min(EVERY_MS, leftMs), stopped);
      if (stopped.aborted || leftMs <= 0) {
        shown.end();
        note(io, nextStep(status) ?? goesOn(id));
        return stopped.aborted ? EXIT.interrupted : EXIT.timed_out;
      }
    }
  } finally {
    shown.end();
  }
}

/** A paused operation is not over: somebody else may resume it. */
function isOver({ state }: OperationStatus): boolean {
  return state !== 'running' && state !== 'paused';
}

/** After Ctrl-C. `first`: where there is more to say. */
export function goesOn(
  id: string,
  first = 'The bulk operation continues: any running "redrive start" carries it out.',
): string {
  return [
    first,
    `To look again: ${commandText`redrive ops watch ${id}`}`,
    `To stop it: ${commandText`redrive ops pause ${id}`}`,
  ].join('\n');
}
