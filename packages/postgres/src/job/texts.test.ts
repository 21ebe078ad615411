import { type AttemptAccount, openAccount } from '@redrive/core/stored';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '../query/audit.ts';
import { accountText, readAccount } from './account-text.ts';

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
      process_lost: count,
    }),
    unchargedSinceMs: count,
    clearedLosses: count,
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
