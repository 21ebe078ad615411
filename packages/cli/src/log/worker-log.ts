import { type Clock, systemClock } from '@redrive/core';
import { type Logger, pino } from 'pino';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import type { Io } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { formatLine, type LogFormat } from './log-format.ts';

/** The log of a worker, by pino. */
export type Log = Logger;

interface LogOptions {
  readonly level?: string | undefined;
  /** Lines for people instead of JSON. */
  readonly plain: boolean;
  /** Names of the fields of a JSON line. Default `redrive`. */
  readonly format?: LogFormat | undefined;
  /** Where lines go. Default: stdout. */
  readonly write?: (line: string) => void;
}

/** One JSON object per line, or a plain one. Written at once: what a crash swallows explains no crash. */
export function workerLog(io: Io, options: LogOptions): Log {
  const { level = 'info', plain, format = 'redrive', write = io.stdout } = options;
  const text = (line: string): string => {
    if (plain) return plainLine(io.screen, JSON.parse(line));
    if (format === 'redrive') return safeJson(line);
    return `${safeJson(JSON.stringify(formatLine(format, JSON.parse(line))))}\n`;
  };
  const clock: Clock = io.clock ?? systemClock;
  return pino(
    {
      level,
      // The collector of the lines adds process and host.
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => write(text(line)) },
  );
}

/** The format that `--log-format` names. It means JSON lines, on a terminal too. */
export function logFormat(options: Invocation['options']): LogFormat | undefined {
  // The command line takes no others.
  return textOption(options, 'logFormat') as LogFormat | undefined;
}

/** The fields that every line of the log has. */
interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly handler?: string;
  readonly job?: string;
}

const COLOURS: Readonly<Record<string, Colour>> = {
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/** A line of the log for people: time, level, which job, what. */
function plainLine(screen: Screen, line: LogLine): string {
  const { level, time, msg = '', handler, job } = line;
  const who = [handler, job].filter((part) => part !== undefined).join(' ');
  const parts = [
    screen.paint('dim', time.slice(11, 23)),
    screen.paint(COLOURS[level] ?? 'dim', level.toUpperCase().padEnd(5)),
    ...(who === '' ? [] : [screen.paint('cyan', printable(who))]),
    printable(msg),
  ];
  return `${parts.join(' ')}\n`;
}
