import { type Clock, systemClock } from '@redrive/core';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** One Ctrl-C comes twice where npm stands in between: from the terminal, and passed on by npm. */
const SAME_KEY_MS = 300;

/** Takes SIGINT and SIGTERM: the first signal calls the first of `steps`, and so on. Returns how to release them. */
export function onSignals(
  { takeSignals, clock = systemClock }: Pick<Io, 'takeSignals' | 'clock'>,
  steps: readonly (() => void)[],
): () => void {
  let received = 0;
  let pressedAtMs = -Infinity;
  return takeSignals((signal) => {
    if (signal === 'SIGINT') {
      const nowMs = clock.monotonic();
      if (nowMs - pressedAtMs < SAME_KEY_MS) return;
      pressedAtMs = nowMs;
    }
    steps[received]?.();
    received += 1;
  });
}

/**
 * Runs something that Ctrl-C ends early: the signal is aborted, and the command prints its results so far. A second
 * Ctrl-C ends the process at once.
 */
export async function untilStopped<T>(
  io: Pick<Io, 'takeSignals' | 'clock' | 'exit'>,
  run: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const release = onSignals(io, [() => stop.abort(), () => io.exit(EXIT.interrupted)]);
  try {
    return await run(stop.signal);
  } finally {
    release();
  }
}

/** Waits for this time, or until the signal. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.setTimer(Math.max(0, delayMs), end);
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
