/** Something that an abort ends. The fields belong to its `AbortHub`. */
export interface AbortEntry {
  abortHub: AbortHub | undefined;
  abortBefore: AbortEntry | undefined;
  abortAfter: AbortEntry | undefined;
  /** Called once when the signal aborts. */
  aborted(reason: unknown): void;
}

/** How many rounds of promise reactions a hub stays empty before it lets go of its signal. */
const IDLE_ROUNDS = 4;

const settled = /* @__PURE__ */ Promise.resolve();

/**
 * One listener per signal for everything that waits on it. A listener for each would make removal quadratic, and calls
 * that follow one another on a long-lived signal would add and remove one each: the hub lets go only when it has been
 * empty for a few rounds of reactions, which is still before the event loop turns.
 */
export class AbortHub {
  private readonly signal: AbortSignal;
  private newest: AbortEntry | undefined = undefined;
  private listening = false;
  private idleRounds = -1;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  add(entry: AbortEntry): void {
    entry.abortHub = this;
    entry.abortBefore = this.newest;
    if (this.newest !== undefined) this.newest.abortAfter = entry;
    this.newest = entry;
    if (!this.listening) {
      this.listening = true;
      this.signal.addEventListener('abort', this.onAbort, { once: true });
    }
  }

  remove(entry: AbortEntry): void {
    const { abortBefore: before, abortAfter: after } = entry;
    if (before !== undefined) before.abortAfter = after;
    if (after !== undefined) after.abortBefore = before;
    else this.newest = before;
    entry.abortHub = undefined;
    entry.abortBefore = undefined;
    entry.abortAfter = undefined;
    if (this.newest === undefined && this.idleRounds < 0) {
      this.idleRounds = 0;
      void settled.then(this.whenIdle);
    }
  }

  private readonly onAbort = (): void => {
    this.listening = false;
    while (this.newest !== undefined) {
      const entry = this.newest;
      this.remove(entry);
      entry.aborted(this.signal.reason);
    }
  };

  private readonly whenIdle = (): void => {
    if (this.newest !== undefined) {
      this.idleRounds = -1;
    } else if (++this.idleRounds < IDLE_ROUNDS) {
      void settled.then(this.whenIdle);
    } else {
      this.idleRounds = -1;
      this.listening = false;
      this.signal.removeEventListener('abort', this.onAbort);
    }
  };
}

const hubs = new WeakMap<AbortSignal, AbortHub>();

/** The hub of a signal. */
export function abortHubOf(signal: AbortSignal): AbortHub {
  let hub = hubs.get(signal);
  if (hub === undefined) {
    hub = new AbortHub(signal);
    hubs.set(signal, hub);
  }
  return hub;
}
