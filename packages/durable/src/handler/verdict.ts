const VERDICT: unique symbol = Symbol.for('redrive.verdict');

/** What a handler returns when neither a result nor an error says it. Made by `retryAfter`, `final`, `cancel` and `deadLetter`. */
export interface Verdict {
  readonly [VERDICT]: true;
  readonly kind: 'retry_after' | 'final' | 'cancel' | 'dead_letter';
  /** `retry_after` only. */
  readonly delayMs?: number;
  readonly message: string;
}

/**
 * Not now: again after so many milliseconds. Like a rate limit with a hint it costs no attempt, up to the policy's
 * `maxFreeWaits` and `maxFreeWaitMs`.
 */
export function retryAfter(
  delayMs: number,
  message = 'The handler asked for a later time',
): Verdict {
  return { [VERDICT]: true, kind: 'retry_after', delayMs, message };
}

/** Trying again cannot help. The job is dead at once, with this message. */
export function final(message: string): Verdict {
  return { [VERDICT]: true, kind: 'final', message };
}

/** Nobody needs this job any more. It ends as cancelled, which is nobody's failure. */
export function cancel(message = 'The handler cancelled the job'): Verdict {
  return { [VERDICT]: true, kind: 'cancel', message };
}

/** A person should look at this job before anything else happens to it. */
export function deadLetter(message: string): Verdict {
  return { [VERDICT]: true, kind: 'dead_letter', message };
}

/** Whether a handler's answer is a verdict, also one made by another copy of this package. */
export function isVerdict(value: unknown): value is Verdict {
  return typeof value === 'object' && value !== null && VERDICT in value;
}
