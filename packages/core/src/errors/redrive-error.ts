/** Every code an error of Redrive may carry. The catalogue is `docs/reference/errors.md`; a test compares the two. */
export type ErrorCode =
  | 'invalid_policy'
  | 'invalid_option'
  | 'invalid_config'
  | 'retry_gave_up'
  | 'attempt_timeout'
  | 'attempt_stalled'
  | 'breaker_missing'
  | 'bulkhead_full'
  | 'idempotency_in_progress'
  | 'idempotency_conflict'
  | 'idempotency_lost'
  | 'ledger_full'
  | 'not_canonical'
  | 'unknown_category'
  | 'invalid_record'
  | 'sink_timeout'
  | 'bus_unavailable'
  | 'bus_refused'
  | 'documents_unavailable'
  | 'documents_refused'
  | 'store_unavailable'
  | 'store_forbidden'
  | 'store_unsupported'
  | 'store_behind_pooler'
  | 'store_not_found'
  | 'schema_too_old'
  | 'schema_too_new'
  | 'invalid_job'
  | 'payload_too_large'
  | 'unknown_handler'
  | 'unique_conflict'
  | 'job_not_found'
  | 'batch_not_found'
  | 'batch_closed'
  | 'wait_timeout'
  | 'job_failed'
  | 'result_missing'
  | 'lease_lost'
  | 'worker_stopping'
  | 'kill_switch'
  | 'not_in_transaction'
  | 'operation_conflict'
  | 'operation_not_found'
  | 'not_a_dead_letter'
  | 'cause_rule_not_found'
  | 'control_conflict';

/**
 * The base of all errors that Redrive itself raises. Test the `code`, not the class: two copies of the package in one
 * program have two classes, but the same codes.
 */
export class RedriveError extends Error {
  override readonly name: string = 'RedriveError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Whether a thrown value is an error of Redrive, and one with this code if a code is given. */
export function isRedriveError(error: unknown, code?: ErrorCode): error is RedriveError {
  if (!(error instanceof Error) || !('code' in error) || !('details' in error)) return false;
  return code === undefined
    ? error.name === 'RedriveError' || error.name === 'RetryError'
    : error.code === code;
}
