import { type ErrorCode, isRedriveError } from '../errors/redrive-error.ts';
import { fields } from './causes.ts';
import type { Classification } from './classification.ts';
import { meaning } from './classification.ts';
import { hintOf } from './hints.ts';
import { isProgrammerError } from './programmer-error.ts';
import { classifyStatus, statusOf } from './status.ts';

/** Nothing ran, and nothing would run the next time. */
const REFUSED = /* @__PURE__ */ meaning('final', 'none');
/** Nothing ran, because something else was in the way. */
const BUSY = /* @__PURE__ */ meaning('retryable', 'none');
/** It ran, or may have. */
const IN_DOUBT = /* @__PURE__ */ meaning();
/** It ran and would end the same way. */
const OVER = /* @__PURE__ */ meaning('final');

type ClassifiedCode = Exclude<ErrorCode, 'retry_gave_up'>;

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
  control_conflict: REFUSED,
};

/** Whether this very error is what a session of Redrive gave up with. */
export function isGiveUp(error: unknown): boolean {
  return fields(error).code === 'retry_gave_up';
}

/**
 * The nearest hint among the causes. Redrive's own errors are passed over: an open breaker names a time too, but it is
 * not a rate limit of the dependency.
 */
export function hintIn(causes: readonly unknown[], nowMs: number): number | undefined {
  for (const each of causes) {
    const hint = isGiveUp(each) || isRedriveError(each) ? undefined : hintOf(each, nowMs);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** The classification that `retry` makes by itself, without a table. */
export function builtIn(
  causes: readonly unknown[],
  hint: number | undefined,
): Classification | undefined {
  for (const each of causes) {
    const status = statusOf(each);
    if (status) return classifyStatus(status, hint !== undefined);
    // Another copy of the package may have codes that this one does not know: the cast follows the check.
    if (isRedriveError(each) && Object.hasOwn(OWN_ERRORS, each.code)) {
      return OWN_ERRORS[each.code as ClassifiedCode];
    }
  }
  // Asked to stay away is all that is known of it.
  if (hint !== undefined) return meaning('rate_limited');
  return causes.some(isProgrammerError) ? meaning('final') : undefined;
}
