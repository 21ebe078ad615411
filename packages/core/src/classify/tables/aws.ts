import { type Fields, fields } from '../causes.ts';
import type { Classifier } from '../classification.ts';
import { classifyStatus, statusOf } from '../status.ts';
import { vendorHint } from '../vendor-hints.ts';
import {
  answer,
  ECHO,
  IN_DOUBT,
  LIMITED,
  NOT_DONE,
  nearestKnown,
  REFUSED,
  type Row,
  type Rows,
  rowOf,
} from './row.ts';

/**
 * Error names of AWS and S3 (`name` in version 3 of the SDK, `code` in version 2). A name wins over the status: S3's
 * RequestTimeout is a 400.
 */
export const AWS_ROWS: Rows = {
  BandwidthLimitExceeded: LIMITED,
  EC2ThrottledException: LIMITED,
  LimitExceededException: LIMITED,
  OverLimit: LIMITED,
  PriorRequestNotComplete: LIMITED,
  ProvisionedThroughputExceeded: LIMITED,
  ProvisionedThroughputExceededException: LIMITED,
  RequestLimitExceeded: LIMITED,
  RequestThrottled: LIMITED,
  RequestThrottledException: LIMITED,
  SlowDown: LIMITED,
  ThrottledException: LIMITED,
  Throttling: LIMITED,
  ThrottlingException: LIMITED,
  TooManyRequests: LIMITED,
  TooManyRequestsException: LIMITED,
  TransactionInProgressException: LIMITED,
  IDPCommunicationError: IN_DOUBT,
  InternalError: IN_DOUBT,
  InternalFailure: IN_DOUBT,
  InternalServerError: IN_DOUBT,
  InternalServerException: IN_DOUBT,
  InternalServiceException: IN_DOUBT,
  RequestTimeout: IN_DOUBT,
  RequestTimeoutException: IN_DOUBT,
  ServiceException: IN_DOUBT,
  ServiceUnavailable: IN_DOUBT,
  ServiceUnavailableException: IN_DOUBT,
  TimeoutError: IN_DOUBT,
  // Two writers met; the loser's write was not done, and is worth doing again.
  ConditionalRequestConflict: NOT_DONE,
  OperationAborted: NOT_DONE,
  TransactionConflictException: NOT_DONE,
  // A condition or a name that our own earlier attempt may have taken.
  BucketAlreadyOwnedByYou: ECHO,
  ConditionalCheckFailedException: ECHO,
  PreconditionFailed: ECHO,
  ResourceConflictException: ECHO,
  ResourceInUseException: ECHO,
  TransactionCanceledException: ECHO,
  AccessDenied: REFUSED,
  AccessDeniedException: REFUSED,
  AuthFailure: REFUSED,
  BucketAlreadyExists: REFUSED,
  BucketNotEmpty: REFUSED,
  EntityTooLarge: REFUSED,
  ExpiredToken: REFUSED,
  ExpiredTokenException: REFUSED,
  IdempotentParameterMismatch: REFUSED,
  InvalidAccessKeyId: REFUSED,
  InvalidBucketName: REFUSED,
  InvalidObjectState: REFUSED,
  InvalidRange: REFUSED,
  InvalidSignatureException: REFUSED,
  ItemCollectionSizeLimitExceededException: REFUSED,
  MalformedXML: REFUSED,
  MethodNotAllowed: REFUSED,
  NoSuchBucket: REFUSED,
  NoSuchKey: REFUSED,
  NoSuchUpload: REFUSED,
  NotImplemented: REFUSED,
  QueueDoesNotExist: REFUSED,
  ResourceNotFoundException: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  UnrecognizedClientException: REFUSED,
  ValidationError: REFUSED,
  ValidationException: REFUSED,
};

/** The SDK corrects its clock after these, so the second attempt may pass; if it does not, none will. */
export const AWS_CLOCK_SKEW: Rows = {
  RequestExpired: NOT_DONE,
  RequestInTheFuture: NOT_DONE,
  RequestTimeTooSkewed: NOT_DONE,
};

/** Reasons for which a DynamoDB transaction was cancelled that pass by themselves. */
const PASSING_REASONS =
  /^(None|TransactionConflict|ThrottlingError|ProvisionedThroughputExceeded)$/;

/**
 * Classifies errors of the AWS SDK: by name, then `$retryable`, then `$metadata.httpStatusCode`; with the hint of
 * `x-amz-retry-after` or Retry-After. For `classify` of a policy.
 */
export const awsErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => {
    const hint = vendorHint(fields(cause.$response).headers, context.nowMs, false);
    const row = byName(cause, context.attempt) ?? byTraits(cause, hint !== undefined);
    return row && answer(row, context, hint);
  });

function byName(cause: Fields, attempt: number): Row | undefined {
  for (const name of [cause.name, cause.code, cause.Code]) {
    if (rowOf(AWS_CLOCK_SKEW, name)) return attempt > 1 ? REFUSED : NOT_DONE;
    if (name === 'TransactionCanceledException' && hasPassingReasons(cause)) return NOT_DONE;
    const row = rowOf(AWS_ROWS, name) ?? (/throttl/i.test(String(name)) ? LIMITED : undefined);
    if (row) return row;
  }
  return undefined;
}

function hasPassingReasons({ CancellationReasons: reasons }: Fields): boolean {
  return Array.isArray(reasons) && reasons.every(({ Code }) => PASSING_REASONS.test(String(Code)));
}

function byTraits({ $retryable, $metadata }: Fields, isHinted: boolean): Row | undefined {
  if ($retryable) return fields($retryable).throttling ? LIMITED : IN_DOUBT;
  const status = statusOf({ status: fields($metadata).httpStatusCode });
  return status === undefined ? undefined : classifyStatus(status, isHinted);
}
