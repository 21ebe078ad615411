/** The operation: called once per attempt. */
export type Operation<T> = (context: AttemptContext) => T | PromiseLike<T>;

/** The attempt, as the operation gets it. Read its fields, or destructure them; do not spread it. */
export interface AttemptContext extends ParentSession {
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** How many there may be, the first one included. */
  readonly maxAttempts: number;
  /** Aborts when the caller aborts, when the attempt times out, and when the session's time is up. */
  readonly signal: AbortSignal;
  /** The same for all attempts of the session: the given key, else the session's id. */
  readonly idempotencyKey: string;
  /** How the attempt before this one failed. `undefined` in the first. */
  readonly lastOutcome: FailedOutcome | undefined;
}

/** How an attempt failed: it threw, or it returned a value that counts as a failure. */
export type FailedOutcome =
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'value'; readonly value: unknown };

/** A session in whose attempt another one runs: given as `parent`, both share one count of retries and one deadline. */
export interface ParentSession {
  readonly sessionId: string;
  /** Counts the retries of all calls that are nested in one root, so that they do not multiply. */
  readonly retries: RetryCounter;
  /** Time left until the session's deadline, in milliseconds. `Infinity`: none. */
  timeLeftMs(): number;
  /** Ends the nested session's attempts and waits too. Absent where the parent is in another process. */
  readonly signal?: AbortSignal;
  /** Whether the root of the nested calls is the attempt of a job. Default `false`. */
  readonly inJob?: boolean;
}

/**
 * Retries made so far. An attempt of a job begins with a new counter; a call that is nested in nothing makes its own. A
 * call may retry while the count is below its own `maxAttempts` - 1.
 */
export interface RetryCounter {
  count: number;
}
