import { systemClock } from '@redrive/core';
import type { OperationAnswer as Operation, StoppedBy } from '@redrive/operate/texts';
import { type Io, note } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { fit } from '../terminal/table.ts';
import { doneText, leftText, stopText } from './operation-lines.ts';

interface BulkWatch {
  update(status: Operation): void;
  end(): void;
}

/** Without a new result for this long, it looks whether a worker has the handlers of the jobs. */
const NO_RESULT_MS = 1_000;
const LOOK_AGAIN_MS = 10_000;

/**
 * Shows the progress of a bulk operation, and says what keeps its jobs from starting.
 *
 * @param stopsOf reads it.
 */
export function bulkWatch(io: Io, stopsOf: (id: string) => Promise<StoppedBy>): BulkWatch {
  const clock = io.clock ?? systemClock;
  const shown = statusLine(io);
  let results = -1;
  let lookAtMs = Infinity;
  let said: string | undefined;
  let ended = false;
  const look = async (id: string): Promise<void> => {
    const stops = await stopsOf(id);
    const text = stops.map((stop) => `They wait: ${stopText(stop)}`).join('; ');
    if (ended || text === '' || text === said) return;
    said = text;
    shown.end();
    note(io, text);
  };
  return {
    update(status) {
      shown.update(status);
      const nowMs = clock.monotonic();
      const { id, in_flight: inFlight, succeeded, came_back: cameBack, state } = status;
      if (succeeded + cameBack !== results) {
        results = succeeded + cameBack;
        lookAtMs = nowMs + NO_RESULT_MS;
      }
      if (state !== 'running' || inFlight === 0 || nowMs < lookAtMs) return;
      lookAtMs = nowMs + LOOK_AGAIN_MS;
      // It is a hint only: the next look may show it.
      look(id).catch(() => {});
    },
    end() {
      ended = true;
      shown.end();
    },
  };
}

/** The progress of a bulk operation on stderr. */
interface StatusLine {
  update(status: Operation): void;
  /** Clears the line. */
  end(): void;
}

/** On a terminal one line, written over and over. Elsewhere a line after some seconds, and then with each change. */
function statusLine(io: Io): StatusLine {
  if (io.quiet) return { update: () => undefined, end: () => undefined };
  const clock = io.clock ?? systemClock;
  const looks: { atMs: number; acted: number }[] = [];
  const isTerminal = io.errorScreen.isTerminal;
  let isShown = false;
  let lastText = '';
  let nextAtMs = clock.monotonic() + FIRST_LINE_MS;
  return {
    update(status) {
      const atMs = clock.monotonic();
      looks.push({ atMs, acted: status.done });
      // Over the last few looks: the present speed, not the average of all.
      if (looks.length > LOOKS) looks.shift();
      const text = statusText(status, speedOf(looks));
      if (isTerminal) {
        isShown = true;
        io.stderr(`\r${fit(text, io.errorScreen.columns - 1)}`);
      } else if (atMs >= nextAtMs && text !== lastText) {
        nextAtMs = atMs + NEXT_LINE_MS;
        lastText = text;
        note(io, text);
      }
    },
    end() {
      if (isShown) io.stderr(`\r${' '.repeat(io.errorScreen.columns - 1)}\r`);
      isShown = false;
    },
  };
}

const LOOKS = 10;
/** In a log: a command that is done sooner needs no line, and a long one does not fill it. */
const FIRST_LINE_MS = 1_000;
const NEXT_LINE_MS = 10_000;

function speedOf(looks: readonly { readonly atMs: number; readonly acted: number }[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
  return ((last.acted - first.acted) * 1_000) / (last.atMs - first.atMs);
}

/**
 * `requeue 111 of 10,000 sent, 98 succeeded, 2 failed again, 11 waiting, stage of 100`, or where results are not observed
 * `purge 4,812 of 10,000, 50/s, 1 min 44 s left`
 */
function statusText(status: Operation, perSecond: number): string {
  const { act, followed, ramp, succeeded, came_back: cameBack, in_flight: inFlight } = status;
  const left = leftText(status);
  const done = `${status.state === 'paused' ? 'paused: ' : ''}${printable(act)} ${doneText(status)}`;
  const count = (value: number) => value.toLocaleString('en');
  return [
    followed ? `${done} sent` : done,
    ...(followed
      ? [
          `${count(succeeded)} succeeded`,
          `${count(cameBack)} failed again`,
          `${count(inFlight)} waiting`,
        ]
      : []),
    ...(perSecond === 0 ? [] : [rateText(perSecond)]),
    ...(left === '' ? [] : [`${left} left`]),
    ...(ramp === null || ramp.stage > ramp.stages.length
      ? []
      : [`stage of ${count(ramp.stages[ramp.stage - 1] ?? 0)}`]),
  ].join(', ');
}
