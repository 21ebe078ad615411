import { describe, expect, it } from 'vitest';
import { classify } from '../classify.ts';
import { httpErrors, httpResponses } from './http.ts';
import { HTTP_ROWS } from './http-rows.ts';

const context = { attempt: 1, nowMs: Date.parse('2026-11-15T12:00:00Z') };

/** As ky, got, axios, undici and a hand-written wrapper would throw it. */
const shapes = (status: number, headers: Record<string, string> = {}) => [
  Object.assign(new Error(), {
    name: 'HTTPError',
    response: new Response(null, { status, headers }),
  }),
  Object.assign(new Error(), { name: 'HTTPError', response: { statusCode: status, headers } }),
  Object.assign(new Error(), {
    name: 'AxiosError',
    code: 'ERR_BAD_RESPONSE',
    status,
    response: { status, headers },
  }),
  Object.assign(new Error(), {
    name: 'ResponseError',
    code: 'UND_ERR_RESPONSE',
    statusCode: status,
    headers,
  }),
  new Error('call failed', { cause: Object.assign(new Error(), { status, headers }) }),
];

const expected = [
  ['retryable', 'none', '408 421 425 525'],
  ['retryable', 'unknown', '500 502 503 504 520 521 522 523 524 530 598 599'],
  ['rate_limited', 'none', '429 509 529'],
  ['final', 'none', '400 401 402 403 404 405 406 407 409 410 411 412 413 414 415 416 417 418'],
  ['final', 'none', '422 423 424 426 428 431 451 501 505 506 507 508 510 511 526'],
  ['final', 'unknown', '499'],
] as const;
const rows = expected.flatMap(([errorClass, effect, codes]) =>
  codes.split(' ').map((code) => [Number(code), errorClass, effect] as const),
);

describe('httpErrors', () => {
  it.each(rows)('%d is %s with effect %s', (status, errorClass, effect) => {
    for (const error of shapes(status)) {
      expect(httpErrors(error, context)).toEqual({ errorClass, effect });
    }
  });

  it('has no row that is not tested', () => {
    expect(rows.map(([status]) => String(status)).sort()).toEqual(Object.keys(HTTP_ROWS).sort());
  });

  it.each([
    [499 - 1, 'final', 'none'],
    [450, 'final', 'none'],
    [512, 'retryable', 'unknown'],
    [597, 'retryable', 'unknown'],
  ])('counts the unlisted %d like its class', (status, errorClass, effect) => {
    expect(httpErrors({ status }, context)).toEqual({ errorClass, effect });
  });

  it.each([
    [403, 'rate_limited', 'none'],
    [409, 'retryable', 'none'],
    [413, 'rate_limited', 'none'],
    [423, 'retryable', 'none'],
    [429, 'rate_limited', 'none'],
    [500, 'retryable', 'unknown'],
    [503, 'rate_limited', 'none'],
  ])('%d with a Retry-After is %s with effect %s', (status, errorClass, effect) => {
    for (const error of shapes(status, { 'Retry-After': '7' })) {
      const answer = { errorClass, effect, retryAfterMs: 7000 };
      expect(httpErrors(error, context)).toEqual(answer);
      expect(classify(error, { classify: httpErrors }, context)).toEqual(answer);
    }
  });

  it.each([400, 404, 412, 501])('%d stays final whatever it says about later', (status) => {
    const error = { status, headers: { 'retry-after': '7' } };
    expect(httpErrors(error, context)).toEqual({ errorClass: 'final', effect: 'none' });
  });

  it.each([409, 412, 423])('%d on a later attempt may be our own doing', (status) => {
    expect(httpErrors({ status }, { ...context, attempt: 2 })).toEqual({
      errorClass: 'final',
      effect: 'unknown',
    });
    expect(httpErrors({ status: 404 }, { ...context, attempt: 2 })?.effect).toBe('none');
  });

  it('knows the headers of vendors, on the error and on its response', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' };
    const answer = { errorClass: 'rate_limited', effect: 'none', retryAfterMs: 60_000 };
    expect(httpErrors({ status: 403, headers }, context)).toEqual(answer);
    expect(httpErrors({ response: { status: 403, headers } }, context)).toEqual(answer);
  });

  it('takes a quota’s reset alone for a hint only on a 429', () => {
    const headers = { 'ratelimit-reset': '60' };
    expect(httpErrors({ status: 429, headers }, context)?.retryAfterMs).toBe(60_000);
    expect(httpErrors({ response: { status: 429, headers } }, context)?.retryAfterMs).toBe(60_000);
    expect(httpErrors({ status: 500, headers }, context)?.retryAfterMs).toBeUndefined();
  });

  it.each([new Error('x'), undefined, 'text', { status: 200 }])('does not know %s', (error) => {
    expect(httpErrors(error, context)).toBeUndefined();
  });
});

describe('httpResponses', () => {
  const respond = (status: number, headers: Record<string, string> = {}) =>
    new Response(null, { status, headers });

  it('classifies a failed Response', () => {
    expect(httpResponses(respond(503))).toEqual({ errorClass: 'retryable', effect: 'unknown' });
    expect(httpResponses(respond(404))).toEqual({ errorClass: 'final', effect: 'none' });
    expect(httpResponses(respond(429, { 'Retry-After': '2' }))).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 2000,
    });
  });

  it('reads a date beside the server’s own, or with the context’s clock', () => {
    const later = 'Sun, 15 Nov 2026 12:01:00 GMT';
    const date = 'Sun, 15 Nov 2026 12:00:30 GMT';
    const both = respond(503, { 'retry-after': later, date });
    const alone = respond(503, { 'retry-after': later });
    expect(httpResponses(both)?.retryAfterMs).toBe(30_000);
    expect(httpResponses(both, context)?.retryAfterMs).toBe(30_000);
    expect(httpResponses(alone, context)?.retryAfterMs).toBe(60_000);
    expect(httpResponses(alone)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
  });

  it('classifies what other clients return', () => {
    expect(httpResponses({ statusCode: 502, headers: {} })?.errorClass).toBe('retryable');
  });

  it('knows the attempt', () => {
    expect(httpResponses(respond(409), { ...context, attempt: 2 })?.effect).toBe('unknown');
    expect(httpResponses(respond(409))?.effect).toBe('none');
  });

  it.each([undefined, null, 'text', 7, { status: 404 }, [], new Map()])(
    'leaves %j alone',
    (value) => {
      expect(httpResponses(value)).toBeUndefined();
    },
  );

  it('leaves success alone, and what cannot be looked at', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(httpResponses(respond(200))).toBeUndefined();
    expect(httpResponses(proxy)).toBeUndefined();
  });
});
