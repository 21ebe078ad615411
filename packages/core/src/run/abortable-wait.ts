import type { ErrorClass } from '../classify/classification.ts';
import { type Abortable, abortHubOf } from './abort-hub.ts';
import type { Link } from './ring.ts';
import type { WakeUp, WakeUps } from './wake-ups.ts';

/** Who waits. Told of exactly one of the two. */
export interface Waiting {
  afterWait(): void;
  abortedInWait(reason: unknown, waitedFor: ErrorClass): void;
}

/** A wait that a signal can end, at once where the signal has aborted already. */
export class AbortableWait implements Abortable {
  before: Link;
  after: Link;
  private readonly waiting: Waiting;
  private readonly waitedFor: ErrorClass;
  private readonly wakeUps: WakeUps;
  private readonly wakeUp: WakeUp;

  constructor(waiting: Waiting, waitedFor: ErrorClass, wakeUps: WakeUps, delayMs: number) {
    this.before = this;
    this.after = this;
    this.waiting = waiting;
    this.waitedFor = waitedFor;
    this.wakeUps = wakeUps;
    this.wakeUp = wakeUps.join(delayMs);
  }

  start(signal: AbortSignal): void {
    if (signal.aborted) {
      this.aborted(signal.reason);
      return;
    }
    const hub = abortHubOf(signal);
    hub.watch(this);
    void this.wakeUp.promise.then(() => {
      // Out of the ring: it was aborted, and the wake-up happened for others.
      if (this.after === this) return;
      hub.unwatch(this);
      this.waiting.afterWait();
    });
  }

  aborted(reason: unknown): void {
    this.wakeUps.leave(this.wakeUp);
    this.waiting.abortedInWait(reason, this.waitedFor);
  }
}
