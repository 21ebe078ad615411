import { type Clock, systemClock } from '@redrive/core';
import { type Logger, pino } from 'pino';
import type { Io } from '../terminal/io.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { plainLine } from './plain-line.ts';

/** What a worker says, by pino. */
export type Log = Logger;

export interface LogOptions {
  readonly level?: string | undefined;
  /** Lines for people instead of JSON. */
  readonly plain: boolean;
  /** Where lines go. Default: stdout. */
  readonly write?: (line: string) => void;
}

/** One JSON object per line, or a plain one. Written at once: what a crash swallows explains no crash. */
export function workerLog(io: Io, { level = 'info', plain, write = io.stdout }: LogOptions): Log {
  const clock: Clock = io.clock ?? systemClock;
  return pino(
    {
      level,
      // Process and host are known to whoever collects the lines.
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => write(plain ? plainLine(io.screen, JSON.parse(line)) : safeJson(line)) },
  );
}
