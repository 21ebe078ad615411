import { type Abortable, abortHubOf } from './abort-hub.ts';
import type { WakeUp, WakeUps } from './wake-ups.ts';

/** A wait that a signal can end. */
class AbortableWait implements Abortable {
  private readonly wakeUps: WakeUps;
  private readonly wakeUp: WakeUp;
  private readonly reject: (reason: unknown) => void;

  constructor(wakeUps: WakeUps, wakeUp: WakeUp, reject: (reason: unknown) => void) {
    this.wakeUps = wakeUps;
    this.wakeUp = wakeUp;
    this.reject = reject;
  }

  aborted(reason: unknown): void {
    this.wakeUps.leave(this.wakeUp);
    this.reject(reason);
  }
}

/** Waits `delayMs`. Rejects with the signal's reason as soon as that aborts. */
export function waitOrAbort(
  wakeUps: WakeUps,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wakeUp = wakeUps.join(delayMs);
  if (signal === undefined) return wakeUp.promise;
  return new Promise((resolve, reject) => {
    const hub = abortHubOf(signal);
    const watch = hub.watch(new AbortableWait(wakeUps, wakeUp, reject));
    void wakeUp.promise.then(() => {
      hub.unwatch(watch);
      resolve();
    });
  });
}
