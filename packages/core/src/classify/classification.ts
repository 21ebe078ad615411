/** What an outcome means for whoever would try again. `ignored` is the caller's own cancellation: nobody's failure. */
export type ErrorClass = 'final' | 'retryable' | 'rate_limited' | 'ignored';

/**
 * What a failed attempt may have done to the world: `none` when it never got there (connection refused), `applied` when
 * it is known to have worked although it failed, `unknown` otherwise.
 */
export type Effect = 'none' | 'unknown' | 'applied';

/** The classifier's answer about one outcome. */
export interface Classification {
  readonly errorClass: ErrorClass;
  readonly effect: Effect;
  /** How long the other side asked us to stay away, if it did. A floor: the next attempt is never earlier. */
  readonly retryAfterMs?: number | undefined;
}

/** What a classifier answers: as a classification, but it need not name an effect. Default: `unknown`. */
export type ClassifierAnswer = Omit<Classification, 'effect'> &
  Partial<Pick<Classification, 'effect'>>;

/** What `classifyResult` answers about a value that is a failure. */
export type ResultAnswer = ClassifierAnswer & {
  /**
   * Frees what the value holds, such as a socket. Called before the next attempt, when the value can reach nobody any more;
   * never for the value of the last attempt. What it throws changes nothing.
   */
  readonly discard?: (() => void) | undefined;
};

/** What a classifier may look at besides the error. */
export interface ClassifyContext {
  /** Number of the attempt that ended, from 1. */
  readonly attempt: number;
  /** Wall-clock time in milliseconds, for hints that name a date. */
  readonly nowMs: number;
  /** The caller's signal: an error that is its reason is the caller's own cancellation, whatever it is called. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Says what an error means, or `undefined` when it does not know it; then the next classifier is asked, and in the end
 * the built-in rules. Must not throw and must not have effects.
 */
export type Classifier = (error: unknown, context: ClassifyContext) => ClassifierAnswer | undefined;
