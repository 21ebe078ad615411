import type { Policy } from '@redrive/core';
import fc from 'fast-check';

/** Ten years, the longest duration that a policy takes. */
const MAX_DURATION_MS = 315_360_000_000;

/** Mostly what people write, sometimes the edges of what is allowed. */
const durationsMs = fc.oneof(
  { weight: 6, arbitrary: fc.nat(120_000) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1_000, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, MAX_DURATION_MS) },
);
const positiveMs = durationsMs.map((ms) => Math.max(ms, 0.5));
const limitsMs = fc.oneof(positiveMs, fc.constant(Number.POSITIVE_INFINITY));
const counts = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 1_000_000, 1_000_000_000) },
);
const errorNames = fc.constantFrom(
  'TimeoutError',
  'NetworkError',
  'ECONNRESET',
  'Error',
  'MyError',
);
const matchers = fc.array(fc.oneof(errorNames, fc.constantFrom(TypeError, RangeError)), {
  maxLength: 3,
});
const names = fc.constantFrom('payments', 'a b', 'ключ', 'x'.repeat(200));

/**
 * Policies that `definePolicy` accepts, with any of their fields left out. Fields that hold functions (`classify`,
 * `classifyResult`) are never set.
 */
export function policies(): fc.Arbitrary<Policy> {
  const fields = {
    id: names,
    enabled: fc.boolean(),
    maxAttempts: counts,
    backoff: fc.constantFrom('exponential', 'linear', 'fixed', 'immediate', 'schedule'),
    delaysMs: fc.array(durationsMs, { minLength: 1, maxLength: 32 }),
    baseDelayMs: durationsMs,
    maxDelayMs: durationsMs,
    multiplier: fc.oneof(
      fc.double({ min: 1, max: 10, noNaN: true }),
      fc.constantFrom(1, 2, 1_000_000),
    ),
    immediateFirstRetry: fc.boolean(),
    jitter: fc.constantFrom('none', 'full', 'equal', 'decorrelated', 'proportional'),
    jitterAmount: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1)),
    attemptTimeoutMs: limitsMs,
    ttlMs: limitsMs,
    horizonMs: fc.oneof(durationsMs, fc.constant(Number.POSITIVE_INFINITY)),
    dependency: fc.oneof(names, fc.constant('')),
    enableCircuitBreaker: fc.boolean(),
    circuitBreakerThreshold: counts,
    circuitBreakerTimeoutMs: positiveMs,
    retryableExceptions: matchers,
    nonRetryableExceptions: matchers,
    unclassified: fc.constantFrom('retryable', 'final'),
    retryInnerFailures: fc.boolean(),
    maxFreeWaits: fc.nat(1_000),
    maxFreeWaitMs: durationsMs,
  } as const;
  return fc.record(fields, { requiredKeys: [] }).map(withoutContradictions);
}

/** A cap below a delay is refused, and the first delay is a second where it is not given. A schedule needs delays. */
function withoutContradictions<P extends Policy>(policy: P): P {
  const { backoff, baseDelayMs = 1_000, maxDelayMs, delaysMs } = policy;
  const delays = delaysMs ?? (backoff === 'schedule' ? [baseDelayMs] : undefined);
  return {
    ...policy,
    ...(delays === undefined ? {} : { delaysMs: delays }),
    ...(maxDelayMs === undefined
      ? {}
      : { maxDelayMs: Math.max(maxDelayMs, baseDelayMs, ...(delays ?? [])) }),
  };
}

/**
 * Arbitrary thrown values: errors of many kinds with codes, statuses and causes, but also strings, `undefined`, frozen and
 * circular objects, and ones whose getters throw. Code that looks into errors must survive all of them.
 */
export function thrownValues(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    any: fc.oneof(
      { weight: 4, arbitrary: tie('error') },
      { weight: 2, arbitrary: tie('plainObject') },
      { weight: 1, arbitrary: fc.anything() },
      { weight: 1, arbitrary: oddities },
    ),
    error: fc
      .record({ make: errorMakers, message: fc.string(), fields: tie('fields') })
      .map(({ make, message, fields }) => Object.assign(make(message), fields)),
    plainObject: tie('fields'),
    fields: fc.record(
      {
        name: errorNames,
        code: fc.oneof(codes, fc.integer()),
        status: statuses,
        statusCode: statuses,
        headers: fc.record({ 'retry-after': fc.oneof(fc.nat(100).map(String), fc.string()) }),
        cause: fc.oneof({ maxDepth: 4 }, fc.constant(undefined), tie('any')),
      },
      { requiredKeys: [] },
    ),
  })).any;
}

const codes = fc.constantFrom(
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  '40001',
  'UND_ERR_SOCKET',
  '',
);
const statuses = fc.oneof(fc.constantFrom(200, 400, 404, 408, 429, 500, 503), fc.anything());

const errorMakers = fc.constantFrom<((message: string) => Error)[]>(
  (message) => new Error(message),
  (message) => new TypeError(message),
  (message) => new RangeError(message),
  (message) => new AggregateError([new Error(message), undefined], message),
);

const oddities = fc
  .constantFrom<(() => unknown)[]>(
    () => undefined,
    () => null,
    () => 'out of order',
    () => Symbol('failure'),
    () => new DOMException('Aborted', 'AbortError'),
    () => new DOMException('Too slow', 'TimeoutError'),
    () => Object.freeze(new Error('frozen')),
    () => Object.create(null),
    () => circular(),
    () => withThrowingGetters(),
  )
  .map((make) => make());

function circular(): Error {
  const error = new Error('circular');
  error.cause = error;
  return error;
}

function withThrowingGetters(): Error {
  const thrower = {
    get(): never {
      throw new Error('No entry');
    },
  };
  const error = new Error('guarded');
  return Object.defineProperties(error, {
    name: thrower,
    code: thrower,
    status: thrower,
    cause: thrower,
  });
}
