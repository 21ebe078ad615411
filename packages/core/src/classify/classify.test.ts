import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import type { Classification, Classifier, ClassifyContext } from './classification.ts';
import { type ClassifyRules, classify, isInnerGiveUp } from './classify.ts';
import type { ErrorMatcher } from './matcher.ts';

const context: ClassifyContext = { attempt: 1, nowMs: Date.parse('2026-11-15T12:00:00Z') };

const RETRYABLE = { errorClass: 'retryable', effect: 'unknown' };
const FINAL = { errorClass: 'final', effect: 'unknown' };
const IGNORED = { errorClass: 'ignored', effect: 'unknown' };

const classed = (error: unknown, rules: ClassifyRules = {}) => classify(error, rules, context);
const httpError = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`HTTP ${status}`), { name: 'HttpError', status, headers });
const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more });

/** As the runner throws it. */
function gaveUp(reason: string, more: object = {}, cause?: unknown): Error {
  const error = new RedriveError('retry_gave_up', `gave up: ${reason}`, {}, { cause });
  return Object.assign(error, { name: 'RetryError', reason, ...more });
}

describe('an error that nobody knows', () => {
  it.each([
    new Error('x'),
    'text',
    '',
    undefined,
    null,
    0,
    Number.NaN,
    7n,
    Symbol('s'),
    {},
    Object.create(null),
    () => 1,
  ])('is retryable: %s', (thrown) => {
    expect(classed(thrown)).toEqual(RETRYABLE);
  });

  it('is final where the rules say so', () => {
    expect(classed(new Error('x'), { unclassified: 'final' })).toEqual(FINAL);
    expect(classed(undefined, { unclassified: 'final' })).toEqual(FINAL);
    expect(classed(new Error('x'), { unclassified: 'retryable' })).toEqual(RETRYABLE);
  });
});

describe('the caller’s own abort', () => {
  const controller = new AbortController();
  const reason = new TypeError('the user left');
  controller.abort(reason);
  const withSignal = (error: unknown, signal: AbortSignal) =>
    classify(error, {}, { ...context, signal });

  it.each([
    new DOMException('stop', 'AbortError'),
    Object.assign(new Error('stop'), { name: 'AbortError' }),
    coded('ABORT_ERR'),
  ])('is ignored: %s', (error) => {
    expect(classed(error)).toEqual(IGNORED);
  });

  it('is ignored whatever the reason is called', () => {
    expect(withSignal(reason, controller.signal)).toEqual(IGNORED);
    expect(withSignal(reason, new AbortController().signal)).toEqual(FINAL);
    expect(withSignal(new Error('another'), controller.signal)).toEqual(RETRYABLE);
  });

  it('is not every error thrown before the abort', () => {
    expect(withSignal(undefined, new AbortController().signal)).toEqual(RETRYABLE);
  });

  it('wins over the lists and the classifiers', () => {
    const rules: ClassifyRules = {
      retryableExceptions: ['AbortError'],
      nonRetryableExceptions: ['AbortError'],
      classify: () => ({ errorClass: 'final', effect: 'none' }),
    };
    expect(classed(new DOMException('stop', 'AbortError'), rules)).toEqual(IGNORED);
  });

  it('is only the signal’s own where stored work says so: nobody cancelled it, and it is not done', () => {
    const rules: ClassifyRules = { strayAborts: 'classified' };
    expect(classed(new DOMException('stop', 'AbortError'), rules)).toEqual(RETRYABLE);
    expect(classify(reason, rules, { ...context, signal: controller.signal })).toEqual(IGNORED);
  });

  it('is not a time-out', () => {
    expect(classed(new DOMException('late', 'TimeoutError'))).toEqual(RETRYABLE);
  });

  it('is not an abort further down, which somebody else asked for', () => {
    expect(classed(new Error('x', { cause: new DOMException('stop', 'AbortError') }))).toEqual(
      RETRYABLE,
    );
  });
});

describe('what an inner session gave up', () => {
  const exhausted = gaveUp('max_attempts_exceeded', {}, httpError(429, { 'retry-after': '3' }));

  it('is final', () => {
    expect(classed(exhausted)).toEqual(FINAL);
    expect(classed(new Error('wrapped', { cause: exhausted }))).toEqual(FINAL);
    expect(classed({ code: 'retry_gave_up' })).toEqual(FINAL);
  });

  it('is final whatever the lists and the classifiers say', () => {
    const rules: ClassifyRules = {
      retryableExceptions: ['RetryError'],
      classify: () => ({ errorClass: 'retryable', effect: 'none' }),
    };
    expect(classed(exhausted, rules)).toEqual(FINAL);
  });

  it('means what its cause means where the policy asks for it', () => {
    expect(classed(exhausted, { retryInnerFailures: true })).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 3000,
    });
  });

  it('is retryable where the policy asks for it and the cause says nothing', () => {
    const rules: ClassifyRules = { retryInnerFailures: true, unclassified: 'final' };
    expect(classed(gaveUp('ttl_exceeded'), rules)).toEqual(RETRYABLE);
    expect(classed(gaveUp('ttl_exceeded', {}, new Error('x')), rules)).toEqual(RETRYABLE);
  });

  it('stays final when a budget refused it, even then', () => {
    const refused = gaveUp('budget_exhausted', {}, new Error('x'));
    expect(classed(refused, { retryInnerFailures: true })).toEqual(FINAL);
    const around = gaveUp('max_attempts_exceeded', {}, refused);
    expect(classed(around, { retryInnerFailures: true })).toEqual(FINAL);
  });

  it('is no rate limit when a breaker was open, although it says when to come back', () => {
    const open = gaveUp('breaker_open', { retryAfterMs: 5000, retryAfter: 5 });
    expect(classed(open)).toEqual(FINAL);
    expect(classed(open, { retryInnerFailures: true })).toEqual(RETRYABLE);
    const plain = { code: 'retry_gave_up', reason: 'breaker_open', retryAfterMs: 5000 };
    expect(classed(plain, { retryInnerFailures: true })).toEqual(RETRYABLE);
  });
});

describe('isInnerGiveUp', () => {
  it('finds it through causes', () => {
    expect(isInnerGiveUp(gaveUp('ttl_exceeded'))).toBe(true);
    expect(isInnerGiveUp(new Error('x', { cause: gaveUp('ttl_exceeded') }))).toBe(true);
    expect(isInnerGiveUp(new AggregateError([new Error('y'), gaveUp('ttl_exceeded')]))).toBe(true);
  });

  it('says no for anything else and never throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [new Error('x'), undefined, 'retry_gave_up', coded('other'), proxy]) {
      expect(isInnerGiveUp(thrown)).toBe(false);
    }
  });
});

describe('the lists', () => {
  it('make final what is not to be retried', () => {
    const rules = { nonRetryableExceptions: ['HttpError', RangeError] };
    expect(classed(httpError(500), rules)).toEqual(FINAL);
    expect(classed(httpError(429), rules)).toEqual({ errorClass: 'final', effect: 'none' });
    expect(classed(new RangeError('x'), rules)).toEqual(FINAL);
    expect(classed(new Error('x'), rules)).toEqual(RETRYABLE);
  });

  it('are exclusive where they name what may be retried', () => {
    const rules = { retryableExceptions: ['TimeoutError', 'ConnectionError'] };
    expect(classed(coded('ETIMEDOUT'), rules)).toEqual(RETRYABLE);
    expect(classed(new Error('x', { cause: coded('ECONNRESET') }), rules)).toEqual(RETRYABLE);
    expect(classed(new AggregateError([coded('ECONNREFUSED')]), rules)).toEqual({
      ...RETRYABLE,
      effect: 'none',
    });
    expect(classed(new Error('x'), rules)).toEqual(FINAL);
    expect(classed(httpError(503), rules)).toEqual(FINAL);
    expect(classed(httpError(429, { 'retry-after': '1' }), rules).errorClass).toBe('final');
  });

  it('do not retry what is in both', () => {
    const rules = { retryableExceptions: ['HttpError'], nonRetryableExceptions: ['HttpError'] };
    expect(classed(httpError(500), rules)).toEqual(FINAL);
  });

  it('do nothing when empty', () => {
    const rules = { retryableExceptions: [], nonRetryableExceptions: [] };
    expect(classed(new Error('x'), rules)).toEqual(RETRYABLE);
    expect(classed(httpError(404), rules).errorClass).toBe('final');
  });

  it('keep the rate limit and the hint of what they want retried', () => {
    const rules = { retryableExceptions: ['HttpError'] };
    expect(classed(httpError(429, { 'retry-after': '2' }), rules)).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 2000,
    });
  });

  it('win over the built-in rules and over classifiers', () => {
    const wanted = { retryableExceptions: ['HttpError', TypeError] };
    expect(classed(httpError(404), wanted)).toEqual({ errorClass: 'retryable', effect: 'none' });
    expect(classed(new TypeError('x is not a function'), wanted)).toEqual(RETRYABLE);
    const final: Classifier = () => ({ errorClass: 'final', effect: 'applied' });
    expect(classed(httpError(500), { ...wanted, classify: final })).toEqual({
      errorClass: 'retryable',
      effect: 'applied',
    });
    const retryable: Classifier = () => ({ errorClass: 'retryable', effect: 'none' });
    const unwanted = { nonRetryableExceptions: ['HttpError'], classify: retryable };
    expect(classed(httpError(500), unwanted)).toEqual({ errorClass: 'final', effect: 'none' });
  });

  it.each([['Exception'], ['Error'], [Error]])(
    'leave it to the other rules when %s is named',
    (all) => {
      const rules: ClassifyRules = { retryableExceptions: [all], unclassified: 'final' };
      expect(classed(new Error('x'), rules)).toEqual(RETRYABLE);
      expect(classed('text', rules)).toEqual(RETRYABLE);
      expect(classed(httpError(404), rules).errorClass).toBe('final');
      expect(classed(new ReferenceError('x'), rules)).toEqual(FINAL);
      const both = { retryableExceptions: [all, 'HttpError'] };
      expect(classed(httpError(404), both).errorClass).toBe('retryable');
      expect(classed(new Error('x'), { nonRetryableExceptions: [all] })).toEqual(FINAL);
    },
  );

  it('make retryable what would be final for want of a rule', () => {
    const rules: ClassifyRules = {
      retryableExceptions: ['DocumentNotFound'],
      unclassified: 'final',
    };
    expect(classed(coded('DocumentNotFound'), rules)).toEqual(RETRYABLE);
    expect(classed(new Error('x'), rules)).toEqual(FINAL);
  });

  it('take a predicate that throws as one that does not match', () => {
    const broken: ErrorMatcher = () => {
      throw new Error('broken');
    };
    expect(classed(new Error('x'), { nonRetryableExceptions: [broken] })).toEqual(RETRYABLE);
    expect(classed(new Error('x'), { retryableExceptions: [broken] })).toEqual(FINAL);
  });
});

describe('classifiers', () => {
  const unknowing: Classifier = () => undefined;
  const limited: Classifier = () => ({ errorClass: 'rate_limited', effect: 'none' });
  const broken: Classifier = () => {
    throw new Error('broken');
  };

  it('are asked in order; the first answer counts', () => {
    const answer = { errorClass: 'rate_limited', effect: 'none' };
    expect(classed(new Error('x'), { classify: limited })).toEqual(answer);
    expect(classed(new Error('x'), { classify: [unknowing, limited, broken] })).toEqual(answer);
    expect(classed(httpError(404), { classify: limited })).toEqual(answer);
    expect(classed(httpError(404), { classify: unknowing }).errorClass).toBe('final');
  });

  it('get the thrown value and the context', () => {
    const seen: unknown[] = [];
    const error = new Error('outer', { cause: new Error('inner') });
    const spy: Classifier = (...all) => void seen.push(...all);
    classify(error, { classify: spy }, context);
    expect(seen).toEqual([error, context]);
    expect(seen[0]).toBe(error);
  });

  it('are passed over when they throw', () => {
    expect(classed(new Error('x'), { classify: broken })).toEqual(RETRYABLE);
    expect(classed(new Error('x'), { classify: [broken, limited] }).errorClass).toBe(
      'rate_limited',
    );
  });

  it('are passed over when they answer with something else', () => {
    // What an untyped caller may write: an async classifier, a boolean, a part of an answer.
    const odd = [
      async () => limited,
      () => true,
      () => null,
      () => ({}),
    ] as unknown as Classifier[];
    expect(classed(new Error('x'), { classify: odd })).toEqual(RETRYABLE);
  });

  it('may leave out the effect', () => {
    const partial = (() => ({ errorClass: 'retryable' })) as unknown as Classifier;
    expect(classed(new Error('x'), { classify: partial })).toEqual(RETRYABLE);
  });

  it('may ignore an error, which no list overrules', () => {
    const ignore: Classifier = () => ({ errorClass: 'ignored', effect: 'none' });
    const rules = {
      classify: ignore,
      nonRetryableExceptions: ['Error'],
      retryableExceptions: ['X'],
    };
    expect(classed(new Error('x'), rules)).toEqual({ errorClass: 'ignored', effect: 'none' });
  });

  it('do not lose the hint of the error, but may replace it', () => {
    const error = httpError(429, { 'retry-after': '9' });
    expect(classed(error, { classify: limited }).retryAfterMs).toBe(9000);
    const own: Classifier = () => ({ errorClass: 'retryable', effect: 'none', retryAfterMs: 0 });
    expect(classed(error, { classify: own }).retryAfterMs).toBe(0);
  });

  it.each([
    [Number.NaN, undefined],
    [-5, undefined],
    [Number.POSITIVE_INFINITY, MAX_DURATION_MS],
    [1e300, MAX_DURATION_MS],
  ])('have their hint of %d bounded', (retryAfterMs, expected) => {
    const odd: Classifier = () => ({ errorClass: 'rate_limited', effect: 'none', retryAfterMs });
    expect(classed(new Error('x'), { classify: odd }).retryAfterMs).toBe(expected);
  });
});

describe('statuses and hints', () => {
  it('are found on a cause', () => {
    const error = new Error('request failed', { cause: httpError(503, { 'retry-after': '4' }) });
    expect(classed(error)).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 4000,
    });
  });

  it('are found on a thrown Response', () => {
    const response = new Response(null, { status: 429, headers: { 'Retry-After': '0' } });
    expect(classed(response)).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 0,
    });
  });

  it('give a failing server its wait without calling it a rate limit', () => {
    expect(classed(httpError(500, { 'retry-after': '4' }))).toEqual({
      ...RETRYABLE,
      retryAfterMs: 4000,
    });
  });

  it('give a final error no hint', () => {
    expect(classed(httpError(404, { 'retry-after': '4' }))).toEqual({
      errorClass: 'final',
      effect: 'none',
    });
  });

  it('make a rate limit of a hint that stands alone', () => {
    const error = Object.assign(new Error('slow down'), { retryAfter: 30 });
    const expected = { errorClass: 'rate_limited', effect: 'unknown', retryAfterMs: 30_000 };
    expect(classed(error)).toEqual(expected);
    expect(classed(error, { unclassified: 'final' })).toEqual(expected);
  });

  it('come before the programmer’s errors', () => {
    expect(classed(new TypeError('bad answer', { cause: httpError(502) }))).toEqual(RETRYABLE);
  });
});

describe('the programmer’s errors', () => {
  it.each([new ReferenceError('x'), new SyntaxError('x'), new TypeError('x is not a function')])(
    'are final: %s',
    (error) => {
      expect(classed(error)).toEqual(FINAL);
      expect(classed(new Error('wrapped', { cause: error }))).toEqual(FINAL);
    },
  );

  it('do not include those of the network, nor a RangeError', () => {
    expect(classed(new TypeError('fetch failed', { cause: coded('ECONNRESET') }))).toEqual(
      RETRYABLE,
    );
    expect(classed(new TypeError('Failed to fetch'))).toEqual(RETRYABLE);
    expect(classed(new RangeError('x'))).toEqual(RETRYABLE);
  });
});

describe('Redrive’s own errors', () => {
  it.each([
    ['attempt_timeout', 'retryable', 'unknown'],
    ['store_unavailable', 'retryable', 'unknown'],
    ['idempotency_lost', 'retryable', 'unknown'],
    ['lease_lost', 'retryable', 'unknown'],
    ['wait_timeout', 'retryable', 'unknown'],
    ['bulkhead_full', 'retryable', 'none'],
    ['idempotency_in_progress', 'retryable', 'none'],
    ['invalid_policy', 'final', 'none'],
    ['idempotency_conflict', 'final', 'none'],
    ['ledger_full', 'final', 'none'],
  ] as const)('%s is %s with effect %s', (code, errorClass, effect) => {
    const rules: ClassifyRules = { unclassified: errorClass === 'final' ? 'retryable' : 'final' };
    expect(classed(new RedriveError(code, 'x'), rules)).toEqual({ errorClass, effect });
  });

  it('carry no hint', () => {
    const error = Object.assign(new RedriveError('bulkhead_full', 'x'), { retryAfterMs: 5 });
    expect(classed(error)).toEqual({ errorClass: 'retryable', effect: 'none' });
  });
});

describe('any thrown value', () => {
  const anything = () =>
    fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      maxDepth: 1,
    });

  /** Values under the names that the rules look at. */
  const likely = (depth: number): fc.Arbitrary<unknown> => {
    const value = fc.oneof(anything(), fc.integer({ min: 0, max: 700 }), fc.double());
    const names = fc.constantFrom('TypeError', 'AbortError', 'RetryError', 'RedriveError');
    const codes = fc.constantFrom('retry_gave_up', 'attempt_timeout', 'ECONNRESET', 'ABORT_ERR');
    const headers = fc
      .tuple(fc.constantFrom('Retry-After', 'retry-after-ms', 'date'), value)
      .map(([name, value]) => ({ [name]: value }));
    const inner = depth > 0 ? likely(depth - 1) : value;
    const part = fc.oneof(
      names.map((name) => ({ name, details: {} })),
      codes.map((code) => ({ code })),
      headers.map((headers) => ({ headers })),
      headers.map((headers) => ({ response: { headers } })),
      inner.map((cause) => ({ cause })),
      fc.array(inner, { maxLength: 2 }).map((errors) => ({ errors })),
      fc.constant({ reason: 'budget_exhausted' }),
      fc
        .tuple(
          fc.constantFrom(
            'name',
            'code',
            'status',
            'statusCode',
            'response',
            'retryAfterMs',
            'retryAfter',
          ),
          value,
        )
        .map(([name, value]) => ({ [name]: value })),
    );
    return fc
      .tuple(part, part, part, fc.boolean())
      .map(([one, two, three, isError]) =>
        Object.assign(isError ? new Error('x') : {}, one, two, three),
      );
  };

  const throwsAlways = () => {
    throw new Error('broken');
  };
  const matcher = fc.constantFrom<ErrorMatcher>(
    'TimeoutError',
    'NetworkError',
    'X',
    'Error',
    TypeError,
    throwsAlways,
  );
  const answers = anything().map((answer) => (() => answer) as unknown as Classifier);
  const rules: fc.Arbitrary<ClassifyRules> = fc.record(
    {
      retryableExceptions: fc.array(matcher, { maxLength: 3 }),
      nonRetryableExceptions: fc.array(matcher, { maxLength: 3 }),
      classify: fc.oneof(
        answers,
        fc.array(fc.oneof(answers, fc.constant(throwsAlways)), { maxLength: 3 }),
      ),
      retryInnerFailures: fc.boolean(),
      unclassified: fc.constantFrom('final', 'retryable'),
    },
    { requiredKeys: [] },
  );

  const isSound = ({ errorClass, effect, retryAfterMs }: Classification) =>
    ['final', 'retryable', 'rate_limited', 'ignored'].includes(errorClass) &&
    ['none', 'unknown', 'applied'].includes(effect) &&
    (retryAfterMs === undefined ||
      (Number.isSafeInteger(retryAfterMs) && retryAfterMs >= 0 && retryAfterMs <= MAX_DURATION_MS));

  it('gets a sound answer', () => {
    fc.assert(
      fc.property(fc.oneof(anything(), likely(2)), rules, (thrown, rules) => {
        expect(classed(thrown, rules)).toSatisfy(isSound);
        expect(isInnerGiveUp(thrown)).toBeTypeOf('boolean');
      }),
      { numRuns: 10_000 },
    );
  });

  describe('that cannot be looked at', () => {
    const explode = () => {
      throw new Error('do not look at me');
    };
    const traps = { get: explode, has: explode, getPrototypeOf: explode, ownKeys: explode };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostiles: [string, unknown][] = [
      ['a proxy that throws', new Proxy({}, traps)],
      ['a proxy of an error that throws', new Proxy(new Error('x'), traps)],
      ['a revoked proxy', revoked],
      ['a getter that throws', Object.defineProperty(new Error('x'), 'cause', { get: explode })],
    ];

    it.each(hostiles)('is unclassified: %s', (_, thrown) => {
      expect(classed(thrown)).toEqual(RETRYABLE);
      expect(classed(thrown, { unclassified: 'final' })).toEqual(FINAL);
      expect(isInnerGiveUp(thrown)).toBe(false);
    });

    it.each(hostiles)('gets a sound answer wherever it hides: %s', (_, hidden) => {
      const everyList = {
        nonRetryableExceptions: ['X', TypeError],
        retryableExceptions: ['TimeoutError'],
      };
      const keys = ['name', 'code', 'message', 'reason', 'status', 'statusCode', 'response'];
      for (const key of [...keys, 'headers', 'retryAfterMs', 'retryAfter', 'cause', 'errors']) {
        for (const value of [
          hidden,
          [hidden],
          { get: hidden },
          { headers: hidden, status: hidden },
        ]) {
          const thrown = { status: 429, [key]: value };
          for (const each of [
            thrown,
            Object.assign(new Error('x'), thrown),
            new Error('x', { cause: thrown }),
          ]) {
            expect(classed(each)).toSatisfy(isSound);
            expect(classed(each, everyList)).toSatisfy(isSound);
          }
        }
      }
    });
  });

  it('always means the same', () => {
    fc.assert(
      fc.property(likely(1), rules, (thrown, rules) => {
        expect(classed(thrown, rules)).toEqual(classed(thrown, rules));
      }),
      { numRuns: 1000 },
    );
  });
});

it('reads what a class of errors computes: it is no error with only a message', () => {
  class Refused extends Error {
    get status() {
      return 400;
    }
  }
  expect(classify(new Refused('no'))).toEqual({ errorClass: 'final', effect: 'none' });
});

it.each([
  ['status', 400, { errorClass: 'final', effect: 'none' }],
  ['retryAfter', 5, { errorClass: 'rate_limited', retryAfterMs: 5_000 }],
  ['code', 'ABORT_ERR', { errorClass: 'ignored' }],
])('reads a %s that loops over an error do not show', (name, value, expected) => {
  const error = Object.defineProperty(new Error('no'), name, { value, enumerable: false });
  expect(classify(error)).toMatchObject(expected);
});
