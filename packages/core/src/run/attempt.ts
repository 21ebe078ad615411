import { REFUSED } from '../breaker/breaker.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import type { ResultAnswer } from '../classify/classification.ts';
import { understood } from '../classify/understood.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { acceptEveryValue } from '../policy/fields.ts';
import { onAbort } from './abort.ts';
import type { AttemptContext, FailedOutcome, RetryCounter } from './attempt-context.ts';
import type { Session } from './session.ts';
import { setAlarm } from './timer.ts';

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
    const byCallerOnly = policy.attemptTimeoutMs === Infinity && deadlineMs === Infinity;
    if (signal !== undefined && byCallerOnly) return signal;
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
  const { bulkhead } = session.options;
  let holdsSlot = false;
  try {
    attempt.start();
    refuseIfOver(attempt);
    if (bulkhead) {
      if (!bulkhead.tryEnter()) await queue(attempt, bulkhead);
      holdsSlot = true;
      // The caller may have aborted in the moment when the slot came.
      session.signal?.throwIfAborted();
    }
    askBreaker(attempt);
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
    return await untilCut(attempt, work, session.policy.attemptTimeoutMs);
  } finally {
    if (holdsSlot) bulkhead?.leave();
  }
}

function refuseIfOver<T>(attempt: Attempt<T>): void {
  const { signal } = attempt.session;
  if (signal?.aborted) refuse(attempt, { by: 'abort', reason: signal.reason });
  if (attempt.timeLeftMs() <= 0) refuse(attempt, { by: 'timeout', reason: timeout(TIME_IS_UP) });
}

function askBreaker<T>(attempt: Attempt<T>): void {
  const { options, policy } = attempt.session;
  if (!options.breaker || !policy.enabled) return;
  attempt.permit = options.breaker.admit();
  if (attempt.permit === REFUSED) refuse(attempt, { by: 'breaker_open', reason: undefined });
}

function refuse<T>(attempt: Attempt<T>, cut: Cut): never {
  attempt.cut = cut;
  throw cut.reason;
}

/** Waits for a slot. The attempt's own time starts with the operation; the session's deadline holds here too. */
async function queue<T>(attempt: Attempt<T>, bulkhead: Bulkhead): Promise<void> {
  const enter = () =>
    bulkhead.enter(attempt.signal).then(() => {
      if (attempt.cut !== undefined) bulkhead.leave();
    });
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
  const { signal } = session;
  const leftMs = session.timeLeftMs();
  const limitMs = Math.max(1, Math.min(timeoutMs, leftMs));
  if (signal === undefined && limitMs === Infinity) return work();
  // Settling a promise, so that the rest runs in the async context of the caller and not in that of the timer or abort.
  return new Promise((resolve, reject) => {
    let stopListening: (() => void) | undefined;
    let cancelTimer: (() => void) | undefined;
    const stop = () => {
      stopListening?.();
      cancelTimer?.();
    };
    const cut = (by: 'abort' | 'timeout', reason: unknown) => {
      stop();
      attempt.cut ??= { by, reason };
      reject(reason);
    };
    if (limitMs !== Infinity) {
      cancelTimer = setAlarm(session.clock, limitMs, session.options.unref, () => {
        const late = leftMs <= timeoutMs;
        // Also by a fake timer, whose clock does not run.
        if (late) session.deadlineMs = Math.min(session.deadlineMs, session.clock.monotonic());
        cut('timeout', timeout(late ? TIME_IS_UP : `The attempt took longer than ${timeoutMs} ms`));
      });
    }
    if (signal !== undefined) {
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

/** Looks at a returned value: its classification as a failure, or `undefined` for a success. */
export function judge<T>({ session, attempt }: Attempt<T>, value: T): ResultAnswer | undefined {
  const { policy, clock, signal } = session;
  if (policy.classifyResult === acceptEveryValue) return undefined;
  try {
    return understood(policy.classifyResult(value, { attempt, nowMs: clock.now(), signal }));
  } catch {
    return undefined; // A judge that throws has nothing against the value.
  }
}

/** Reports to the guards that the attempt succeeded. */
export function succeed<T>(attempt: Attempt<T>): void {
  const { session, permit } = attempt;
  if (permit !== REFUSED) session.options.breaker?.record(permit, undefined);
  session.budget?.deposit();
  session.recorder?.succeeded(attempt);
}

const TIME_IS_UP = 'The time of the session is up';

function timeout(message: string): RedriveError {
  return new RedriveError('attempt_timeout', message);
}
