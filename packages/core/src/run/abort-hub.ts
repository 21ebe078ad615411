import { systemClock } from '../clock/system-clock.ts';
import { Link, Ring, unlink } from './ring.ts';

/** What an abort ends. */
export interface Abortable {
  /** Called once. */
  aborted(reason: unknown): void;
}

/** A running watch over a signal. */
export class AbortWatch extends Link {
  readonly abortable: Abortable;

  constructor(abortable: Abortable) {
    super();
    this.abortable = abortable;
  }
}

/**
 * One listener per signal for everything that waits on it. A listener for each would make removal quadratic, and calls
 * that follow one another on a long-lived signal would add and remove one each: the hub lets go of its signal in the
 * next turn of the event loop, if nobody watches it then.
 */
export class AbortHub {
  readonly signal: AbortSignal;
  private readonly watches = new Ring<AbortWatch>();
  private listening = false;
  private leaving = false;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  watch(abortable: Abortable): AbortWatch {
    const watch = new AbortWatch(abortable);
    this.watches.add(watch);
    if (!this.listening) {
      this.listening = true;
      this.signal.addEventListener('abort', this.onAbort);
    }
    return watch;
  }

  unwatch(watch: AbortWatch): void {
    unlink(watch);
    if (this.leaving || this.watches.oldest !== undefined) return;
    this.leaving = true;
    systemClock.setTimer(0, this.letGo).hold(false);
  }

  private readonly onAbort = (): void => {
    for (let watch = this.watches.oldest; watch !== undefined; watch = this.watches.oldest) {
      this.unwatch(watch);
      watch.abortable.aborted(this.signal.reason);
    }
  };

  private readonly letGo = (): void => {
    this.leaving = false;
    if (this.watches.oldest !== undefined) return;
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
