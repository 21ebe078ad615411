import { describe, expect, it } from 'vitest';
import { classify } from '../classify.ts';
import { awsErrors } from './aws.ts';
import { AWS_CLOCK_SKEW, AWS_ROWS } from './aws-rows.ts';

const context = { attempt: 1, nowMs: 0 };

/** As version 3 of the SDK throws it. */
const exception = (name: string, status: number | undefined = 400, more: object = {}) =>
  Object.assign(new Error('from AWS'), {
    name,
    $fault: 'client',
    $metadata: { httpStatusCode: status, requestId: 'r', attempts: 1 },
    ...more,
  });
const withHeaders = (headers: object) => ({ $response: { statusCode: 503, headers } });

const expected = [
  [
    'rate_limited',
    'none',
    'BandwidthLimitExceeded EC2ThrottledException LimitExceededException OverLimit',
  ],
  ['rate_limited', 'none', 'PriorRequestNotComplete ProvisionedThroughputExceeded'],
  [
    'rate_limited',
    'none',
    'ProvisionedThroughputExceededException RequestLimitExceeded RequestThrottled',
  ],
  [
    'rate_limited',
    'none',
    'RequestThrottledException SlowDown ThrottledException Throttling ThrottlingException',
  ],
  [
    'rate_limited',
    'none',
    'TooManyRequests TooManyRequestsException TransactionInProgressException',
  ],
  [
    'retryable',
    'unknown',
    'IDPCommunicationError InternalError InternalFailure InternalServerError',
  ],
  [
    'retryable',
    'unknown',
    'InternalServerException InternalServiceException RequestTimeout RequestTimeoutException',
  ],
  [
    'retryable',
    'unknown',
    'ServiceException ServiceUnavailable ServiceUnavailableException TimeoutError',
  ],
  ['retryable', 'none', 'ConditionalRequestConflict OperationAborted TransactionConflictException'],
  ['final', 'none', 'BucketAlreadyOwnedByYou ConditionalCheckFailedException PreconditionFailed'],
  [
    'final',
    'none',
    'ResourceConflictException ResourceInUseException TransactionCanceledException',
  ],
  [
    'final',
    'none',
    'AccessDenied AccessDeniedException AuthFailure BucketAlreadyExists BucketNotEmpty',
  ],
  [
    'final',
    'none',
    'EntityTooLarge ExpiredToken ExpiredTokenException IdempotentParameterMismatch',
  ],
  ['final', 'none', 'InvalidAccessKeyId InvalidBucketName InvalidObjectState InvalidRange'],
  [
    'final',
    'none',
    'InvalidSignatureException ItemCollectionSizeLimitExceededException MalformedXML',
  ],
  [
    'final',
    'none',
    'MethodNotAllowed NoSuchBucket NoSuchKey NoSuchUpload NotImplemented QueueDoesNotExist',
  ],
  ['final', 'none', 'ResourceNotFoundException SignatureDoesNotMatch UnrecognizedClientException'],
  ['final', 'none', 'ValidationError ValidationException'],
] as const;
const rows = expected.flatMap(([errorClass, effect, names]) =>
  names.split(' ').map((name) => [name, errorClass, effect] as const),
);

describe('awsErrors', () => {
  it.each(rows)('%s is %s with effect %s', (name, errorClass, effect) => {
    const answer = { errorClass, effect };
    expect(awsErrors(exception(name), context)).toEqual(answer);
    expect(awsErrors(new Error('x', { cause: exception(name) }), context)).toEqual(answer);
    // Version 2 of the SDK, and S3's own XML.
    expect(awsErrors(Object.assign(new Error(), { code: name, statusCode: 400 }), context)).toEqual(
      answer,
    );
    expect(awsErrors({ Code: name }, context)).toEqual(answer);
  });

  it('has no row that is not tested', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(AWS_ROWS).sort());
  });

  it.each(['RequestExpired', 'RequestInTheFuture', 'RequestTimeTooSkewed'])(
    '%s is retried once, after which the clock is right',
    (name) => {
      expect(Object.keys(AWS_CLOCK_SKEW)).toContain(name);
      expect(awsErrors(exception(name, 403), context)).toEqual({
        errorClass: 'retryable',
        effect: 'none',
      });
      expect(awsErrors(exception(name, 403), { ...context, attempt: 2 })).toEqual({
        errorClass: 'final',
        effect: 'none',
      });
    },
  );

  it('takes any name that speaks of throttling', () => {
    expect(awsErrors(exception('KMSThrottlingException'), context)).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
    });
  });

  it.each([
    ['TransactionConflict', 'retryable'],
    ['ThrottlingError', 'retryable'],
    ['ProvisionedThroughputExceeded', 'retryable'],
    ['ConditionalCheckFailed', 'final'],
    ['ValidationError', 'final'],
  ])('looks into a cancelled transaction: %s is %s', (Code, errorClass) => {
    const error = exception('TransactionCanceledException', 400, {
      CancellationReasons: [{ Code: 'None' }, { Code }],
    });
    expect(awsErrors(error, context)).toEqual({ errorClass, effect: 'none' });
  });

  it.each(['ConditionalCheckFailedException', 'BucketAlreadyOwnedByYou', 'PreconditionFailed'])(
    'makes of %s on a later attempt a matter of doubt',
    (name) => {
      expect(awsErrors(exception(name), { ...context, attempt: 2 })).toEqual({
        errorClass: 'final',
        effect: 'unknown',
      });
    },
  );

  it.each([
    [{}, 'retryable', 'unknown'],
    [{ throttling: false }, 'retryable', 'unknown'],
    [{ throttling: true }, 'rate_limited', 'none'],
  ])('obeys $retryable %j', ($retryable, errorClass, effect) => {
    const error = exception('SomethingNew', 400, { $retryable });
    expect(awsErrors(error, context)).toEqual({ errorClass, effect });
  });

  it.each([
    [404, 'final', 'none'],
    [429, 'rate_limited', 'none'],
    [500, 'retryable', 'unknown'],
    [503, 'retryable', 'unknown'],
  ])('falls back on status %d', (status, errorClass, effect) => {
    expect(awsErrors(exception('SomethingNew', status), context)).toEqual({ errorClass, effect });
  });

  it('reads the hint of the response', () => {
    const error = exception('SlowDown', 503, withHeaders({ 'x-amz-retry-after': '1500' }));
    const answer = { errorClass: 'rate_limited', effect: 'none', retryAfterMs: 1500 };
    expect(awsErrors(error, context)).toEqual(answer);
    expect(classify(error, { classify: awsErrors }, context)).toEqual(answer);
    const unnamed = exception('SomethingNew', 503, withHeaders({ 'retry-after': '2' }));
    expect(awsErrors(unnamed, context)).toEqual({ ...answer, retryAfterMs: 2000 });
  });

  it.each([
    new Error('x'),
    exception('SomethingNew', 200),
    { name: 'constructor' },
    undefined,
    'SlowDown',
    exception('TransactionCanceled', 0, { CancellationReasons: [{ Code: 'None' }] }),
  ])('does not know %s', (error) => {
    expect(awsErrors(error, context)).toBeUndefined();
  });
});
