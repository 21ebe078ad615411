import { policies } from '@redrive/testkit/arbitraries';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { isRedriveError } from '../errors/redrive-error.ts';
import { definePolicy, isDefined, isPlain } from './define-policy.ts';
import type { Policy } from './policy.ts';

interface Values {
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const isRetryable = () => true;
const knowsNothing = () => undefined;
const notNumbers = ['3', true, {}, [], () => 1, 3n, Symbol('3')];
const notTexts = [3, true, {}, ['a'], () => 'a'];
const flag: Values = { valid: [true, false], invalid: [1, 0, 'true', {}, []] };
const text: Values = { valid: ['', 'a b', 'ключ'], invalid: notTexts };
const count = (min: number): Values => ({
  valid: [min, 7, 1_000_000_000],
  invalid: [min - 1, 1.5, 1_000_000_001, Infinity, -Infinity, NaN, ...notNumbers],
});
const duration: Values = {
  valid: [0, 0.5, MAX_DURATION_MS],
  invalid: [-1, -0.001, MAX_DURATION_MS + 1, Infinity, -Infinity, NaN, ...notNumbers],
};
const limit: Values = {
  valid: [1, 0.5, MAX_DURATION_MS, Infinity],
  invalid: [0, -1, -Infinity, NaN, ...notNumbers],
};
const matchers: Values = {
  valid: [[], ['TimeoutError', TypeError, isRetryable], Object.freeze(['ECONNRESET'])],
  invalid: [[1], [undefined], [['TimeoutError']], { 0: 'TimeoutError' }, 5, true],
};

/** What each field takes and refuses, at the edges and of other types. */
const values: Record<keyof Policy, Values> = {
  id: { valid: ['a', 'a b', 'ключ'], invalid: ['', ...notTexts] },
  name: text,
  description: text,
  enabled: flag,
  maxAttempts: count(1),
  backoff: {
    valid: ['exponential', 'linear', 'fixed', 'immediate'],
    invalid: ['Exponential', '', 'constant', 1, ['fixed'], {}],
  },
  baseDelayMs: duration,
  maxDelayMs: duration,
  multiplier: {
    valid: [1, 1.1, 2, 1_000_000],
    invalid: [0.999, 0, -2, 1_000_001, Infinity, NaN, ...notNumbers],
  },
  delaysMs: {
    valid: [[0], [1, 0.5, 30_000], Array(32).fill(1)],
    invalid: [
      '1',
      [],
      [-1],
      [NaN],
      [Infinity],
      [MAX_DURATION_MS + 1],
      Array(33).fill(1),
      [[1]],
      {},
      true,
    ],
  },
  immediateFirstRetry: flag,
  jitter: {
    valid: ['none', 'full', 'equal', 'decorrelated', 'proportional'],
    invalid: ['Full', '', true, 0.1, ['full']],
  },
  jitterAmount: { valid: [0, 0.1, 1], invalid: [-0.001, 1.001, Infinity, NaN, ...notNumbers] },
  attemptTimeoutMs: limit,
  ttlMs: limit,
  horizonMs: { valid: [0, 1, Infinity], invalid: [-1, NaN, -Infinity, ...notNumbers] },
  dependency: text,
  enableCircuitBreaker: flag,
  circuitBreakerThreshold: count(1),
  circuitBreakerTimeoutMs: {
    valid: [1, 0.5, MAX_DURATION_MS],
    invalid: [0, -1, MAX_DURATION_MS + 1, Infinity, NaN, ...notNumbers],
  },
  retryableExceptions: matchers,
  nonRetryableExceptions: matchers,
  classify: {
    valid: [[], knowsNothing, [knowsNothing, knowsNothing]],
    invalid: [['TimeoutError'], 'TimeoutError', {}, 5, [[knowsNothing]]],
  },
  classifyResult: { valid: [knowsNothing], invalid: [{}, [], [knowsNothing], 'x', 5] },
  unclassified: { valid: ['retryable', 'final'], invalid: ['Final', '', 'ignored', true, []] },
  retryInnerFailures: flag,
  maxFreeWaits: count(0),
  maxFreeWaitMs: duration,
};

const fields = Object.entries(values);

/** A base that goes with every cap, so that only the field itself is tried. */
const around = (field: string) => (field === 'maxDelayMs' ? { baseDelayMs: 0 } : {});

function problemsOf(policy: unknown): { field: string; message: string }[] {
  try {
    definePolicy(policy as Policy); // Plain JavaScript may pass anything.
  } catch (error) {
    if (!isRedriveError(error, 'invalid_policy')) throw error;
    const problems = error.details.problems as { field: string; message: string }[]; // As documented.
    for (const { message } of problems) expect(error.message).toContain(message);
    return problems;
  }
  return [];
}

describe('the fields of a policy', () => {
  it.each(fields)('%s takes what is within its bounds', (field, { valid }) => {
    for (const value of valid) {
      const resolved = definePolicy({ ...around(field), [field]: value });
      const expected = value === knowsNothing && field === 'classify' ? [value] : value;
      expect(resolved[field as keyof Policy], String(value)).toEqual(expected);
    }
  });

  it.each(fields)('%s refuses what is outside, and other types', (field, { invalid }) => {
    for (const value of invalid) {
      const problems = problemsOf({ ...around(field), [field]: value });
      expect(problems, typeof value).toEqual([{ field, message: expect.stringContaining(field) }]);
    }
  });

  it.each(Object.keys(values))('%s takes undefined for absent', (field) => {
    expect(definePolicy({ [field]: undefined })).toEqual(definePolicy());
  });

  it('are all reported at once', () => {
    const wrong = fields.map(([field, { invalid }]) => [field, invalid[0]]);
    const problems = problemsOf(Object.fromEntries(wrong));
    expect(problems.map(({ field }) => field).sort()).toEqual(Object.keys(values).sort());
  });

  it('are named when they are unknown, with those that are known', () => {
    const problems = problemsOf({ maxAttempt: 3, retries: 2, constructor: 1 });
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'constructor',
      'maxAttempt',
      'retries',
    ]);
    for (const { field, message } of problems) {
      expect(message).toContain(field);
      expect(message).toContain('maxAttempts');
    }
  });
});

describe('an unknown field names the nearest one', () => {
  it.each([
    ['retries', 'retries is unknown: use maxAttempts, which counts the first call too'],
    ['maxRetries', 'maxRetries is unknown: use maxAttempts, which counts the first call too'],
    ['max_attempts', 'max_attempts is unknown (did you mean maxAttempts?)'],
    ['maxAtempts', 'maxAtempts is unknown (did you mean maxAttempts?)'],
    ['baseDelay', 'baseDelay is unknown (did you mean baseDelayMs?)'],
    ['factor', expect.stringContaining('factor is unknown; known are id, name')],
  ])('%s', (field, message) => {
    expect(problemsOf({ [field]: 5 })).toEqual([{ field, message }]);
  });
});

describe('the cap', () => {
  it.each([
    [{ baseDelayMs: 500, maxDelayMs: 499 }],
    [{ maxDelayMs: 999 }],
    [{ baseDelayMs: 0.2, maxDelayMs: 0.1 }],
  ])('below the base is refused: %j', (policy) => {
    expect(problemsOf(policy).map(({ field }) => field)).toEqual(['maxDelayMs']);
  });

  it('below the base is reported together with everything else', () => {
    const problems = problemsOf({ maxAttempts: 0, baseDelayMs: 500, maxDelayMs: 499, retries: 1 });
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'maxAttempts',
      'maxDelayMs',
      'retries',
    ]);
  });

  it('is not compared with what is no number', () => {
    const problems = problemsOf({ baseDelayMs: Symbol('500'), maxDelayMs: 499 });
    expect(problems.map(({ field }) => field)).toEqual(['baseDelayMs']);
  });

  it('may be the base, and rises with it where it is not given', () => {
    expect(definePolicy({ baseDelayMs: 500, maxDelayMs: 500 }).maxDelayMs).toBe(500);
    expect(definePolicy({ baseDelayMs: 29_999 }).maxDelayMs).toBe(30_000);
    expect(definePolicy({ baseDelayMs: 90_000 }).maxDelayMs).toBe(90_000);
  });
});

describe('a schedule', () => {
  it('needs its delays, and each is at most the cap', () => {
    const message = 'delaysMs must be 1 to 32 numbers up to maxDelayMs, not';
    const of = (policy: Policy) => problemsOf({ backoff: 'schedule', ...policy });
    expect(of({})).toEqual([{ field: 'delaysMs', message: `${message} undefined` }]);
    expect(of({ delaysMs: [5_000, 5_001], maxDelayMs: 5_000 })).toEqual([
      { field: 'delaysMs', message: `${message} an array` },
    ]);
    expect(of({ delaysMs: [5_000], maxDelayMs: 5_000 })).toEqual([]);
  });

  it('raises the cap to its longest delay where none is given', () => {
    const delaysMs = [1_000, 90_000];
    expect(definePolicy({ backoff: 'schedule', delaysMs }).maxDelayMs).toBe(90_000);
  });

  it('keeps a list of its own', () => {
    const delaysMs = [1_000];
    const policy = definePolicy({ backoff: 'schedule', delaysMs });
    delaysMs.push(2_000);
    expect(policy.delaysMs).toEqual([1_000]);
    expect(Object.isFrozen(policy.delaysMs)).toBe(true);
  });
});

describe('what is no policy', () => {
  it.each([[null], ['fixed'], [5], [true], [() => 1], [Symbol('x')]])('%s is refused', (policy) => {
    expect(problemsOf(policy)).toHaveLength(1);
  });
});

describe('definePolicy', () => {
  const defaults = {
    id: 'default',
    name: 'default',
    description: '',
    enabled: true,
    maxAttempts: 3,
    backoff: 'exponential',
    baseDelayMs: 1_000,
    maxDelayMs: 30_000,
    multiplier: 2,
    immediateFirstRetry: false,
    jitter: 'proportional',
    jitterAmount: 0.1,
    attemptTimeoutMs: Infinity,
    ttlMs: Infinity,
    horizonMs: 600_000,
    dependency: '',
    enableCircuitBreaker: false,
    circuitBreakerThreshold: 5,
    circuitBreakerTimeoutMs: 60_000,
    retryableExceptions: [],
    nonRetryableExceptions: [],
    classify: [],
    classifyResult: expect.any(Function),
    unclassified: 'retryable',
    retryInnerFailures: false,
    maxFreeWaits: 100,
    maxFreeWaitMs: 86_400_000,
  };

  it('fills in the documented defaults', () => {
    expect({ ...definePolicy() }).toEqual(defaults);
    expect({ ...definePolicy({}) }).toEqual(defaults);
    expect(definePolicy().classifyResult('anything', { attempt: 1, nowMs: 0 })).toBeUndefined();
  });

  it('derives the name from the id and the amount from the kind of jitter', () => {
    expect(definePolicy({ id: 'payments' }).name).toBe('payments');
    expect(definePolicy({ id: 'payments', name: '' }).name).toBe('');
    const amounts = ['none', 'full', 'equal', 'decorrelated', 'proportional'] as const;
    expect(amounts.map((jitter) => definePolicy({ jitter }).jitterAmount)).toEqual([
      1, 1, 1, 1, 0.1,
    ]);
    expect(definePolicy({ jitter: 'full', jitterAmount: 0 }).jitterAmount).toBe(0);
  });

  it('keeps every valid policy as it was given, and never changes the given object', () => {
    fc.assert(
      fc.property(policies(), (policy) => {
        const before = structuredClone(withoutClasses(policy));
        const frozen = Object.freeze({ ...policy });
        const resolved = definePolicy(frozen);
        for (const field in policy) {
          const given = policy[field as keyof Policy];
          if (given !== undefined) expect(resolved[field as keyof Policy]).toEqual(given);
        }
        expect(withoutClasses(policy)).toEqual(before);
        expect(definePolicy({ ...resolved })).toEqual(resolved);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives a frozen policy with lists of its own', () => {
    const retryableExceptions = ['TimeoutError'];
    const policy = definePolicy({ retryableExceptions, classify: [knowsNothing] });
    retryableExceptions.push('TypeError');
    expect(policy.retryableExceptions).toEqual(['TimeoutError']);
    for (const value of [policy, policy.retryableExceptions, policy.classify]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
    for (const list of ['retryableExceptions', 'nonRetryableExceptions', 'classify'] as const) {
      expect(Object.isFrozen(definePolicy()[list]), list).toBe(true);
    }
  });

  it('gives a resolved policy back as it is, but checks a copy of it', () => {
    const policy = definePolicy({ maxAttempts: 5 });
    expect(definePolicy(policy)).toBe(policy);
    expect(isDefined(policy)).toBe(true);
    expect(isDefined({ ...policy })).toBe(false);
    expect(problemsOf({ ...policy, maxAttempts: 0 })).toHaveLength(1);
  });

  it.each<[string, Policy, boolean]>([
    ['the default', {}, true],
    ['more attempts', { maxAttempts: 5, jitter: 'full', horizonMs: 5 }, true],
    ['the timeout of an attempt', { attemptTimeoutMs: 5 }, false],
    ['the deadline', { ttlMs: 5 }, false],
    ['a dependency', { dependency: 'payments' }, false],
    ['a look at results', { classifyResult: knowsNothing }, false],
    ['a breaker', { enableCircuitBreaker: true }, false],
  ])('knows whether there is anything to guard: %s', (_, policy, plain) => {
    expect(isPlain(definePolicy(policy))).toBe(plain);
  });

  it('uses what it has checked, also when a getter answers differently the next time', () => {
    let reads = 0;
    const shifty = {
      get maxAttempts() {
        return reads++ === 0 ? 5 : NaN;
      },
    };
    expect(definePolicy(shifty).maxAttempts).toBe(5);
  });

  it('does not use what it cannot have checked: fields that are inherited', () => {
    expect(definePolicy(Object.create({ maxAttempts: NaN })).maxAttempts).toBe(3);
  });
});

/** `structuredClone` refuses functions. */
function withoutClasses(policy: Policy): Policy {
  const names = (list: Policy['retryableExceptions']) => list?.map(String) ?? [];
  return {
    ...policy,
    retryableExceptions: names(policy.retryableExceptions),
    nonRetryableExceptions: names(policy.nonRetryableExceptions),
  };
}
