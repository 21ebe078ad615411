import { describe, expect, it } from 'vitest';
import { classifyStatus } from './classify-status.ts';
import { statusOf } from './error-facts.ts';

describe('statusOf', () => {
  it.each([
    ['a thrown Response', new Response(null, { status: 503 }), 503],
    ['status', { status: 404 }, 404],
    ['statusCode', { statusCode: 500 }, 500],
    ['response.status', { response: { status: 429 } }, 429],
    ['response.statusCode', { response: { statusCode: 502 } }, 502],
    ['the first number that is a failure', { status: 'UNAVAILABLE', statusCode: 503 }, 503],
    ['no success', { status: 200 }, undefined],
    ['no exit code', { status: 1 }, undefined],
    ['nothing beyond HTTP', { status: 600 }, undefined],
    ['no text', { status: '503' }, undefined],
    ['no NaN', { status: Number.NaN }, undefined],
    ['nothing of undefined', undefined, undefined],
  ])('takes %s', (_, error, expected) => {
    expect(statusOf(error)).toBe(expected);
  });
});

describe('classifyStatus', () => {
  it.each([
    [400, 'final', 'none'],
    [401, 'final', 'none'],
    [404, 'final', 'none'],
    [408, 'retryable', 'none'],
    [409, 'final', 'none'],
    [425, 'retryable', 'none'],
    [429, 'rate_limited', 'none'],
    [499, 'final', 'none'],
    [500, 'retryable', 'unknown'],
    [501, 'final', 'none'],
    [502, 'retryable', 'unknown'],
    [503, 'retryable', 'unknown'],
    [504, 'retryable', 'unknown'],
    [505, 'final', 'none'],
    [599, 'retryable', 'unknown'],
  ])('%d is %s with effect %s', (status, errorClass, effect) => {
    expect(classifyStatus(status, false)).toEqual({ errorClass, effect });
  });

  it('takes a 503 with a hint for a rate limit, and no other status', () => {
    expect(classifyStatus(503, true)).toEqual({ errorClass: 'rate_limited', effect: 'none' });
    expect(classifyStatus(500, true)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
    expect(classifyStatus(404, true)).toEqual({ errorClass: 'final', effect: 'none' });
  });
});
