/** The class of an error. `ignored` is the caller's own cancellation, which is not a failure. */
export type ErrorClass = 'final' | 'retryable' | 'rate_limited' | 'ignored';

/**
 * The effect of a failed attempt: `none` when it never reached the dependency (connection refused), `applied` when its
 * effect is known to have happened although it failed, `unknown` otherwise.
 */
export type Effect = 'none' | 'unknown' | 'applied';

/** The classifier's answer about one outcome. */
export interface Classification {
  readonly errorClass: ErrorClass;
  readonly effect: Effect;
  /** The wait that the dependency asked for, such as Retry-After. The next attempt is never earlier. */
  readonly retryAfterMs?: number | undefined;
  /**
   * `false`: the failed request is a POST, a PATCH or another one that must not be sent twice, and has no Idempotency-Key.
   * A call repeats it only if the effect is `none`; a stored job repeats it. Default: not known.
   */
  readonly idempotent?: boolean | undefined;
}

/** The answer of a classifier: a classification whose `effect` is optional. Default: `unknown`. */
export type ClassifierAnswer = Omit<Classification, 'effect'> &
  Partial<Pick<Classification, 'effect'>>;

/** The answer of `classifyResult` for a value that is a failure. */
export type ResultAnswer = ClassifierAnswer & {
  /**
   * Releases resources of the value, such as a socket. Called before the next attempt; never for the value of the last
   * attempt, which the caller gets. An error that it throws is ignored.
   */
  readonly discard?: (() => void) | undefined;
};

/** Facts about the attempt, for a classifier. */
export interface ClassifyContext {
  /** Number of the attempt that ended, from 1. */
  readonly attempt: number;
  /** Wall-clock time in milliseconds, for hints that name a date. */
  readonly nowMs: number;
  /** The caller's signal: an error that is its reason is the caller's own cancellation, with any name. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Classifies an error. `undefined`: it does not know the error; then the next classifier is called, and at last the
 * built-in rules. Must not throw and must not have effects.
 */
export type Classifier = (error: unknown, context: ClassifyContext) => ClassifierAnswer | undefined;
