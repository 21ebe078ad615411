import { type Clock, MAX_TIMER_MS, type Timer } from './clock.ts';

/** How early a timer may fire: a clock promises one millisecond, and two clocks may round differently. */
const EARLY_MS = 2;

/**
 * Calls `ring` once: `delayMs` after `startMs` and never earlier. A timer of its own for each: no timer outlives its
 * user, so that fake timers which a test leaves behind, or a host that freezes timers between requests, can stop no other
 * call. `keep` gets each timer, where it may have to be cancelled.
 */
function arm(
  clock: Clock,
  startMs: number,
  delayMs: number,
  leftMs: number,
  unref: boolean | undefined,
  ring: () => void,
  keep?: (timer: Timer) => void,
): void {
  const timer = clock.setTimer(Math.min(Math.ceil(leftMs), MAX_TIMER_MS), () => {
    // A difference, as a caller measures it: the sum of start and delay may be rounded to a moment too early.
    const earlyMs = delayMs - (clock.monotonic() - startMs);
    // Timers beyond 2^31 ms are chained. A timer that fires much too early is a fake one: its clock does not run.
    if (earlyMs > 0 && (earlyMs <= EARLY_MS || leftMs > MAX_TIMER_MS)) {
      arm(clock, startMs, delayMs, earlyMs, unref, ring, keep);
    } else ring();
  });
  if (unref) timer.hold(false);
  keep?.(timer);
}

/**
 * Calls `ring` once: `delayMs` from now and never earlier (`Infinity`: never), or as soon as the signal aborts. `unref`:
 * the timer does not keep a Node process alive.
 */
export class Alarm {
  readonly #signal: AbortSignal | undefined;
  readonly #ring: () => void;
  #timer: Timer | undefined;

  constructor(
    clock: Clock,
    delayMs: number,
    unref: boolean | undefined,
    signal: AbortSignal | undefined,
    ring: () => void,
  ) {
    this.#signal = signal;
    this.#ring = ring;
    if (signal?.aborted) {
      ring();
      return;
    }
    if (delayMs < Infinity) {
      const keep = (timer: Timer) => {
        this.#timer = timer;
      };
      arm(clock, clock.monotonic(), delayMs, delayMs, unref, () => this.ring(), keep);
    }
    if (signal) listen(signal, this);
  }

  /** The time is over, or the signal has aborted. */
  ring(): void {
    this.cancel();
    this.#ring();
  }

  cancel(): void {
    this.#timer?.cancel();
    if (this.#signal) stopListening(this.#signal, this);
  }
}

/** Waits. The signal ends the wait early; the caller looks at it afterwards. */
export function pause(
  clock: Clock,
  delayMs: number,
  unref?: boolean,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    // A wait that nothing ends early keeps no alarm.
    if (signal) new Alarm(clock, delayMs, unref, signal, resolve);
    else arm(clock, clock.monotonic(), delayMs, delayMs, unref, resolve);
  });
}

/** Starts the work. Its outcome, or a rejection with the answer of `cut` when the time is over or the signal aborts. */
export function untilAlarm<R>(
  clock: Clock,
  delayMs: number,
  unref: boolean | undefined,
  signal: AbortSignal | undefined,
  work: () => R | PromiseLike<R>,
  cut: () => unknown,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const alarm = new Alarm(clock, delayMs, unref, signal, () => reject(cut()));
    const fail = (error: unknown) => {
      alarm.cancel();
      reject(error);
    };
    try {
      Promise.resolve(work()).then((value) => {
        alarm.cancel();
        resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** The one event listener of a signal: rings all alarms that listen on it. */
class Listeners extends Set<Alarm> {
  handleEvent(): void {
    for (const alarm of this) alarm.ring();
  }
}

/** Kept on the signal itself: a new signal for each call makes a weak map cost more than the rest of the call. */
const LISTENERS = Symbol('redrive');

type ListenedSignal = AbortSignal & { [LISTENERS]?: Listeners };

/**
 * All alarms on one signal share one event listener: a signal that ends a whole process has many thousands of calls on
 * it, and an event target walks through all its listeners to add or remove one.
 */
function listen(signal: ListenedSignal, alarm: Alarm): void {
  signal[LISTENERS] ??= new Listeners();
  const all = signal[LISTENERS];
  if (all.size === 0) signal.addEventListener('abort', all);
  all.add(alarm);
}

function stopListening(signal: ListenedSignal, alarm: Alarm): void {
  const all = signal[LISTENERS];
  if (all?.delete(alarm) && all.size === 0) signal.removeEventListener('abort', all);
}
