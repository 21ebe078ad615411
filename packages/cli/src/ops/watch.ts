import { type Clock, systemClock } from '@redrive/core';
import type { OperationStatus } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJsonLine, printLines } from '../terminal/io.ts';
import { parseDuration } from '../terminal/parse-time.ts';
import { pause } from '../terminal/pause.ts';
import { printable } from '../terminal/printable.ts';
import { bulkWatch } from './bulk-watch.ts';
import { findOperation } from './find-operation.ts';
import { operationJson } from './operation-json.ts';
import { nextStep, operationLines } from './operation-lines.ts';

const EVERY_MS = 500;

/** `redrive ops watch` */
export const runOpsWatch: RunCommand = (invocation) => {
  const { args, options } = invocation;
  const [id = ''] = args;
  const text = textOption(options, 'timeout');
  const timeoutMs = text === undefined ? Infinity : parseDuration(text, '--timeout');
  return withStore(invocation, (store) => follow(invocation, store, id, timeoutMs));
};

async function follow(
  invocation: Invocation,
  store: FullStore,
  id: string,
  timeoutMs: number,
): Promise<ExitCode> {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + timeoutMs;
  const stopped = new AbortController();
  const release = io.takeSignals(() => stopped.abort());
  const shown = bulkWatch(io, store);
  try {
    for (;;) {
      const status = await findOperation(store, id);
      if (options.json) printJsonLine(io, operationJson(status));
      else shown.update(status);
      if (isOver(status)) return end(invocation, clock, status, shown.end);
      const leftMs = endMs - clock.monotonic();
      if (leftMs > 0) await pause(clock, Math.min(EVERY_MS, leftMs), stopped.signal);
      if (stopped.signal.aborted || leftMs <= 0) {
        shown.end();
        note(io, nextStep(status) ?? goesOn(id));
        return stopped.signal.aborted ? EXIT.interrupted : EXIT.timed_out;
      }
    }
  } finally {
    shown.end();
    release();
  }
}

/** One that is paused may be resumed by somebody else. */
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

function end(
  { io, options }: Invocation,
  clock: Clock,
  status: OperationStatus,
  clear: () => void,
): ExitCode {
  clear();
  if (!options.json) printLines(io, operationLines(io.screen, status, clock.now()));
  const next = nextStep(status);
  if (next !== undefined && !options.json) note(io, next);
  return status.state === 'finished' ? EXIT.ok : EXIT.partial;
}
