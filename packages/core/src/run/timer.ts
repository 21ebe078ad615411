import { type Clock, MAX_TIMER_MS, type Timer } from '../clock/clock.ts';

/** How early a timer may fire: a clock promises one millisecond, and two clocks may round differently. */
const EARLY_MS = 2;

/**
 * Calls `ring` once, `delayMs` from now and never earlier, in a timer of its own: no timer outlives its user, so that
 * fake timers which a test leaves behind, or a host that freezes timers between requests, can stop no other call.
 * Answers with a function that cancels it. `unref`: the timer does not keep a Node process alive.
 */
export function setAlarm(
  clock: Clock,
  delayMs: number,
  unref: boolean | undefined,
  ring: () => void,
): () => void {
  const startMs = clock.monotonic();
  let timer: Timer;
  const arm = (leftMs: number) => {
    timer = clock.setTimer(Math.min(Math.ceil(leftMs), MAX_TIMER_MS), () => {
      // A difference, as a caller measures it: the sum of start and delay may be rounded to a moment too early.
      const earlyMs = delayMs - (clock.monotonic() - startMs);
      // Timers beyond 2^31 ms are chained. A timer that fires much too early is a fake one: its clock does not run.
      if (earlyMs > 0 && (earlyMs <= EARLY_MS || leftMs > MAX_TIMER_MS)) arm(earlyMs);
      else ring();
    });
    if (unref) timer.hold(false);
  };
  arm(delayMs);
  return () => timer.cancel();
}

/** Waits. The signal ends the wait early; the caller looks at it afterwards. */
export function pause(
  clock: Clock,
  delayMs: number,
  unref: boolean | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!signal) return new Promise((resolve) => void setAlarm(clock, delayMs, unref, resolve));
  return new Promise((resolve) => {
    const cancel = setAlarm(clock, delayMs, unref, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      cancel();
      resolve();
    });
  });
}

/** The one event listener of a signal: calls all functions that wait for it. */
class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
    this.clear();
  }
}

const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` once the signal has aborted, at once where it has already. Answers with a function that stops
 * listening.
 *
 * All that listen on one signal share one event listener: a signal that ends a whole process has many thousands of calls
 * on it, and an event target walks through all its listeners to add or remove one.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const all = listeners.get(signal) ?? new Listeners();
  if (all.size === 0) {
    listeners.set(signal, all);
    signal.addEventListener('abort', all, { once: true });
  }
  all.add(listener);
  return () => {
    if (all.delete(listener) && all.size === 0) signal.removeEventListener('abort', all);
  };
}
