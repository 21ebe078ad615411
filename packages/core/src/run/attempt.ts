import { REFUSED } from '../breaker/breaker.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { AttemptContext, FailedOutcome, RetryCounter } from './attempt-context.ts';
import type { Session } from './session.ts';
import { onAbort, setAlarm } from './timer.ts';

/** Something other than the operation ended the attempt, or kept it from starting. */
export interface Cut {
  readonly by: 'abort' | 'timeout' | 'breaker_open';
  readonly reason: unknown;
}

/** One attempt, as the operation sees it. Makes no id, controller or counter unless asked for one. */
export class Attempt<T> implements AttemptContext {
  readonly session: Session<T>;
  readonly attempt: number;
  cut: Cut | undefined;
  /** Of the breaker. */
  permit: number;
  /** By the wall clock and by the monotonic one. Not known of attempts of a plain call. */
  startedAtMs: number;
  startMs: number;
  private controller: AbortController | undefined;

  constructor(session: Session<T>, attempt: number) {
    this.session = session;
    this.attempt = attempt;
    this.cut = undefined;
    this.permit = REFUSED;
    this.startedAtMs = 0;
    this.startMs = 0;
    this.controller = undefined;
  }

  get maxAttempts(): number {
    return this.session.maxAttempts;
  }

  get signal(): AbortSignal {
    const { policy, signal, deadlineMs } = this.session;
    // Where nothing but the caller can end it, the caller's own signal says all there is to say.
    if (signal && policy.attemptTimeoutMs === Infinity && deadlineMs === Infinity) return signal;
    this.controller ??= new AbortController();
    // An attempt that was cut may still be running, and ask for its signal only now.
    this.abortIfCut();
    return this.controller.signal;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get idempotencyKey(): string {
    return this.session.options.idempotencyKey ?? this.session.id;
  }

  get lastOutcome(): FailedOutcome | undefined {
    return this.session.lastFailure?.outcome;
  }

  get retries(): RetryCounter {
    return this.session.retries;
  }

  get inJob(): boolean {
    return this.session.inJob;
  }

  timeLeftMs(): number {
    return this.session.timeLeftMs();
  }

  /** Dates the start. */
  start(): void {
    this.startedAtMs = this.session.clock.now();
    this.startMs = this.session.clock.monotonic();
  }

  /** Says once by what the attempt was cut. Answers with the reason, for the caller to throw. */
  cutBy(by: Cut['by'], reason?: unknown): unknown {
    this.cut ??= { by, reason };
    return reason;
  }

  /** Aborts the operation's signal, where it has one of its own, once the attempt was cut. */
  abortIfCut(): void {
    if (this.cut && this.cut.by !== 'breaker_open') this.controller?.abort(this.cut.reason);
  }
}

/** What an attempt ended with. A value may still count as a failure. */
export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown };

/** Makes an attempt. The operation is called at once, unless it has to queue for the bulkhead. */
export async function make<T>(attempt: Attempt<T>): Promise<Outcome<T>> {
  const { operation, guarded } = attempt.session;
  try {
    return { kind: 'value', value: await (guarded ? makeGuarded(attempt) : operation(attempt)) };
  } catch (error) {
    attempt.abortIfCut();
    return { kind: 'error', error };
  }
}

/** Bulkhead, then breaker, then the operation with its time limits. */
async function makeGuarded<T>(attempt: Attempt<T>): Promise<T> {
  const { session } = attempt;
  const { signal, policy } = session;
  const { bulkhead, breaker } = session.options;
  let holdsSlot = false;
  try {
    attempt.start();
    if (signal?.aborted) throw attempt.cutBy('abort', signal.reason);
    if (session.timeLeftMs() <= 0) throw attempt.cutBy('timeout', timeout(TIME_IS_UP));
    if (bulkhead) {
      if (!bulkhead.tryEnter()) await queue(attempt, bulkhead);
      holdsSlot = true;
      // The caller may have aborted in the moment when the slot came.
      signal?.throwIfAborted();
    }
    if (breaker && policy.enabled) {
      attempt.permit = breaker.admit();
      if (attempt.permit === REFUSED) throw attempt.cutBy('breaker_open');
    }
    session.recorder?.started(attempt);
    const work = () => {
      const value = Promise.resolve(session.operation(attempt));
      if (holdsSlot) {
        // The slot is free when the work has ended, not when somebody stopped waiting for it.
        const leave = () => bulkhead?.leave();
        // An error of `leave` can reach no caller, and as an unhandled rejection it would end the process.
        value.then(leave, leave).catch(() => {});
        holdsSlot = false;
      }
      return value;
    };
    return await untilCut(attempt, work, policy.attemptTimeoutMs);
  } finally {
    if (holdsSlot) bulkhead?.leave();
  }
}

/** Waits for a slot. The attempt's own time starts with the operation; the session's deadline holds here too. */
async function queue<T>(attempt: Attempt<T>, bulkhead: Bulkhead): Promise<void> {
  const enter = async () => {
    await bulkhead.enter(attempt.signal);
    if (attempt.cut) bulkhead.leave();
  };
  await untilCut(attempt, enter, Infinity);
  attempt.start();
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
    let stopListening: (() => void) | undefined;
    let cancelTimer: (() => void) | undefined;
    const stop = () => {
      stopListening?.();
      cancelTimer?.();
    };
    const cut = (by: Cut['by'], reason: unknown) => {
      stop();
      reject(attempt.cutBy(by, reason));
    };
    if (limitMs !== Infinity) {
      cancelTimer = setAlarm(clock, limitMs, session.options.unref, () => {
        const late = leftMs <= timeoutMs;
        // Also by a fake timer, whose clock does not run.
        if (late) session.deadlineMs = Math.min(session.deadlineMs, clock.monotonic());
        cut('timeout', timeout(late ? TIME_IS_UP : `The attempt took longer than ${timeoutMs} ms`));
      });
    }
    if (signal) {
      stopListening = onAbort(signal, () => {
        cut('abort', signal.reason);
        // At once: the code that has aborted may be the operation, and may read its signal in the next line.
        attempt.abortIfCut();
      });
    }
    // `async`, so that an error which is thrown at once is a rejection like any other.
    const started = async () => await work();
    started().finally(stop).then(resolve, reject);
  });
}

const TIME_IS_UP = 'The time of the session is up';

function timeout(message: string): RedriveError {
  return new RedriveError('attempt_timeout', message);
}
