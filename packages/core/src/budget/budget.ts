import type { ErrorClass } from '../classify/classification.ts';

/** What the runner needs of a retry budget. `RetryBudget` is the implementation; a shared one may stand in its place. */
export interface Budget {
  /** A first attempt or a retry succeeded: deposit. */
  deposit(): void;
  /** Whether `cost(errorClass)` tokens are there now. Reads, changes nothing but the passage of time. */
  allows(errorClass: ErrorClass): boolean;
  /** Takes the tokens for one retry, before its wait. */
  take(errorClass: ErrorClass): void;
  /** Gives back what `take` took, because the retry never ran (the caller aborted its wait). */
  giveBack(errorClass: ErrorClass): void;
}
