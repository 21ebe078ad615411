import { definePolicy, type Policy } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import type { ConfiguredPolicy } from '../config.ts';
import { buildPolicy } from '../resolve/build-policy.ts';
import { explain } from './explain.ts';

const configured = (policy: Policy): ConfiguredPolicy => ({
  ...buildPolicy('p', []),
  policy: definePolicy({ id: 'p', jitter: 'none', ...policy }),
});
const of = (policy: Policy) => explain(configured(policy));

describe('explain', () => {
  it('has one entry per wait, named after the attempt that follows', () => {
    expect(of({ maxAttempts: 3, baseDelayMs: 100 }).delays_ms).toEqual([
      { attempt: 2, nominal: 100, min: 100, max: 100 },
      { attempt: 3, nominal: 200, min: 200, max: 200 },
    ]);
    expect(of({ maxAttempts: 1 })).toMatchObject({ delays_ms: [], total_nominal_ms: 0 });
  });

  it('widens the band of decorrelated jitter from wait to wait', () => {
    const { delays_ms: delays } = of({
      jitter: 'decorrelated',
      maxAttempts: 5,
      baseDelayMs: 100,
      maxDelayMs: 1_000,
    });
    expect(delays.map(({ min, max }) => [min, max])).toEqual([
      [100, 300],
      [100, 900],
      [100, 1_000],
      [100, 1_000],
    ]);
  });

  it('counts the attempts that fit the ttl', () => {
    // Waits of 1, 2, 4, 8 s; the third would begin at 7 s.
    const policy = { maxAttempts: 5, baseDelayMs: 1_000 };
    expect(of({ ...policy, ttlMs: 7_001 }).attempts_within_ttl).toBe(4);
    expect(of({ ...policy, ttlMs: 7_000 }).attempts_within_ttl).toBe(3);
    expect(of({ ...policy, ttlMs: 1 }).attempts_within_ttl).toBe(1);
    expect(of({ ...policy, ttlMs: 15_001 }).attempts_within_ttl).toBe(5);
    expect(of(policy).attempts_within_ttl).toBe(5);
    expect(of({ ...policy, backoff: 'immediate', ttlMs: 1 }).attempts_within_ttl).toBe(5);
  });

  it('stays small and quick for a billion attempts', () => {
    const all = of({ maxAttempts: 1_000_000_000, baseDelayMs: 1_000, maxDelayMs: 1_000 });
    expect(all.delays_ms).toHaveLength(1_000);
    expect(all).toMatchObject({
      delays_truncated: true,
      total_nominal_ms: 999_999_999_000,
      attempts_within_ttl: 1_000_000_000,
    });
    const limited = of({
      maxAttempts: 1e9,
      backoff: 'fixed',
      baseDelayMs: 1_000,
      ttlMs: 20_000_500,
    });
    expect(limited.attempts_within_ttl).toBe(20_001);
    expect(of({ maxAttempts: 3 }).delays_truncated).toBe(false);
  });

  it.each<[string, Policy]>([
    ['It gives up when attempt 3 fails, after about 3 s of waiting.', {}],
    ['It gives up when attempt 3 fails, after about 300 ms of waiting.', { baseDelayMs: 100 }],
    [
      'It gives up when attempt 3 fails, after about 3 s of waiting, and at the latest 1 min 30 s after the start of the first attempt.',
      { ttlMs: 90_000 },
    ],
    ['It gives up after its TTL of 2 s: attempt 3 of 3 would start too late.', { ttlMs: 2_000 }],
    ['It makes one attempt and gives up when it fails.', { maxAttempts: 1 }],
    [
      'The policy is disabled: it makes one attempt and gives up when it fails.',
      { enabled: false },
    ],
    [
      'It gives up when attempt 3 fails, after about 2 h of waiting.',
      { backoff: 'fixed', baseDelayMs: 3_600_000 },
    ],
  ])('%s', (sentence, policy) => {
    expect(of(policy).gives_up).toBe(sentence);
  });

  it('says null where there is no limit', () => {
    expect(of({ horizonMs: Infinity })).toMatchObject({
      ttl_ms: null,
      attempt_timeout_ms: null,
      horizon_ms: null,
    });
  });

  it('can be printed as JSON without losing anything', () => {
    const explanation = of({ maxAttempts: 4 });
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });
});
