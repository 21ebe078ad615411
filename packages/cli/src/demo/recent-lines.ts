import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';

/** The newest lines of the log, for a window that has no room for all of them. */
export interface RecentLines {
  /** Takes a line of the log, as JSON. */
  add(line: string): void;
  /** At most `count` lines, the newest last. */
  lines(screen: Screen, count: number): string[];
}

interface Entry {
  readonly event: string;
  readonly time: string;
  readonly handler?: string;
  readonly msg?: string;
}

const KEPT = 100;
/** The end of an attempt says enough: its start is left out. */
const HIDDEN = ['attempt.started', 'retry.started'];
/** Redrive's own recurring jobs, which succeed all the time. */
const OWN = ['sweeps.run', 'escalation.look'];
const HANDLER_COLUMNS = 16;

export function recentLines(): RecentLines {
  let entries: readonly Entry[] = [];
  return {
    add(line) {
      const entry: Entry = JSON.parse(line);
      const { event, handler = '' } = entry;
      if (HIDDEN.includes(event) || (OWN.includes(handler) && event === 'job.succeeded')) return;
      entries = [...entries, entry].slice(-KEPT);
    },
    lines(screen, count) {
      let lines: string[] = [];
      for (const entry of entries.toReversed()) {
        const longer = [...linesOf(screen, entry), ...lines];
        if (longer.length > count) return lines.length === 0 ? longer.slice(0, count) : lines;
        lines = longer;
      }
      return lines;
    },
  };
}

/** A message that is longer than the window goes on below itself. */
function linesOf(screen: Screen, { event, time, handler = '', msg = '' }: Entry): string[] {
  const head = `${time.slice(11, 19)}  ${handler.padEnd(HANDLER_COLUMNS)} `;
  const lines = wrapWords(printable(msg), screen.columns - head.length);
  return lines.map((line, number) =>
    screen.paint(colourOf(event), (number === 0 ? head : ' '.repeat(head.length)) + line),
  );
}

function colourOf(event: string): Colour {
  if (event.endsWith('succeeded')) return 'green';
  if (event === 'retry.scheduled') return 'yellow';
  if (event === 'job.parked' || event.startsWith('breaker.')) return 'magenta';
  return event === 'retry.exhausted' || event === 'job.dead' ? 'red' : 'dim';
}
