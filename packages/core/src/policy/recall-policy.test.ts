import v8 from 'node:v8';
import vm from 'node:vm';
import { settle } from '@redrive/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Policy } from './policy.ts';

describe('recallPolicy', () => {
  // Each test remembers for itself, and has its own copy of the class of resolved policies.
  let recallPolicy: typeof import('./define-policy.ts').recallPolicy;
  let definePolicy: typeof import('./define-policy.ts').definePolicy;
  beforeEach(async () => {
    vi.resetModules();
    ({ recallPolicy } = await import('./define-policy.ts'));
    ({ definePolicy } = await import('./define-policy.ts'));
  });

  it('gives a resolved policy back as it is', () => {
    const policy = definePolicy({ maxAttempts: 5 });
    expect(recallPolicy(policy)).toBe(policy);
  });

  it('recognises a literal by its values', () => {
    const first = recallPolicy({ maxAttempts: 5, jitter: 'full' });
    expect(recallPolicy({ maxAttempts: 5, jitter: 'full' })).toBe(first);
    expect(recallPolicy({ jitter: 'full', maxAttempts: 5 })).toBe(first);
    expect(recallPolicy({})).toEqual(definePolicy());
    expect(recallPolicy({})).toBe(recallPolicy({}));
  });

  it.each<[string, Policy]>([
    ['another value', { maxAttempts: 6, jitter: 'full' }],
    ['one field less', { maxAttempts: 5 }],
    ['one field more', { maxAttempts: 5, jitter: 'full', ttlMs: 10 }],
    ['another field', { maxAttempts: 5, backoff: 'fixed' }],
    ['no field', {}],
  ])('takes %s for another policy', (_, other) => {
    recallPolicy({ maxAttempts: 5, jitter: 'full' });
    expect(recallPolicy(other)).toEqual(definePolicy(other));
  });

  it('recognises lists by their entries', () => {
    const first = recallPolicy({ retryableExceptions: ['TimeoutError', TypeError] });
    expect(recallPolicy({ retryableExceptions: ['TimeoutError', TypeError] })).toBe(first);
    for (const retryableExceptions of [[], ['TimeoutError'], ['TimeoutError', RangeError]]) {
      expect(recallPolicy({ retryableExceptions }).retryableExceptions).toEqual(
        retryableExceptions,
      );
    }
  });

  it('notices that a shared object has changed', () => {
    const shared: { maxAttempts: number; ttlMs?: number } = { maxAttempts: 5 };
    expect(recallPolicy(shared).maxAttempts).toBe(5);
    shared.maxAttempts = 6;
    expect(recallPolicy(shared).maxAttempts).toBe(6);
    shared.ttlMs = 100;
    expect(recallPolicy(shared).ttlMs).toBe(100);
    delete shared.ttlMs;
    expect(recallPolicy(shared).ttlMs).toBe(Infinity);
    shared.maxAttempts = NaN;
    expect(() => recallPolicy(shared)).toThrow('maxAttempts');
  });

  it('notices that a list in a shared object has changed', () => {
    const retryableExceptions = ['TimeoutError'];
    const shared = { retryableExceptions };
    expect(recallPolicy(shared).retryableExceptions).toEqual(['TimeoutError']);
    retryableExceptions.push('TypeError');
    expect(recallPolicy(shared).retryableExceptions).toEqual(['TimeoutError', 'TypeError']);
    retryableExceptions.pop();
    expect(recallPolicy(shared).retryableExceptions).toEqual(['TimeoutError']);
  });

  it('refuses a bad literal each time', () => {
    for (let n = 0; n < 3; n++) {
      expect(() => recallPolicy({ maxAttempts: 0 })).toThrow('maxAttempts');
      expect(() => recallPolicy({ maxAttempt: 5 } as Policy)).toThrow('maxAttempt'); // Misspelt, as JavaScript allows.
    }
  });

  it('remembers a few literals and lets go of the others', async () => {
    const seen = Array.from(
      { length: 5_000 },
      (_, n) => new WeakRef(recallPolicy({ maxAttempts: n + 1 })),
    );
    // What a WeakRef was made of stays until the end of the turn.
    await settle();
    v8.setFlagsFromString('--expose-gc');
    vm.runInNewContext('gc')();
    const kept = seen.filter((ref) => ref.deref() !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThanOrEqual(16);
  });

  it('remembers the newest, whatever came before', () => {
    for (let n = 1; n <= 1_000; n++) recallPolicy({ maxAttempts: n });
    expect(recallPolicy({ maxAttempts: 1_000 })).toBe(recallPolicy({ maxAttempts: 1_000 }));
    expect(recallPolicy({ maxAttempts: 1 })).toEqual(definePolicy({ maxAttempts: 1 }));
  });
});
