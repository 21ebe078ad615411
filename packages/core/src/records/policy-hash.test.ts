import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { definePolicy } from '../policy/define-policy.ts';
import { acceptEveryValue } from '../policy/fields.ts';
import { hashPolicy } from './policy-hash.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('is the SHA-256 of the canonical JSON', () => {
  expect(hashPolicy({ maxAttempts: 3, baseDelayMs: 100 })).toBe(
    sha256('{"baseDelayMs":100,"maxAttempts":3}'),
  );
});

test('functions, classes, patterns and numbers without a JSON form stand there in words', () => {
  class QuotaError extends Error {}
  const policy = {
    classify: function classifyAll() {},
    retryableExceptions: [QuotaError, 'ECONNRESET', /E.*/],
    ttlMs: Number.POSITIVE_INFINITY,
    large: 2 ** 53,
    name: 'lone \uD800',
    none: null,
    flag: true,
  };
  expect(hashPolicy(policy)).toBe(
    sha256(
      '{"classify":"function classifyAll","flag":true,"large":"9007199254740992","name":"lone \uFFFD","none":null,' +
        '"retryableExceptions":["function QuotaError","ECONNRESET","/E.*/"],"ttlMs":"Infinity"}',
    ),
  );
});

test('equal policies have equal hashes, other policies others', () => {
  const hash = hashPolicy(definePolicy({ maxAttempts: 5, baseDelayMs: 7 }));
  expect(hashPolicy(definePolicy({ baseDelayMs: 7, maxAttempts: 5 }))).toBe(hash);
  expect(hashPolicy(definePolicy({ baseDelayMs: 8, maxAttempts: 5 }))).not.toBe(hash);
});

test('the default for results is as good as none, whatever a bundler calls it', () => {
  const policy = { maxAttempts: 3, classifyResult: acceptEveryValue };
  expect(hashPolicy(policy)).toBe(sha256('{"maxAttempts":3}'));
});

test('a policy without delays has the hash that it had before delays existed', () => {
  expect(hashPolicy(definePolicy())).toBe(
    'b1d2ad9215b7dd718841a38374955268efc97b0133f48047e7601e7a43d88d25',
  );
  const delaysMs = [1_000];
  expect(hashPolicy(definePolicy({ delaysMs }))).not.toBe(hashPolicy(definePolicy()));
});

test('is computed once per object', () => {
  const policy = { maxAttempts: 3 };
  const hash = hashPolicy(policy);
  policy.maxAttempts = 4;
  expect(hashPolicy(policy)).toBe(hash);
});
