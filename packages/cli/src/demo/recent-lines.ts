import { printable } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { fit } from '../terminal/table.ts';

/** What the log said last, for a window that has no room for all of it. */
export interface RecentLines {
  /** Takes a line of the log, as JSON. */
  add(line: string): void;
  /** The newest last. */
  lines(screen: Screen, count: number): string[];
}

interface Entry {
  readonly event: string;
  readonly time: string;
  readonly handler?: string;
  readonly msg?: string;
}

const KEPT = 100;
/** That an attempt starts is seen from how it ends. */
const HIDDEN = ['attempt.started', 'retry.started'];

export function recentLines(): RecentLines {
  let entries: readonly Entry[] = [];
  return {
    add(line) {
      const entry: Entry = JSON.parse(line);
      if (!HIDDEN.includes(entry.event)) entries = [...entries, entry].slice(-KEPT);
    },
    lines: (screen, count) => entries.slice(-count).map((entry) => lineOf(screen, entry)),
  };
}

function lineOf(screen: Screen, { event, time, handler = '', msg = '' }: Entry): string {
  const text = `${time.slice(11, 19)}  ${handler.padEnd(8)} ${printable(msg)}`;
  return screen.paint(
    colourOf(event),
    fit(text, screen.columns - 1, 'left', screen.unicode).trimEnd(),
  );
}

function colourOf(event: string): Colour {
  if (event.endsWith('succeeded')) return 'green';
  if (event === 'retry.scheduled') return 'yellow';
  if (event === 'job.parked' || event.startsWith('breaker.')) return 'magenta';
  return event === 'retry.exhausted' || event === 'job.dead' ? 'red' : 'dim';
}
