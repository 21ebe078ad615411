import { type AttemptAccount, openAccount } from '@redrive/core';
import { type JobAttempt, NO_ATTEMPTS } from '@redrive/durable/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountText, readAccount } from './account-text.ts';
import { appendedText, attemptsText, readAttempts } from './attempts-text.ts';
import { readJson, writeJson } from './json-text.ts';
import { readSpec, specText } from './spec-text.ts';

describe('an account', () => {
  const count = fc.oneof(fc.constant(0), fc.nat({ max: 1_000_000 }));
  const accounts: fc.Arbitrary<AttemptAccount> = fc.record({
    generation: count,
    claims: count,
    executions: count,
    freeWaits: count,
    freeWaitMs: count,
    lastDelayMs: count,
    entries: fc.record({
      succeeded: count,
      failed: count,
      rate_limited: count,
      interrupted: count,
      blocked: count,
      cancelled: count,
      lease_lost: count,
    }),
  });

  it('comes back as it was', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const { generation, claims, executions, entries } = account;
        const columns = { generation, claims, executions, text: accountText(account) };
        const { failed, lease_lost: leaseLost } = entries;
        expect(readAccount({ ...columns, failed, leaseLost })).toEqual(account);
      }),
    );
  });

  it('without a story has no text', () => {
    expect(accountText(openAccount())).toBeNull();
  });
});

it('JSON keeps infinity', () => {
  const value = { a: [1, Infinity], b: { c: Infinity }, d: 'null', e: -1 };
  expect(readJson(writeJson(value))).toEqual(value);
  expect(readJson(writeJson({ a: 1 }))).toEqual({ a: 1 });
});

it('what nobody searches for comes back, and costs nothing where it is as usual', () => {
  expect(specText({ id: 'a', idempotencyKey: 'a' })).toBeNull();
  expect(readSpec(null, 'a')).toEqual({ idempotencyKey: 'a' });
  for (const spec of [
    { idempotencyKey: 'other' },
    { idempotencyKey: 'a', policyId: 'p', correlationId: 'c', traceId: 't' },
    { idempotencyKey: 'a', policyId: '' },
  ]) {
    expect(readSpec(specText({ id: 'a', ...spec }), 'a')).toEqual(spec);
  }
});

describe('attempts', () => {
  const plain: JobAttempt = {
    generation: 1,
    attempt: 2,
    startedAtMs: 1_769_688_000_000,
    durationMs: 1.5,
    delayBeforeMs: 0,
    entry: 'succeeded',
    action: 'succeed',
    reason: 'succeeded',
    worker: 'a "worker"',
    policyHash: 'abc',
    maxAttempts: 3,
  };
  const failed: JobAttempt = {
    ...plain,
    entry: 'failed',
    action: 'retry',
    errorClass: 'retryable',
    delayMs: 1_000,
    error: { type: 'Error', message: 'No', stack: [] } as unknown as JobAttempt['error'],
    input: { timeLeftMs: Infinity, random: 0.5 } as unknown as JobAttempt['input'],
  };

  it('come back as they were, long and short', () => {
    for (const log of [
      { kept: [plain], omitted: 0 },
      { kept: [failed, plain], omitted: 0 },
      { kept: [failed, plain], omitted: 12 },
    ]) {
      expect(readAttempts(attemptsText(log), 25)).toEqual(log);
    }
  });

  it('are added to without being read, as long as there is room', () => {
    expect(appendedText({ to: NO_ATTEMPTS, attempt: plain })).toBe(
      attemptsText({ kept: [plain], omitted: 0 }),
    );
    const text = attemptsText({ kept: [failed], omitted: 0 });
    const log = { kept: [failed, plain], omitted: 0 };
    const stored = readAttempts(text, 1);
    expect(appendedText({ to: stored, attempt: plain })).toBe(attemptsText(log));
    expect(appendedText({ to: readAttempts(text, 25), attempt: plain })).toBeUndefined();
    expect(appendedText({ to: log, attempt: plain })).toBeUndefined();
  });

  it('that were none are nothing', () => {
    expect(attemptsText(NO_ATTEMPTS)).toBeNull();
    expect(readAttempts(null, 0)).toBe(NO_ATTEMPTS);
  });

  it('that only succeeded take half as much as with their names', () => {
    const text = attemptsText({ kept: [plain], omitted: 0 }) ?? '';
    expect(text.length).toBeLessThan(JSON.stringify([plain]).length / 2);
  });
});
