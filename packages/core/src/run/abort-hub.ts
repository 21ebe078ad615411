import { systemClock } from '../clock/system-clock.ts';
import { type Link, Ring, unlink } from './ring.ts';

/** What an abort ends. Its links belong to the hub. */
export interface Abortable extends Link {
  /** Called once. */
  aborted(reason: unknown): void;
}

/**
 * One listener per signal for everything that waits on it. A listener for each would make removal quadratic, and calls
 * that follow one another on a long-lived signal would add and remove one each: the hub lets go of its signal in the
 * next turn of the event loop, if nobody watches it then.
 */
export class AbortHub {
  readonly signal: AbortSignal;
  private readonly watchers = new Ring<Abortable>();
  private listening = false;
  private leaving = false;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  watch(watcher: Abortable): void {
    this.watchers.add(watcher);
    if (this.listening) return;
    this.listening = true;
    this.signal.addEventListener('abort', this.onAbort);
  }

  unwatch(watcher: Abortable): void {
    unlink(watcher);
    if (this.leaving || this.watchers.oldest !== undefined) return;
    this.leaving = true;
    systemClock.setTimer(0, this.letGo).hold(false);
  }

  private readonly onAbort = (): void => {
    for (let watcher = this.watchers.oldest; watcher; watcher = this.watchers.oldest) {
      this.unwatch(watcher);
      watcher.aborted(this.signal.reason);
    }
  };

  private readonly letGo = (): void => {
    this.leaving = false;
    if (this.watchers.oldest !== undefined) return;
    this.listening = false;
    if (latest === this) latest = undefined;
    this.signal.removeEventListener('abort', this.onAbort);
  };
}

const hubs = new WeakMap<AbortSignal, AbortHub>();
let latest: AbortHub | undefined;

/** The hub of a signal. */
export function abortHubOf(signal: AbortSignal): AbortHub {
  // Calls in a row mostly have the same signal.
  if (latest?.signal === signal) return latest;
  latest = hubs.get(signal) ?? new AbortHub(signal);
  hubs.set(signal, latest);
  return latest;
}
