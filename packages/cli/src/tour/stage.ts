import { styleText } from 'node:util';
import { type Clock, systemClock } from '@redrive/core';

/** Where the tour is shown: what it writes to, how wide that is, whether it has colours, and whose time it is. */
export interface Stage {
  readonly clock: Clock;
  /** Columns that may be used. */
  readonly columns: number;
  /** Time to read before the next scene; 0 where nobody watches. */
  readonly pauseMs: number;
  write(text: string): void;
  paint(colour: Colour, text: string): string;
}

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** Drawings do not get better by being wider than this. */
const MAX_COLUMNS = 100;
const NO_TERMINAL_COLUMNS = 80;
const PAUSE_MS = 500;

/** What the tour needs to know of `process.stdout`. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** The stage on a screen. Colours only on a terminal that has them and was not told otherwise (`NO_COLOR`). */
export function stageOn(screen: Screen, write: (text: string) => void): Stage {
  const isTerminal = screen.isTTY === true;
  const hasColours = isTerminal && screen.hasColors?.() === true;
  return {
    clock: systemClock,
    columns: Math.min((isTerminal && screen.columns) || NO_TERMINAL_COLUMNS, MAX_COLUMNS),
    pauseMs: isTerminal ? PAUSE_MS : 0,
    write,
    paint: (colour, text) =>
      hasColours ? styleText(colour, text, { validateStream: false }) : text,
  };
}

export function print(stage: Stage, ...lines: readonly string[]): void {
  for (const line of lines) stage.write(`${line.trimEnd()}\n`);
}

export function waitMs({ clock }: Stage, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(delayMs, resolve));
}
