import { REFUSED } from '../breaker/breaker.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import { untilAlarm } from '../clock/alarm.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { Attempt } from './session.ts';

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

/** Runs the operation within its limits of time. Has a slot, where there is a bulkhead. */
function admitted<T>(attempt: Attempt<T>): Promise<T> {
  const { policy, options } = attempt.session;
  const { bulkhead } = options;
  const work = bulkhead ? () => inSlot(attempt, bulkhead) : () => perform(attempt);
  return untilCut(attempt, work, policy.attemptTimeoutMs);
}

/** The slot is free when the work has ended, not when somebody stopped waiting for it. */
function inSlot<T>(attempt: Attempt<T>, bulkhead: Bulkhead): Promise<T> {
  let work: Promise<T>;
  try {
    work = perform(attempt);
  } catch (error) {
    bulkhead.leave();
    throw error;
  }
  const leave = () => bulkhead.leave();
  // An error of `leave` can reach no caller, and as an unhandled rejection it would end the process.
  work.then(leave, leave).catch(() => {});
  return work;
}

/** Asks the breaker, and calls the operation. */
function perform<T>(attempt: Attempt<T>): Promise<T> {
  const { policy, signal, recorder, options, operation } = attempt.session;
  // The caller may have aborted in the moment when the slot came.
  signal?.throwIfAborted();
  if (options.breaker && policy.enabled) {
    attempt.permit = options.breaker.admit();
    if (attempt.permit === REFUSED) throw attempt.cutBy('breaker_open');
  }
  recorder?.started(attempt);
  return Promise.resolve(operation(attempt));
}

/** Starts the work: its result, or the reason of the signal or the time limit which cuts it. */
function untilCut<T, R>(
  attempt: Attempt<T>,
  work: () => Promise<R>,
  timeoutMs: number,
): Promise<R> {
  const { session } = attempt;
  const { signal, clock, options } = session;
  const leftMs = session.timeLeftMs();
  const limitMs = Math.max(1, Math.min(timeoutMs, leftMs));
  if (!signal && limitMs === Infinity) return work();
  // A promise, so that the rest runs in the async context of the caller and not in that of the timer or abort.
  return untilAlarm(clock, limitMs, options.unref, signal, work, () => {
    if (signal?.aborted) {
      attempt.cutBy('abort', signal.reason);
      // At once: the code that has aborted may be the operation, and may read its signal in the next line.
      attempt.abortIfCut();
      return signal.reason;
    }
    const late = leftMs <= timeoutMs;
    // Also by a fake timer, whose clock does not run.
    if (late) session.deadlineMs = clock.monotonic();
    const text = late ? TIME_IS_UP : `The attempt took longer than ${timeoutMs} ms`;
    return attempt.cutBy('timeout', timeout(text));
  });
}

const TIME_IS_UP = 'The time of the session is up';

function timeout(message: string): RedriveError {
  return new RedriveError('attempt_timeout', message);
}
