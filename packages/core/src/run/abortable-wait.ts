import { type Abortable, type AbortHub, abortHubOf } from './abort-hub.ts';
import { newPromise, rejectLast, resolveLast } from './new-promise.ts';
import type { Link } from './ring.ts';
import type { WakeUp, WakeUps } from './wake-ups.ts';

/** A wait that a signal can end: then it rejects with the signal's reason, or at once where that has aborted already. */
export class AbortableWait implements Abortable {
  before: Link;
  after: Link;
  readonly over: Promise<void>;
  private readonly hub: AbortHub;
  private readonly wakeUps: WakeUps;
  private readonly wakeUp: WakeUp;
  private readonly reject: (reason: unknown) => void;

  constructor(wakeUps: WakeUps, delayMs: number, signal: AbortSignal) {
    this.before = this;
    this.after = this;
    this.over = newPromise();
    const resolve: () => void = resolveLast;
    this.reject = rejectLast;
    this.hub = abortHubOf(signal);
    this.wakeUps = wakeUps;
    this.wakeUp = wakeUps.join(delayMs);
    if (signal.aborted) {
      this.aborted(signal.reason);
    } else {
      this.hub.watch(this);
      void this.wakeUp.promise.then(() => {
        this.hub.unwatch(this);
        resolve();
      });
    }
  }

  aborted(reason: unknown): void {
    this.wakeUps.leave(this.wakeUp);
    this.reject(reason);
  }
}
