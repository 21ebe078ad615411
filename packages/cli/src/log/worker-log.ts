import { type Clock, systemClock } from '@redrive/core';
import { type Logger, pino } from 'pino';
import type { Io } from '../terminal/io.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { plainLine } from './plain-line.ts';

/** What a worker says, by pino. */
export type Log = Logger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export interface LogOptions {
  readonly level?: string | undefined;
  /** JSON lines, also on a terminal. */
  readonly asJson: boolean;
}

/** One JSON object per line; on a terminal a plain line instead. Written at once: what a crash swallows explains no crash. */
export function workerLog(io: Io, { level = 'info', asJson }: LogOptions): Log {
  const { screen } = io;
  const isPlain = screen.isTerminal && !asJson;
  const clock: Clock = io.clock ?? systemClock;
  return pino(
    {
      level,
      // Process and host are known to whoever collects the lines.
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write: (line: string) =>
        io.stdout(isPlain ? plainLine(screen, JSON.parse(line)) : safeJson(line)),
    },
  );
}
