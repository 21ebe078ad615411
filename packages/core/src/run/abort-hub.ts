import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type Link, Ring, unlink } from './ring.ts';

/** What an abort ends. Its links belong to the hub. */
export interface Abortable extends Link {
  /** Called once. */
  aborted(reason: unknown): void;
}

/**
 * One listener per signal for everything that waits on it: a listener for each would make removal quadratic. A signal
 * that is used for one call is let go of when that is over. One that is used again is let go of in the next turn of the
 * event loop, if nobody watches it then, so that calls in a row do not add and remove a listener each.
 */
export class AbortHub extends Ring<Abortable> {
  readonly signal: AbortSignal;
  private state: HubState = 'unused';

  constructor(signal: AbortSignal) {
    super();
    this.signal = signal;
  }

  watch(watcher: Abortable): void {
    this.add(watcher);
    if (this.state === 'unused') this.listen('first use');
    else if (this.state === 'idle') this.listen('in use');
  }

  unwatch(watcher: Abortable): void {
    unlink(watcher);
    if (this.oldest !== undefined) return;
    if (this.state === 'first use') this.letGo();
    if (this.state !== 'in use') return;
    this.state = 'leaving';
    systemClock.setTimer(0, () => this.letGo()).hold(false);
  }

  /** The listener's method: the signal has aborted. */
  handleEvent(): void {
    for (let watcher = this.oldest; watcher !== undefined; watcher = this.oldest) {
      unlink(watcher);
      watcher.aborted(this.signal.reason);
    }
    this.letGo();
  }

  private listen(state: HubState): void {
    this.state = state;
    this.signal.addEventListener('abort', this);
  }

  private letGo(): void {
    this.state = this.oldest === undefined ? 'idle' : 'in use';
    if (this.state === 'in use') return;
    if (latest === this) latest = undefined;
    this.signal.removeEventListener('abort', this);
  }
}

/**
 * ```
 * unused ─watch─► first use ─empty─► idle ─watch─► in use ─empty─► leaving
 *                                     ▲              ▲                │ next turn
 *                                     └── empty ─────┴── watched ─────┘
 * ```
 * There is a listener in all but `unused` and `idle`.
 */
type HubState = 'unused' | 'first use' | 'idle' | 'in use' | 'leaving';

const HUB = Symbol('redrive.hub');
let latest: AbortHub | undefined;

/** The hub of a signal. Kept on the signal itself: a WeakMap costs as much as the rest of a call. */
export function abortHubOf(signal: AbortSignal & { [HUB]?: AbortHub }): AbortHub {
  // Calls in a row mostly have the same signal.
  if (latest?.signal === signal) return latest;
  signal[HUB] ??= newHub(signal);
  latest = signal[HUB];
  return latest;
}

/** @throws RedriveError `invalid_option` for what plain JavaScript may pass as a signal. */
function newHub(signal: AbortSignal): AbortHub {
  if (typeof signal.addEventListener !== 'function' || !Object.isExtensible(signal)) {
    throw new RedriveError('invalid_option', 'The signal must be an AbortSignal, and not frozen');
  }
  return new AbortHub(signal);
}
