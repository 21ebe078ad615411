import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  fineText,
  type Problem,
  problemsOf,
  readStatus,
  type Status,
  statusJson,
} from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printJsonLine, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';
import { failingLines } from './failing-lines.ts';
import { countLines, sourceLines, workerLines } from './overview-lines.ts';
import { stoppedLines } from './stopped-lines.ts';

const EVERY_MS = 2_000;

/** `redrive status` */
export const runStatus: RunCommand = (invocation) => {
  const { io, options } = invocation;
  return withStore(invocation, async (store) => {
    if (options.watch === true) return watch(invocation, store);
    const status = await readStatus(store);
    if (options.json) printJson(io, statusJson(status));
    else printLines(io, statusLines(io.screen, status));
    return EXIT.ok;
  });
};

/** Looks again and again until a signal comes. A terminal shows the newest look alone; a pipe gets all of them. */
async function watch({ io, options }: Invocation, store: FullStore): Promise<ExitCode> {
  const clock = io.clock ?? systemClock;
  return untilStopped(io, async (stopped) => {
    while (!stopped.aborted) {
      const status = await readStatus(store);
      if (options.json) printJsonLine(io, statusJson(status));
      else {
        if (io.screen.isTerminal) io.stdout(CLEAR);
        printLines(io, [...statusLines(io.screen, status), ...(io.screen.isTerminal ? [] : [''])]);
      }
      await pause(clock, EVERY_MS, stopped);
    }
    return EXIT.interrupted;
  });
}

/** Clears the screen, and begins at its top. */
const CLEAR = '\x1b[H\x1b[2J';

/** The verdict, the causes that fail, the stops and who set them, workers, queues. */
export function statusLines(screen: Screen, status: Status): string[] {
  const { store, counts, failing } = status;
  const when = `${screen.paint('bold', printable(store))}  ${screen.paint('dim', formatTime(counts.nowMs))}`;
  return [
    ...verdictLines(screen, status, problemsOf(status)),
    ...['', when],
    ...failingLines(screen, failing),
    ...stoppedLines(screen, status),
    ...workerLines(screen, status),
    ...sourceLines(screen, status),
    ...countLines(screen, counts),
  ];
}

/** The most urgent problem, and the others under it. */
export function verdictLines(
  screen: Screen,
  status: Status,
  problems: readonly Problem[],
): string[] {
  if (problems.length === 0) return [screen.paint('green', fineText(status))];
  return problems.flatMap(({ level, text }) => {
    const colour = level === 'bad' ? 'red' : 'yellow';
    return wrapWords(printable(/[.!?…]$/.test(text) ? text : `${text}.`), screen.columns, '  ').map(
      (line) => screen.paint(colour, line),
    );
  });
}
