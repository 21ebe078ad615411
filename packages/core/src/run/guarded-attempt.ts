import { REFUSED } from '../breaker/breaker.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { Attempt } from './session.ts';
import { onAbort, setAlarm } from './timer.ts';

/**
 * Makes an attempt behind its guards: bulkhead, then breaker, then the operation with its time limits.
 *
 * @throws what keeps the attempt from starting.
 */
export function guardedAttempt<T>(attempt: Attempt<T>): Promise<T> {
  const { session } = attempt;
  const { signal, options } = session;
  attempt.start();
  if (signal?.aborted) throw attempt.cutBy('abort', signal.reason);
  if (session.timeLeftMs() <= 0) throw attempt.cutBy('timeout', timeout(TIME_IS_UP));
  const { bulkhead } = options;
  return !bulkhead || bulkhead.tryEnter() ? admitted(attempt) : queue(attempt, bulkhead);
}

/** Waits for a slot. The attempt's own time starts with the operation; the session's deadline holds here too. */
async function queue<T>(attempt: Attempt<T>, bulkhead: Bulkhead): Promise<T> {
  const enter = async () => {
    await bulkhead.enter(attempt.signal);
    if (attempt.cut) bulkhead.leave();
  };
  await untilCut(attempt, enter, Infinity);
  attempt.start();
  return admitted(attempt);
}

/** Asks the breaker, and runs the operation within its limits of time. Has a slot, where there is a bulkhead. */
function admitted<T>(attempt: Attempt<T>): Promise<T> {
  const { session } = attempt;
  const { policy, signal, recorder } = session;
  const { bulkhead, breaker } = session.options;
  let isRunning = false;
  try {
    // The caller may have aborted in the moment when the slot came.
    signal?.throwIfAborted();
    if (breaker && policy.enabled) {
      attempt.permit = breaker.admit();
      if (attempt.permit === REFUSED) throw attempt.cutBy('breaker_open');
    }
    recorder?.started(attempt);
    const start = () => {
      const work = Promise.resolve(session.operation(attempt));
      isRunning = true;
      if (bulkhead) {
        // The slot is free when the work has ended, not when somebody stopped waiting for it.
        const leave = () => bulkhead.leave();
        // An error of `leave` can reach no caller, and as an unhandled rejection it would end the process.
        work.then(leave, leave).catch(() => {});
      }
      return work;
    };
    return untilCut(attempt, start, policy.attemptTimeoutMs);
  } finally {
    if (!isRunning) bulkhead?.leave();
  }
}

/** Starts the work: its result, or the reason of the signal or the time limit which cuts it. */
function untilCut<T, R>(
  attempt: Attempt<T>,
  work: () => Promise<R>,
  timeoutMs: number,
): Promise<R> {
  const { session } = attempt;
  const { signal, clock } = session;
  const leftMs = session.timeLeftMs();
  const limitMs = Math.max(1, Math.min(timeoutMs, leftMs));
  if (!signal && limitMs === Infinity) return work();
  // Settling a promise, so that the rest runs in the async context of the caller and not in that of the timer or abort.
  return new Promise((resolve, reject) => {
    let stopTimer: (() => void) | undefined;
    let stopListening: (() => void) | undefined;
    const end = () => {
      stopTimer?.();
      stopListening?.();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    if (limitMs !== Infinity) {
      stopTimer = setAlarm(clock, limitMs, session.options.unref, () => {
        const late = leftMs <= timeoutMs;
        // Also by a fake timer, whose clock does not run.
        if (late) session.deadlineMs = Math.min(session.deadlineMs, clock.monotonic());
        const text = late ? TIME_IS_UP : `The attempt took longer than ${timeoutMs} ms`;
        fail(attempt.cutBy('timeout', timeout(text)));
      });
    }
    if (signal) {
      stopListening = onAbort(signal, () => {
        fail(attempt.cutBy('abort', signal.reason));
        // At once: the code that has aborted may be the operation, and may read its signal in the next line.
        attempt.abortIfCut();
      });
    }
    try {
      work().then((value) => {
        end();
        resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

const TIME_IS_UP = 'The time of the session is up';

function timeout(message: string): RedriveError {
  return new RedriveError('attempt_timeout', message);
}
