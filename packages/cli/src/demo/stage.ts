import { type Clock, systemClock } from '@redrive/core';
import type { Screen } from '../terminal/screen.ts';

/** Where the tour is shown: what it writes to, how wide that is, whether it has colours, and whose time it is. */
export interface Stage extends Pick<Screen, 'columns' | 'paint'> {
  readonly clock: Clock;
  /** Time to read before the next scene; 0 where nobody watches. */
  readonly pauseMs: number;
  write(text: string): void;
}

/** Drawings do not get better by being wider than this. */
const MAX_COLUMNS = 100;
const PAUSE_MS = 500;

/** The stage on a screen: pauses only where somebody watches. */
export function stageOn(screen: Screen, write: (text: string) => void): Stage {
  return {
    clock: systemClock,
    columns: Math.min(screen.columns, MAX_COLUMNS),
    pauseMs: screen.isTerminal ? PAUSE_MS : 0,
    write,
    paint: screen.paint,
  };
}

export function print(stage: Stage, ...lines: readonly string[]): void {
  for (const line of lines) stage.write(`${line.trimEnd()}\n`);
}

export function waitMs({ clock }: Stage, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(delayMs, resolve));
}
