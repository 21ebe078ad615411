import type { Classifier } from '../classification.ts';
import { classifyStatus } from '../classify-status.ts';
import { type Fields, fields, statusOf } from '../error-facts.ts';
import { vendorHint } from '../vendor-hints.ts';
import { AWS_CLOCK_SKEW, AWS_ROWS } from './aws-rows.ts';
import {
  answer,
  IN_DOUBT,
  LIMITED,
  type LookUp,
  NOT_DONE,
  nearestKnown,
  REFUSED,
  type Row,
  rowOf,
} from './row.ts';

/** Reasons for which a DynamoDB transaction was cancelled that pass by themselves. */
const PASSING_REASONS =
  /^(None|TransactionConflict|ThrottlingError|ProvisionedThroughputExceeded)$/;

/**
 * Classifies errors of the AWS SDK: by name, then `$retryable`, then `$metadata.httpStatusCode`; with the hint of
 * `x-amz-retry-after` or Retry-After. For `classify` of a policy.
 */
export const awsErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpAws(cause, context));

export const lookUpAws: LookUp = (cause, context) => {
  const hint = vendorHint(fields(cause.$response).headers, context.nowMs, false);
  const row = byName(cause, context.attempt) ?? byTraits(cause, hint !== undefined);
  return row && answer(row, context, hint);
};

function byName(cause: Fields, attempt: number): Row | undefined {
  const { name, code, Code } = cause;
  return named(cause, name, attempt) ?? named(cause, code, attempt) ?? named(cause, Code, attempt);
}

function named(cause: Fields, name: unknown, attempt: number): Row | undefined {
  if (name === undefined || name === 'Error') return undefined;
  if (rowOf(AWS_CLOCK_SKEW, name)) return attempt > 1 ? REFUSED : NOT_DONE;
  if (name === 'TransactionCanceledException' && hasPassingReasons(cause)) return NOT_DONE;
  return rowOf(AWS_ROWS, name) ?? (/throttl/i.test(String(name)) ? LIMITED : undefined);
}

function hasPassingReasons({ CancellationReasons: reasons }: Fields): boolean {
  return Array.isArray(reasons) && reasons.every(({ Code }) => PASSING_REASONS.test(String(Code)));
}

function byTraits({ $retryable, $metadata }: Fields, isHinted: boolean): Row | undefined {
  if ($retryable) return fields($retryable).throttling ? LIMITED : IN_DOUBT;
  if (!$metadata) return undefined;
  const status = statusOf({ status: fields($metadata).httpStatusCode });
  return status === undefined ? undefined : classifyStatus(status, isHinted);
}
