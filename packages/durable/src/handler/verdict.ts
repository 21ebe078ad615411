import { CAUSE_NAME, isCauseName } from '@redrive/core/stored';

const VERDICT: unique symbol = Symbol.for('redrive.verdict');

/** A handler's instruction that is neither a result nor an error. Created by `retryAfter`, `final`, `cancel` and `deadLetter`. */
export interface Verdict {
  readonly [VERDICT]: true;
  readonly kind: 'retry_after' | 'final' | 'cancel' | 'dead_letter';
  /** `retry_after` only. */
  readonly delayMs?: number;
  readonly message: string;
  /** The name of the cause, exactly as people and rules see it. Absent: it follows from the message. */
  readonly cause?: string;
}

/** What else a verdict says about a failure. */
export interface VerdictOptions {
  /** Names the cause of the dead letter: letters, digits and `_ . : -`, at most 100. Default: it follows from the message. */
  readonly cause?: string | undefined;
}

/**
 * Runs the job again after a wait in milliseconds. Like a rate limit with a hint, the wait costs no attempt, up to the
 * policy's `maxFreeWaits` and `maxFreeWaitMs`.
 */
export function retryAfter(
  delayMs: number,
  message = 'The handler asked for a later time',
): Verdict {
  return { [VERDICT]: true, kind: 'retry_after', delayMs, message };
}

/**
 * Gives the job up at once, with this message: another attempt would fail again.
 *
 * @throws RangeError for a `cause` that cannot be a name.
 */
export function final(message: string, options: VerdictOptions = {}): Verdict {
  return { [VERDICT]: true, kind: 'final', message, ...named(options) };
}

/** Cancels the job: it is not needed any more. This does not count as a failure. */
export function cancel(message = 'The handler cancelled the job'): Verdict {
  return { [VERDICT]: true, kind: 'cancel', message };
}

/**
 * Makes the job a dead letter, so that a person decides about it.
 *
 * @throws RangeError for a `cause` that cannot be a name.
 */
export function deadLetter(message: string, options: VerdictOptions = {}): Verdict {
  return { [VERDICT]: true, kind: 'dead_letter', message, ...named(options) };
}

function named({ cause }: VerdictOptions): { readonly cause?: string } {
  if (cause === undefined) return {};
  if (isCauseName(cause)) return { cause };
  throw new RangeError(`cause must be a name of ${CAUSE_NAME}`);
}

/** Whether a handler's answer is a verdict, also one made by another copy of this package. */
export function isVerdict(value: unknown): value is Verdict {
  return typeof value === 'object' && value !== null && VERDICT in value;
}
