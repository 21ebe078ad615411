import { type Abortable, abortHubOf } from './abort-hub.ts';
import type { Link } from './ring.ts';
import type { WakeUp, WakeUps } from './wake-ups.ts';

/** A wait that a signal can end. */
class AbortableWait implements Abortable {
  before: Link;
  after: Link;
  private readonly wakeUps: WakeUps;
  private readonly wakeUp: WakeUp;
  private readonly reject: (reason: unknown) => void;

  constructor(wakeUps: WakeUps, wakeUp: WakeUp, reject: (reason: unknown) => void) {
    this.before = this;
    this.after = this;
    this.wakeUps = wakeUps;
    this.wakeUp = wakeUp;
    this.reject = reject;
  }

  aborted(reason: unknown): void {
    this.wakeUps.leave(this.wakeUp);
    this.reject(reason);
  }
}

/** Waits `delayMs`. Rejects with the signal's reason as soon as that aborts, or at once if it has. */
export function waitOrAbort(wakeUps: WakeUps, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // Whoever ended the attempt may have aborted too, and an aborted signal does not say so again.
    signal.throwIfAborted();
    const wakeUp = wakeUps.join(delayMs);
    const hub = abortHubOf(signal);
    const wait = new AbortableWait(wakeUps, wakeUp, reject);
    hub.watch(wait);
    void wakeUp.promise.then(() => {
      hub.unwatch(wait);
      resolve();
    });
  });
}
