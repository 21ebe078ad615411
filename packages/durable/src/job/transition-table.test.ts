import { type AttemptAccount, claimAttempt, nextGeneration, openAccount } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_CHANGES, type Rule } from './transition-table.ts';

const USED: AttemptAccount = {
  generation: 3,
  claims: 7,
  entries: {
    succeeded: 1,
    failed: 2,
    rate_limited: 3,
    interrupted: 4,
    blocked: 5,
    cancelled: 6,
    lease_lost: 7,
    process_lost: 8,
  },
  executions: 11,
  freeWaits: 2,
  freeWaitMs: 300,
  lastDelayMs: 40,
  unchargedSinceMs: 5_000,
};

/** What statements make of one number of an account. */
function numberAfter(rule: Rule | undefined, before: number): unknown {
  if (rule === undefined) return before;
  return rule.rule === 'literal' ? rule.value : rule.rule === 'increment' ? before + 1 : undefined;
}

function accountAfter(changes: (typeof ACCOUNT_CHANGES)['claimed']): unknown {
  const { generation, claims, executions, entries, ...others } = USED;
  const rest = (numbers: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [name, numberAfter(changes.rest, value)]),
    );
  return {
    generation: numberAfter(changes.generation, generation),
    claims: numberAfter(changes.claims, claims),
    executions: numberAfter(changes.executions, executions),
    entries: rest(entries),
    ...rest(others),
  };
}

describe('the rules for the numbers of an account', () => {
  it('do what core does', () => {
    expect(accountAfter(ACCOUNT_CHANGES.claimed)).toEqual(claimAttempt(USED));
    expect(accountAfter(ACCOUNT_CHANGES.fresh)).toEqual(nextGeneration(USED));
    expect(nextGeneration(USED)).toEqual({ ...openAccount(), generation: 4, executions: 11 });
  });
});
