import { type Clock, type EventSink, syncSink, type Timer } from '@redrive/core';
import type { Notice } from '../worker/notice.ts';
import { logNotice } from './log-notice.ts';
import { logRecords } from './log-records.ts';

/** Where lines of a worker's log go. A logger of pino fits, and so does `console`. */
export interface WorkerLogger {
  /** Absent: nothing is logged at this level. */
  debug?(fields: LogFields, text: string): void;
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
  /** Absent: every level is. */
  isLevelEnabled?(level: 'info'): boolean;
}

/** The fields of a log line. docs/reference/worker-log.md lists events and their fields. */
export interface LogFields {
  readonly event: string;
  readonly handler?: string | undefined;
  readonly job?: string | undefined;
  readonly [field: string]: unknown;
}

export interface Listeners {
  readonly events?: EventSink | undefined;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

export interface LoggedListeners extends Listeners {
  /** Whether anybody wants a record of every attempt; otherwise only dead jobs and breakers are reported. */
  readonly everyAttempt: boolean;
}

/** The listeners of an application, and its log beside them. */
export function withLog(given: Listeners, log: WorkerLogger | undefined): LoggedListeners {
  const { events, onNotice } = given;
  if (log === undefined) return { events, onNotice, everyAttempt: events !== undefined };
  const records = logRecords(log);
  return {
    events: syncSink((record) => {
      quietly(() => records.emit(record));
      events?.emit(record);
    }),
    onNotice: (notice) => {
      quietly(() => logNotice(log, notice));
      return onNotice?.(notice);
    },
    everyAttempt: events !== undefined || (log.isLevelEnabled?.('info') ?? true),
  };
}

/** A logger that throws harms neither the work nor the application's own listeners. */
function quietly(log: () => void): void {
  try {
    log();
  } catch {
    // There is nowhere to log it.
  }
}

/** `warn`: warnings and errors. `info`: every line. `off`: none. */
export type LogLevel = 'off' | 'warn' | 'info';

/** A warning of the same kind is printed this often; those between are counted: a thousand dead jobs are three lines. */
const REPEAT_MS = 60_000;
const MORE_FOLLOW =
  'there are more of these; they are counted, and the number follows within a minute';

/** Warnings of one kind and handler within a minute. */
interface Burst {
  readonly event: string;
  readonly handler: string;
  omitted: number;
  readonly timer: Timer;
}

/** Of Node's warnings. Tests see what is printed. */
export interface LogOutput {
  readonly warn: (text: string, code: string) => void;
  readonly write: (line: string) => void;
}

const PROCESS: LogOutput = {
  warn: (text, code) => process.emitWarning(text, { type: 'RedriveWarning', code }),
  write: (line) => void process.stderr.write(line),
};

/**
 * The log of a worker inside an application. Warnings and errors are warnings of the process, with the event as their
 * code, so that the application's own ways to handle, silence or trace warnings apply. Lines at `info` go to stderr.
 */
export function embeddedLog(
  level: LogLevel,
  clock: Clock,
  output: LogOutput = PROCESS,
): WorkerLogger | undefined {
  if (level === 'off') return undefined;
  const bursts = new Map<string, Burst>();

  function warn(fields: LogFields, text: string): void {
    const { event, handler = '' } = fields;
    const key = `${event} ${handler}`;
    const burst = bursts.get(key);
    if (burst === undefined) {
      const timer = clock.setTimer(REPEAT_MS, () => endBurst(key));
      timer.hold(false);
      bursts.set(key, { event, handler, omitted: 0, timer });
      output.warn(`${about(fields)}${oneLine(text)}`, event);
      return;
    }
    burst.omitted += 1;
    // At once, because a process may end before the number can be printed.
    if (burst.omitted === 1) output.warn(`${about({ handler })}${MORE_FOLLOW}`, event);
  }

  function endBurst(key: string): void {
    const burst = bursts.get(key);
    if (burst === undefined) return;
    bursts.delete(key);
    const { event, handler, omitted, timer } = burst;
    timer.cancel();
    if (omitted > 0) output.warn(`${about({ handler })}${omitted} more of these`, event);
  }

  function endAll({ event }: LogFields): void {
    if (event !== 'worker.stopped') return;
    for (const key of [...bursts.keys()]) endBurst(key);
  }

  return {
    info(fields, text) {
      endAll(fields);
      if (level !== 'info') return;
      const time = new Date(clock.now()).toISOString();
      output.write(`${time} info redrive ${about(fields)}${oneLine(text)}\n`);
    },
    warn(fields, text) {
      endAll(fields);
      warn(fields, text);
    },
    error: warn,
    isLevelEnabled: () => level === 'info',
  };
}

/** `mail 0n3kq2dw: ` */
function about({ handler, job }: Pick<LogFields, 'handler' | 'job'>): string {
  const parts = [handler, job].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}

/** An error's text comes from anywhere: control characters are removed before it reaches a terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
