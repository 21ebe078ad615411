import type { Classification } from './classification.ts';

/** Nothing ran, and nothing would run the next time. */
export const REFUSED: Classification = { errorClass: 'final', effect: 'none' };
/** Nothing ran, because something else was in the way. */
const BUSY: Classification = { errorClass: 'retryable', effect: 'none' };
/** It ran, or may have run. */
export const IN_DOUBT: Classification = { errorClass: 'retryable', effect: 'unknown' };

/** The class of each error that core raises. A bundle for browsers meets no others of Redrive's. */
export const CORE_ERRORS = {
  invalid_policy: REFUSED,
  invalid_option: REFUSED,
  attempt_timeout: IN_DOUBT,
  breaker_missing: REFUSED,
  bulkhead_full: BUSY,
  idempotency_in_progress: BUSY,
  idempotency_conflict: REFUSED,
  idempotency_lost: IN_DOUBT,
  ledger_full: REFUSED,
  not_canonical: REFUSED,
  unknown_category: REFUSED,
  invalid_record: REFUSED,
  sink_timeout: IN_DOUBT,
} as const satisfies Readonly<Record<string, Classification>>;
