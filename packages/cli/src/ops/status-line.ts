import { systemClock } from '@redrive/core';
import type { OperationStatus } from '@redrive/durable';
import type { Io } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { fit } from '../terminal/table.ts';
import { cameBackPercent, doneText, leftText } from './operation-lines.ts';

/** How far an operation is, on one line of stderr that is written over and over. Only on a terminal. */
export interface StatusLine {
  update(status: OperationStatus): void;
  /** Takes the line away. */
  end(): void;
}

export function statusLine(io: Io): StatusLine {
  if (!io.errorScreen.isTerminal || io.quiet)
    return { update: () => undefined, end: () => undefined };
  const clock = io.clock ?? systemClock;
  const looks: { atMs: number; acted: number }[] = [];
  let isShown = false;
  return {
    update(status) {
      looks.push({ atMs: clock.monotonic(), acted: status.acted });
      // Over the last few looks: what happens now, not what has happened on the whole.
      if (looks.length > LOOKS) looks.shift();
      isShown = true;
      io.stderr(`\r${fit(statusText(status, speedOf(looks)), io.errorScreen.columns - 1)}`);
    },
    end() {
      if (isShown) io.stderr(`\r${' '.repeat(io.errorScreen.columns - 1)}\r`);
      isShown = false;
    },
  };
}

const LOOKS = 10;

function speedOf(looks: readonly { readonly atMs: number; readonly acted: number }[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
  return ((last.acted - first.acted) * 1_000) / (last.atMs - first.atMs);
}

/** `requeue 4,812 of 10,000, 50/s, 1 min 44 s left, 3 % failed again, 400 in flight` */
export function statusText(status: OperationStatus, perSecond: number): string {
  const { act, inFlight, ramp } = status;
  const percent = cameBackPercent(status);
  const left = leftText(status);
  return [
    `${status.state === 'paused' ? 'paused: ' : ''}${printable(act)} ${doneText(status)}`,
    rateText(perSecond),
    ...(left === '' ? [] : [`${left} left`]),
    ...(percent === undefined ? [] : [`${percent} % failed again`]),
    ...(inFlight === 0 ? [] : [`${inFlight.toLocaleString('en')} in flight`]),
    ...(ramp === undefined || ramp.stage >= ramp.stages.length
      ? []
      : [`stage of ${ramp.stages[ramp.stage]?.toLocaleString('en')}`]),
  ].join(', ');
}
