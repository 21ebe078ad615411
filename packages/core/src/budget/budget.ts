import type { ErrorClass } from '../classify/classification.ts';

/** The port of a retry budget. `RetryBudget` implements it in process; a shared budget may too. */
export interface Budget {
  /** A first attempt or a retry succeeded: deposit. */
  deposit(): void;
  /** Whether the budget has the tokens for one retry after this class of error. Takes nothing. */
  allows(errorClass: ErrorClass): boolean;
  /** Takes the tokens for one retry, before its wait. */
  take(errorClass: ErrorClass): void;
  /** Returns the tokens of `take`, because the retry never ran (the caller aborted its wait). */
  giveBack(errorClass: ErrorClass): void;
}
