import { systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import type { OperationAnswer } from '@redrive/operate/texts';
import type { Place } from '../action/place.ts';
import { listOf, textOf } from '../action/renderer.ts';
import { placeOf } from '../action/run-action.ts';
import type { Sugar } from '../action/sugar.ts';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJsonLine, printLines } from '../terminal/io.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { bulkWatch } from './bulk-watch.ts';
import { nextStep, OPERATION_COLUMNS, operationLines, operationRow } from './operation-lines.ts';

type Operations = AnswerOf<typeof ACTIONS.operations.list>;
type Shown = AnswerOf<typeof ACTIONS.operations.show>;
type Changed = AnswerOf<typeof ACTIONS.operations.pause>;

export const OPERATION_SHOW = textOf<Shown>(({ io, answer, nowMs }) => {
  printLines(io, operationLines(io.screen, answer, nowMs, answer.stopped_by));
  note(io, nextStep(answer));
});

const NONE =
  'There are no bulk operations. "redrive dlq requeue", "reset", "purge" and "restore" start one.';

export const OPERATION_LIST = listOf<Operations, OperationAnswer>(({ nowMs }) => ({
  name: 'operations',
  columns: OPERATION_COLUMNS,
  none: NONE,
  row: (operation) => operationRow(operation, nowMs),
}));

/** How it is then, or would be. */
export const OPERATION_CHANGE = textOf<Changed>(({ io, answer, nowMs }) => {
  const { changed, dry_run } = answer;
  const would = `Nothing was changed. It would ${changed ? 'be' : 'stay as it is'}:`;
  printLines(io, [...(dry_run ? [would] : []), ...operationLines(io.screen, answer, nowMs)]);
  if (!dry_run) note(io, nextStep(answer));
});

const EVERY_MS = 500;

/** `redrive ops watch`, on a store or a server. */
export function watchCommand(sugar: Sugar): RunCommand {
  return async (invocation) => {
    const place = await placeOf(sugar.action, sugar, invocation);
    try {
      return await untilStopped(invocation.io, (stopped) => follow(invocation, place, stopped));
    } finally {
      await place.close();
    }
  };
}

async function follow(
  { io, args, options }: Invocation,
  place: Place,
  stopped: AbortSignal,
): Promise<ExitCode> {
  const [id = ''] = args;
  const clock = io.clock ?? systemClock;
  const endMs = clock.monotonic() + (durationOption(options, 'timeout') ?? Infinity);
  const look = async () => Object((await place.run()).answer) as Shown; // Of this action.
  const shown = bulkWatch(io, async () => (await look()).stopped_by);
  try {
    for (;;) {
      const { stopped_by: _, ...status } = await look();
      const { request: __, ...line } = status;
      if (options.json) printJsonLine(io, line);
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
function isOver({ state }: OperationAnswer): boolean {
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
