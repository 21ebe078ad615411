import { systemClock } from '@redrive/core';
import type { Invocation } from '../command/command-spec.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printLines } from '../terminal/io.ts';
import { pause, untilStopped } from '../terminal/until-stopped.ts';

const EVERY_MS = 2_000;
/** Clears the screen, and begins at its top. */
const CLEAR = '\x1b[H\x1b[2J';

/** Reads and prints every two seconds, until a signal ends it. A terminal shows only the newest answer; a pipe gets all. */
export function watch<T>(
  { io, options }: Invocation,
  read: () => Promise<T>,
  print: (found: T) => void,
): Promise<ExitCode> {
  const clock = io.clock ?? systemClock;
  const isText = options.json !== true;
  return untilStopped(io, async (stopped) => {
    while (!stopped.aborted) {
      const found = await read();
      if (isText && io.screen.isTerminal) io.stdout(CLEAR);
      print(found);
      if (isText && !io.screen.isTerminal) printLines(io, ['']);
      await pause(clock, EVERY_MS, stopped);
    }
    return EXIT.interrupted;
  });
}
