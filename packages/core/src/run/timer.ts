import { type Clock, MAX_TIMER_MS, type Timer } from '../clock/clock.ts';
import { onAbort } from './abort.ts';

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
  return new Promise((resolve) => {
    const cancel = setAlarm(clock, delayMs, unref, () => {
      stopListening?.();
      resolve();
    });
    const stopListening =
      signal &&
      onAbort(signal, () => {
        cancel();
        resolve();
      });
  });
}
