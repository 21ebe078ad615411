import { systemClock } from '@redrive/core';
import type { Io } from './io.ts';
import { fit } from './table.ts';
import { formatDuration } from './times.ts';

/** How far a long command is. */
export interface Progress {
  /** `fraction`: how much of all that is, 0 to 1, where it is known or can be guessed. */
  update(done: number, fraction?: number): void;
  /** Takes the line away. */
  end(): void;
}

const EVERY_MS = 200;
/** Less says nothing about the rest. */
const MIN_FRACTION = 0.01;

/**
 * One line on stderr that is written over and over: how many, how fast, and how long it takes from here. Only on a
 * terminal.
 *
 * @param noun what is counted: `dead letters`.
 */
export function progress(io: Io, noun: string): Progress {
  if (!io.errorScreen.isTerminal || io.quiet)
    return { update: () => undefined, end: () => undefined };
  const clock = io.clock ?? systemClock;
  const startMs = clock.monotonic();
  let shownMs = startMs;
  let isShown = false;
  return {
    update(done, fraction) {
      const nowMs = clock.monotonic();
      if (nowMs - shownMs < EVERY_MS) return;
      shownMs = nowMs;
      isShown = true;
      const line = progressText(noun, done, nowMs - startMs, fraction);
      io.stderr(`\r${fit(line, io.errorScreen.columns - 1)}`);
    },
    end() {
      if (isShown) io.stderr(`\r${' '.repeat(io.errorScreen.columns - 1)}\r`);
    },
  };
}

/** `4,812 dead letters, 38 %, 1,203 a second, 6 s left` */
export function progressText(
  noun: string,
  done: number,
  elapsedMs: number,
  fraction: number | undefined,
): string {
  const rate = elapsedMs > 0 ? Math.round((done * 1_000) / elapsedMs) : 0;
  const parts = [`${done.toLocaleString('en')} ${noun}`];
  const known = fraction !== undefined && fraction >= MIN_FRACTION && fraction <= 1;
  if (known) parts.push(`${Math.floor(fraction * 100)} %`);
  parts.push(`${rate.toLocaleString('en')} a second`);
  if (known) {
    const leftMs = (elapsedMs * (1 - fraction)) / fraction;
    parts.push(`${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left`);
  }
  return parts.join(', ');
}
