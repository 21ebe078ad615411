import { createHash } from 'node:crypto';
import {
  definePolicy,
  isRetryError,
  type Operation,
  type Policy,
  type RetryOptions,
  type RetryRecord,
  retry,
  syncSink,
} from '@redrive/core';
import { canonicalJson, computeIdempotencyKey } from '@redrive/core/idempotency';
import { getRetryManager, RetryCategory, RetryManager } from '@redrive/core/manager';
import { toAuditV1 } from '@redrive/core/records';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test, vi } from 'vitest';
import coverage from '../../vitest.coverage.config.ts';

const START_MS = Date.parse('2026-01-25T21:15:00Z');
const fails = () => Promise.reject(new Error('Connection timeout'));

/** A call in virtual time: its result or error, when each attempt began, and its audit events. */
async function called(operation: Operation<unknown>, policy: Policy, options: RetryOptions = {}) {
  const clock = virtualClock({ startMs: START_MS });
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const startsMs: number[] = [];
  const counted: Operation<unknown> = (context) => {
    startsMs.push(clock.monotonic());
    return operation(context);
  };
  const call = retry(counted, policy, { clock, events, ...options }).catch((error) => error);
  await clock.runAll();
  const outcome = await call;
  const waitsMs = startsMs.slice(1).map((ms, n) => ms - (startsMs[n] ?? 0));
  const audit = records.map(toAuditV1).filter((event) => event !== undefined);
  return { outcome, attempts: startsMs.length, waitsMs, audit };
}

describe('a policy', () => {
  const policy = definePolicy({});
  test.each([
    ['max_attempts', policy.maxAttempts, 3],
    ['base_delay', policy.baseDelayMs, 1_000],
    ['max_delay', policy.maxDelayMs, 30_000],
    ['backoff_multiplier', policy.multiplier, 2],
    ['jitter_enabled', policy.jitter !== 'none', true],
    ['jitter_factor', policy.jitterAmount, 0.1],
    ['non_retryable_exceptions', policy.nonRetryableExceptions, []],
  ])('the default of %s', (_, value, expected) => {
    expect(value).toEqual(expected);
  });

  test.each([[new Error('x')], [new RangeError('x')], ['a text'], [{ code: 'E_OWN' }]])(
    'by default an error of any kind is retried: %o',
    async (error) => {
      const { attempts } = await called(() => Promise.reject(error), {});
      expect(attempts).toBe(3);
    },
  );

  test('a custom policy: 5 attempts, 2 s to 60 s, factor 1.5, ±20 %', async () => {
    const custom: Policy = {
      maxAttempts: 5,
      baseDelayMs: 2_000,
      maxDelayMs: 60_000,
      multiplier: 1.5,
      jitter: 'proportional',
      jitterAmount: 0.2,
    };
    const { attempts, waitsMs } = await called(fails, custom);
    expect(attempts).toBe(5);
    for (const [n, nominal] of [2_000, 3_000, 4_500, 6_750].entries()) {
      expect(waitsMs[n]).toBeGreaterThanOrEqual(nominal * 0.8);
      expect(waitsMs[n]).toBeLessThanOrEqual(nominal * 1.2);
    }
  });

  test('a policy with a wrong value is refused before the first attempt', async () => {
    const operation = vi.fn(fails);
    const { outcome } = await called(operation, { maxAttempts: 0, baseDelayMs: -1 });
    expect(outcome).toMatchObject({ code: 'invalid_policy' });
    expect(operation).not.toHaveBeenCalled();
  });
});

describe('a call that never succeeds', () => {
  test('ends after its attempts, with an audit event for each failure and one for the end', async () => {
    const { outcome, attempts, audit } = await called(fails, { maxAttempts: 5 });
    expect(attempts).toBe(5);
    expect(isRetryError(outcome, 'max_attempts_exceeded')).toBe(true);
    expect(audit.map((event) => event.event_type)).toEqual([
      ...Array(4).fill('retry_attempt'),
      'retry_exhausted',
    ]);
    expect(audit.at(-1)).toMatchObject({
      total_attempts: 5,
      final_exception_type: 'Error',
      final_exception_message: 'Connection timeout',
    });
  });

  test('ends with an error that has category, attempts and operation', async () => {
    const clock = virtualClock();
    const call = new RetryManager({ clock })
      .executeWithRetry(RetryCategory.KV_DELETE, 'Delete key', fails)
      .catch((error: unknown) => error);
    await clock.runAll();
    expect(await call).toMatchObject({
      name: 'RetryError',
      category: 'RETRY_KV_DELETE',
      totalAttempts: 2,
      operation: 'Delete key',
    });
  });
});

describe('back-off', () => {
  test('is base * multiplier^(n-1), and at most the maximum', async () => {
    const { waitsMs } = await called(fails, { maxAttempts: 8, jitter: 'none' });
    expect(waitsMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('the delays of attempts 1 to 4 are 1, 2, 4 and 8 s, each at most a tenth away', async () => {
    for (let session = 0; session < 200; session += 1) {
      const { waitsMs } = await called(fails, { maxAttempts: 5 }, { sessionId: `s-${session}` });
      expect(waitsMs).toHaveLength(4);
      for (const [n, nominal] of [1_000, 2_000, 4_000, 8_000].entries()) {
        expect(waitsMs[n]).toBeGreaterThanOrEqual(nominal * 0.9);
        expect(waitsMs[n]).toBeLessThanOrEqual(nominal * 1.1);
      }
    }
  });

  test('jitter fills its band evenly on both sides, also where it is as large as the delay', async () => {
    const waits: number[] = [];
    const policy: Policy = { maxAttempts: 2, jitter: 'proportional', jitterAmount: 1 };
    for (let session = 0; session < 1_000; session += 1) {
      const { waitsMs } = await called(fails, policy, { sessionId: `s-${session}` });
      waits.push(...waitsMs);
    }
    expect(waits).toHaveLength(1_000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
    for (const quarter of [0, 500, 1_000, 1_500]) {
      const inside = waits.filter((ms) => ms >= quarter && ms < quarter + 500).length;
      expect(inside, `${quarter} to ${quarter + 500} ms`).toBeGreaterThan(200);
    }
  });

  test('without jitter callers that failed together retry together, with jitter they do not', async () => {
    const moments = async (policy: Policy) => {
      const calls = Array.from({ length: 100 }, (_, n) =>
        called(fails, { maxAttempts: 2, ...policy }, { sessionId: `s-${n}` }),
      );
      return new Set((await Promise.all(calls)).flatMap(({ waitsMs }) => waitsMs)).size;
    };
    expect(await moments({ jitter: 'none' })).toBe(1);
    expect(await moments({})).toBeGreaterThan(60);
  });
});

describe('classification', () => {
  const named = (name: string) => () => Promise.reject(Object.assign(new Error(name), { name }));
  const lists: Policy = {
    nonRetryableExceptions: ['ValueError'],
    retryableExceptions: ['ValueError', 'NetworkError'],
  };

  test.each([
    ['a list of final errors', { nonRetryableExceptions: ['ValueError', 'KeyError'] }, 'KeyError'],
    ['an error in both lists', lists, 'ValueError'],
    ['an error that a list of retryable errors leaves out', lists, 'KeyError'],
  ])('fails at once and unchanged: %s', async (_, policy, name) => {
    const error = Object.assign(new Error('no'), { name });
    const { outcome, attempts } = await called(() => Promise.reject(error), policy);
    expect(attempts).toBe(1);
    expect(outcome).toBe(error);
  });

  test.each([
    ['an error of the retryable list', lists, 'NetworkError'],
    ['an error in no list', { nonRetryableExceptions: ['ValueError'] }, 'KeyError'],
  ])('is retried: %s', async (_, policy, name) => {
    expect((await called(named(name), policy)).attempts).toBe(3);
  });
});

test('an operation is a function that is called again for each attempt', async () => {
  const answers: number[] = [];
  const { outcome } = await called(async ({ attempt }) => {
    answers.push(attempt);
    if (attempt < 3) throw new Error('not yet');
    return attempt;
  }, {});
  expect([outcome, answers]).toEqual([3, [1, 2, 3]]);
  // @ts-expect-error a promise cannot be repeated
  await expect(retry(Promise.resolve(1), {})).rejects.toMatchObject({ code: 'invalid_option' });
});

describe('an idempotency key', () => {
  const parts = [
    'kill_switch_update',
    'tenant-123',
    'corr-456',
    { switch_name: 'all_execution' },
  ] as const;

  test('is the SHA-256 of the canonical form of four members, in hex', () => {
    const { idempotencyManager } = new RetryManager();
    const [operation, tenant_id, correlation_id, additional_params] = parts;
    const canonical = canonicalJson({
      operation,
      tenant_id,
      correlation_id,
      additional_params,
    });
    const expected = createHash('sha256').update(canonical).digest('hex');
    expect(idempotencyManager.computeIdempotencyKey(...parts)).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is the same for the same parameters in any order, and another for others', () => {
    const key = (params: Record<string, unknown>) => computeIdempotencyKey('op', 't', 'c', params);
    expect(key({ a: 1, b: { c: 2, d: 3 } })).toBe(key({ b: { d: 3, c: 2 }, a: 1 }));
    expect(key({ a: 1 })).not.toBe(key({ a: 2 }));
  });

  test('takes an absent tenant, correlation id and parameters for empty ones', () => {
    expect(computeIdempotencyKey('op')).toBe(computeIdempotencyKey('op', '', '', {}));
  });
});

describe('a call with an idempotency key', () => {
  const options = { idempotencyKey: 'k', policy: { maxAttempts: 1 } };

  test('answers a second call with the stored result, without running, also of null', async () => {
    for (const value of ['stored', null]) {
      const manager = new RetryManager();
      const operation = vi.fn(() => value);
      const run = () => manager.executeWithRetry('KV_PUT', 'Put', operation, options);
      expect([await run(), await run()]).toEqual([value, value]);
      expect(operation).toHaveBeenCalledTimes(1);
    }
  });

  test('stores successful results only: after a failure it runs again', async () => {
    const manager = new RetryManager();
    await manager.executeWithRetry('KV_PUT', 'Put', fails, options).catch(() => {});
    expect(await manager.idempotencyManager.checkIdempotency('k')).toEqual({ hit: false });
    expect(await manager.executeWithRetry('KV_PUT', 'Put', () => 1, options)).toBe(1);
  });

  test('runs again after its key was cleared', async () => {
    const manager = new RetryManager();
    const operation = vi.fn(() => 'stored');
    const run = () => manager.executeWithRetry('KV_PUT', 'Put', operation, options);
    await run();
    await manager.idempotencyManager.clearIdempotency('k');
    await run();
    expect(operation).toHaveBeenCalledTimes(2);
  });
});

test('a category may be given as a member of the list or as a text', () => {
  const manager = getRetryManager();
  expect(manager.getPolicy(RetryCategory.KV_GET)).toBe(manager.getPolicy('RETRY_KV_GET'));
  expect(getRetryManager()).toBe(manager);
});

test.each([
  ['retry logic', 'run'],
  ['idempotency', 'ledger'],
  ['back-off', 'backoff'],
  ['exception classification', 'classify'],
  ['audit events', 'records'],
  ['errors', 'errors'],
])('every branch of %s is covered, or the run fails', (_, folder) => {
  expect(coverage).toMatchObject({
    test: {
      coverage: {
        thresholds: { [`packages/core/src/${folder}/**/*.ts`]: { branches: 100 } },
      },
    },
  });
});
