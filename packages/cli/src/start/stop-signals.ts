import type { Clock } from '@redrive/core';
import type { Io } from '../terminal/io.ts';

/** The wish to stop, as signals bring it. */
export interface StopSignals {
  /** Resolves at the first signal: finish what runs. */
  readonly first: Promise<'signal'>;
  /** Resolves at the second one: now. */
  readonly second: Promise<'signal'>;
  /** Gives the signals back. */
  release(): void;
}

/** One Ctrl-C comes twice where npm stands in between: from the terminal, and passed on by npm. */
const SAME_KEY_MS = 300;

/** Takes SIGINT and SIGTERM. A third one ends the process at once, by `onThird`. */
export function stopSignals(
  io: Pick<Io, 'takeSignals'>,
  clock: Clock,
  onThird: () => void,
): StopSignals {
  const first = Promise.withResolvers<'signal'>();
  const second = Promise.withResolvers<'signal'>();
  let received = 0;
  let pressedAtMs = -Infinity;
  const release = io.takeSignals((signal) => {
    if (signal === 'SIGINT') {
      const nowMs = clock.monotonic();
      if (nowMs - pressedAtMs < SAME_KEY_MS) return;
      pressedAtMs = nowMs;
    }
    received += 1;
    if (received === 1) first.resolve('signal');
    else if (received === 2) second.resolve('signal');
    else onThird();
  });
  return { first: first.promise, second: second.promise, release };
}
