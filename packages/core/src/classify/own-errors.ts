import type { ErrorCode } from '../errors/redrive-error.ts';
import type { Classification } from './classification.ts';

/** Nothing ran, and nothing would run the next time. */
const REFUSED: Classification = { errorClass: 'final', effect: 'none' };
/** Nothing ran, because something else was in the way. */
const BUSY: Classification = { errorClass: 'retryable', effect: 'none' };
/** It ran, or may have. */
const IN_DOUBT: Classification = { errorClass: 'retryable', effect: 'unknown' };
/** It ran and would end the same way. */
const OVER: Classification = { errorClass: 'final', effect: 'unknown' };

export type ClassifiedCode = Exclude<ErrorCode, 'retry_gave_up'>;

/**
 * The class of each error of Redrive itself. A new code without one does not compile. A give-up has none of its own: the
 * error that it gave up on decides.
 */
export const OWN_ERRORS: Readonly<Record<ClassifiedCode, Classification>> = {
  invalid_policy: REFUSED,
  invalid_option: REFUSED,
  invalid_config: REFUSED,
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
  bus_unavailable: IN_DOUBT,
  bus_refused: REFUSED,
  documents_unavailable: IN_DOUBT,
  documents_refused: REFUSED,
  store_unavailable: IN_DOUBT,
  store_forbidden: REFUSED,
  store_unsupported: REFUSED,
  store_behind_pooler: REFUSED,
  store_not_found: REFUSED,
  schema_too_old: REFUSED,
  schema_too_new: REFUSED,
  invalid_job: REFUSED,
  payload_too_large: OVER,
  unknown_handler: REFUSED,
  unique_conflict: REFUSED,
  job_not_found: REFUSED,
  wait_timeout: IN_DOUBT,
  job_failed: OVER,
  lease_lost: IN_DOUBT,
  worker_stopping: OVER,
  kill_switch: OVER,
  not_in_transaction: REFUSED,
  operation_conflict: REFUSED,
  operation_not_found: REFUSED,
  cause_rule_not_found: REFUSED,
  control_conflict: REFUSED,
};
