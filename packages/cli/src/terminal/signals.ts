import type { Clock } from '@redrive/core';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** The signals that ask a process to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The effect of Ctrl-C on a command that does not handle signals itself. */
export function exitOnInterrupt(): void {
  process.exit(EXIT.interrupted);
}

/** Takes the signals of this process until the returned function is called: then Ctrl-C ends it at once again. */
export function takeSignals(listener: (signal: StopSignal) => void): () => void {
  process.off('SIGINT', exitOnInterrupt);
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGTERM', listener);
    process.off('SIGINT', listener);
    process.on('SIGINT', exitOnInterrupt);
  };
}

/** Runs something that Ctrl-C ends early: the signal is aborted, and the command says what it has done. */
export async function untilStopped<T>(
  { takeSignals: take }: Pick<Io, 'takeSignals'>,
  run: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const release = take(() => stop.abort());
  try {
    return await run(stop.signal);
  } finally {
    release();
  }
}

/** Waits, or until somebody has had enough. */
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
