import { getEventListeners } from 'node:events';
import { settle } from './settle.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * Fails if a timer is still pending: something waits that nobody waits for any more.
 *
 * @throws Error with their number and when the next one is due.
 */
export function expectNoTimers(clock: VirtualClock): void {
  const { pendingTimers, nextTimerInMs } = clock;
  if (pendingTimers > 0) {
    throw new Error(`${pendingTimers} timer(s) left behind, the next due in ${nextTimerInMs} ms`);
  }
}

/** How many listeners wait for the signal's abort. Read it before and after: the difference has leaked. */
export function countAbortListeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

/** Watches for promises that reject unheard. */
export interface UnhandledRejections {
  /** The reasons seen until now. Lets pending promise reactions run first, as Node does before it complains. */
  seen(): Promise<readonly unknown[]>;
  /** Stops watching and puts back the handlers that were there before. */
  stop(): void;
}

/**
 * Collects unhandled rejections in place of other handlers (Node would end the process, a test runner
 * would fail the run): check what was `seen()`, then `stop()`, in a `finally`.
 */
export function trackUnhandledRejections(): UnhandledRejections {
  const reasons: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  const note = (reason: unknown): void => {
    reasons.push(reason);
  };
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  return {
    async seen() {
      await settle();
      return [...reasons];
    },
    stop() {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
      others.length = 0;
    },
  };
}
