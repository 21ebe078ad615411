import type { Clock } from '@redrive/core';
import type { LogFields, WorkerLogger } from './worker-logger.ts';

/** `warn`: warnings and errors. `info`: every line. `off`: none. */
export type LogLevel = 'off' | 'warn' | 'info';

/** A warning of the same kind is printed this often: a thousand dead jobs are one line, with their number in the next. */
const REPEAT_MS = 60_000;

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
  const printed = new Map<string, { atMs: number; omitted: number }>();

  function warn(fields: LogFields, text: string): void {
    const { event, handler = '' } = fields;
    const key = `${event} ${handler}`;
    const nowMs = clock.monotonic();
    const last = printed.get(key);
    if (last !== undefined && nowMs - last.atMs < REPEAT_MS) {
      last.omitted += 1;
      return;
    }
    const omitted = last?.omitted ?? 0;
    const more = omitted === 0 ? '' : ` (and ${omitted} more of these since the last one)`;
    printed.set(key, { atMs: nowMs, omitted: 0 });
    output.warn(`${about(fields)}${oneLine(text)}${more}`, event);
  }

  /** The numbers that no later warning will have. */
  function endOf({ event }: LogFields): void {
    if (event !== 'worker.stopped') return;
    for (const [key, { omitted }] of printed) {
      const [code = '', handler = ''] = key.split(' ');
      const whose = handler === '' ? '' : ` of ${handler}`;
      if (omitted > 0) output.warn(`${omitted} more of these${whose} since the last one`, code);
    }
    printed.clear();
  }

  return {
    info(fields, text) {
      endOf(fields);
      if (level !== 'info') return;
      const time = new Date(clock.now()).toISOString();
      output.write(`${time} info redrive ${about(fields)}${oneLine(text)}\n`);
    },
    warn(fields, text) {
      endOf(fields);
      warn(fields, text);
    },
    error: warn,
    isLevelEnabled: () => level === 'info',
  };
}

/** `mail 0n3kq2dw: ` */
function about({ handler, job }: LogFields): string {
  const parts = [handler, job].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}

/** What an error says comes from anywhere: no control character of it reaches a terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
