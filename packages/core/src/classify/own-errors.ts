import type { ErrorCode } from '../errors/redrive-error.ts';
import type { Classification } from './classification.ts';
import { CORE_ERRORS, IN_DOUBT, REFUSED } from './core-errors.ts';

/** It ran and would end the same way. */
const OVER: Classification = { errorClass: 'final', effect: 'unknown' };

/**
 * The class of each error of Redrive itself. A new code without one does not compile. A give-up has none of its own: the
 * error that it gave up on decides.
 */
export const OWN_ERRORS: Readonly<Record<Exclude<ErrorCode, 'retry_gave_up'>, Classification>> = {
  ...CORE_ERRORS,
  invalid_config: REFUSED,
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
  batch_not_found: REFUSED,
  batch_closed: REFUSED,
  wait_timeout: IN_DOUBT,
  job_failed: OVER,
  attempt_stalled: IN_DOUBT,
  result_missing: IN_DOUBT,
  lease_lost: IN_DOUBT,
  worker_stopping: OVER,
  kill_switch: OVER,
  not_in_transaction: REFUSED,
  operation_conflict: REFUSED,
  operation_not_found: REFUSED,
  not_a_dead_letter: REFUSED,
  cause_rule_not_found: REFUSED,
  control_conflict: REFUSED,
};
