import { describe, expect, it } from 'vitest';
import { classify } from '../classify.ts';
import { grpcErrors } from './grpc.ts';
import { GRPC_DETAILS, GRPC_ROWS } from './grpc-rows.ts';

const context = { attempt: 1, nowMs: 0 };

/** grpc-js keeps its metadata behind `get`, which answers with a list. */
const metadata = (pushback?: string | string[]) => ({
  internalRepr: new Map(),
  get: (key: string) =>
    key === 'grpc-retry-pushback-ms' && pushback !== undefined ? [pushback].flat() : [],
});
const serviceError = (code: number, details = 'details', pushback?: string | string[]) =>
  Object.assign(new Error(`${code} NAME: ${details}`), {
    code,
    details,
    metadata: metadata(pushback),
  });

const rows = [
  [1, 'CANCELLED', 'ignored', 'unknown'],
  [2, 'UNKNOWN', 'retryable', 'unknown'],
  [3, 'INVALID_ARGUMENT', 'final', 'none'],
  [4, 'DEADLINE_EXCEEDED', 'retryable', 'unknown'],
  [5, 'NOT_FOUND', 'final', 'none'],
  [6, 'ALREADY_EXISTS', 'final', 'none'],
  [7, 'PERMISSION_DENIED', 'final', 'none'],
  [8, 'RESOURCE_EXHAUSTED', 'rate_limited', 'none'],
  [9, 'FAILED_PRECONDITION', 'final', 'none'],
  [10, 'ABORTED', 'retryable', 'none'],
  [11, 'OUT_OF_RANGE', 'final', 'none'],
  [12, 'UNIMPLEMENTED', 'final', 'none'],
  [13, 'INTERNAL', 'retryable', 'unknown'],
  [14, 'UNAVAILABLE', 'retryable', 'unknown'],
  [15, 'DATA_LOSS', 'final', 'unknown'],
  [16, 'UNAUTHENTICATED', 'final', 'none'],
] as const;

describe('grpcErrors', () => {
  it.each(rows)('%d %s is %s with effect %s', (code, name, errorClass, effect) => {
    const answer = { errorClass, effect };
    expect(grpcErrors(serviceError(code), context)).toEqual(answer);
    expect(grpcErrors(new Error('x', { cause: serviceError(code) }), context)).toEqual(answer);
    // Connect has metadata in `Headers`, nice-grpc only details, Firestore's web client the name.
    expect(grpcErrors({ code, details: [], metadata: new Headers() }, context)).toEqual(answer);
    expect(grpcErrors({ code, details: 'text' }, context)).toEqual(answer);
    expect(grpcErrors({ code: name }, context)).toEqual(answer);
    expect(grpcErrors({ code: name.toLowerCase().replaceAll('_', '-') }, context)).toEqual(answer);
  });

  it('has no row that is not tested', () => {
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(GRPC_ROWS));
  });

  it.each([
    [14, 'No connection established. Last error: connect ECONNREFUSED', 'retryable', 'none'],
    [14, 'Name resolution failed for target dns:nowhere', 'retryable', 'none'],
    [8, 'Received message larger than max (5000000 vs 4194304)', 'final', 'unknown'],
    [14, 'Received message larger than max', 'retryable', 'unknown'],
    [8, 'No connection established', 'rate_limited', 'none'],
  ])('%d with the details "%s" is %s with effect %s', (code, details, errorClass, effect) => {
    expect(grpcErrors(serviceError(code, details), context)).toEqual({ errorClass, effect });
    expect(GRPC_DETAILS).toHaveLength(2);
  });

  it('makes of a thing that exists on a later attempt a matter of doubt', () => {
    const later = { ...context, attempt: 2 };
    expect(grpcErrors(serviceError(6), later)).toEqual({ errorClass: 'final', effect: 'unknown' });
  });

  it.each([
    ['0', 0],
    ['250', 250],
    [['1000'], 1000],
  ])('waits as long as a pushback of %j says', (pushback, retryAfterMs) => {
    const error = serviceError(14, '', pushback);
    const answer = { errorClass: 'retryable', effect: 'unknown', retryAfterMs };
    expect(grpcErrors(error, context)).toEqual(answer);
    expect(classify(error, { classify: grpcErrors }, context)).toEqual(answer);
  });

  it.each(['-1', 'never', '1.5', '1, 2', ['1', '2']])(
    'takes a pushback of %j for never',
    (pushback) => {
      expect(grpcErrors(serviceError(14, '', pushback), context)).toEqual({
        errorClass: 'final',
        effect: 'unknown',
      });
    },
  );

  it.each([
    [{ seconds: 5, nanos: 500_000_000 }, 5500],
    [{ seconds: '7' }, 7000],
    [{ nanos: 1 }, 1],
    [{ seconds: { toString: () => '3' } }, 3000],
    [{ seconds: -1 }, undefined],
    [{ seconds: 'x' }, undefined],
  ])('reads Google’s RetryInfo %j', (retryDelay, retryAfterMs) => {
    const error = Object.assign(serviceError(8), {
      statusDetails: [null, { reason: 'X' }, { retryDelay }],
    });
    expect(grpcErrors(error, context)?.retryAfterMs).toBe(retryAfterMs);
  });

  it('has no hint where RetryInfo is missing', () => {
    const error = Object.assign(serviceError(8), { statusDetails: [{ reason: 'X' }] });
    expect(grpcErrors(error, context)).toEqual({ errorClass: 'rate_limited', effect: 'none' });
  });

  it.each([
    new Error('x'),
    { code: 14 },
    { code: 0, details: 'OK' },
    { code: 17, details: 'x' },
    { code: 'ECONNRESET' },
    new DOMException('x', 'AbortError'),
    undefined,
  ])('does not know %s', (error) => {
    expect(grpcErrors(error, context)).toBeUndefined();
  });
});
