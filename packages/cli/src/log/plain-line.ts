import { printable } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';

/** What every line of the log has. */
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
export function plainLine(screen: Screen, line: LogLine): string {
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
