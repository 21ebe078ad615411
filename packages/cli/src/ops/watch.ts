import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { OperationStatus } from '@redrive/durable/control';
import { operationJson } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJsonLine, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { bulkWatch } from './bulk-watch.ts';
import { nextStep, operationLines } from './operation-lines.ts';
import { findOperation } from './show.ts';

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
  const name = printable(id);
  return [
    first,
    `To look again: redrive ops watch ${name}`,
    `To stop it: redrive ops pause ${name}`,
  ].join('\n');
}
