import type { FullStore } from '@redrive/durable';
import { settle } from '../../settle.ts';
import type { VirtualClock } from '../../virtual-clock.ts';

export interface WatchedStore {
  /** The same store. */
  readonly store: FullStore;
  /** Moves time by `ms`, timer by timer, and lets the store answer before each of them. */
  pass(ms: number): Promise<void>;
}

/**
 * An answer that waits for a timer of its own does not come by waiting for it. Enough looks for a server that is slow for a
 * moment: after 100 of them, which take less than 120 ms, time went on while it was still at work.
 */
const LOOKS = 5_000;

/**
 * A worker in virtual time on a store that needs real time to answer: time stands still while the store is at work, so a
 * test sees the same as on a store in memory.
 */
export function watchedStore(inner: FullStore, clock: VirtualClock): WatchedStore {
  let unanswered = 0;
  const store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args);
        if (!(answer instanceof Promise)) return answer;
        unanswered += 1;
        const answered = () => {
          unanswered -= 1;
        };
        answer.then(answered, answered);
        return answer;
      };
    },
  });

  async function quiet(): Promise<void> {
    await settle();
    for (let looks = 0; unanswered > 0 && looks < LOOKS; looks += 1) {
      await inner.job('-');
      await settle();
    }
  }

  return {
    store,
    async pass(ms) {
      const untilMs = clock.monotonic() + ms;
      for (;;) {
        await quiet();
        const leftMs = untilMs - clock.monotonic();
        const nextMs = clock.nextTimerInMs ?? Infinity;
        clock.tick(Math.min(leftMs, nextMs));
        if (nextMs > leftMs) return quiet();
      }
    },
  };
}
