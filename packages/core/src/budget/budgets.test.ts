import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { MAX_KEYS } from '../registry/bounded-registry.ts';
import { budgetFor, defaultBudgets, retryBudgets } from './budgets.ts';
import { retryBudget } from './retry-budget.ts';

test('one budget per dependency, with the settings of the registry', () => {
  const budgets = retryBudgets({ clock: virtualClock(), burst: 7 });
  const payments = budgets.for('payments');
  payments.take('retryable');
  expect(budgets.for('payments')).toBe(payments);
  expect(budgets.for('payments').tokens).toBe(6);
  expect(budgets.for('mail').tokens).toBe(7);
});

test('wrong settings are found when it is made', () => {
  expect(() => retryBudgets({ burst: Number.NaN })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('full budgets make room for new ones; those in use stay', () => {
  const budgets = retryBudgets({ clock: virtualClock() });
  const used = budgets.for('used');
  used.take('retryable');
  const first = budgets.for('0');
  const second = budgets.for('1');
  for (let i = 2; i < MAX_KEYS - 1; i++) budgets.for(`${i}`);
  expect(budgets.for('0')).toBe(first);
  budgets.for('one more');
  expect(budgets.for('used')).toBe(used);
  expect(budgets.for('1')).toBe(second);
  expect(budgets.for('0')).not.toBe(first);
});

test('the default registry is one for the process', () => {
  expect(defaultBudgets()).toBe(defaultBudgets());
  expect(defaultBudgets().for('unheard of').tokens).toBe(100);
});

test('a call’s budget: the given one, none, or its dependency’s; an anonymous call has none', () => {
  const own = retryBudget();
  expect(budgetFor('payments', own)).toBe(own);
  expect(budgetFor('payments', false)).toBeUndefined();
  expect(budgetFor('payments', undefined)).toBe(defaultBudgets().for('payments'));
  expect(budgetFor('', undefined)).toBeUndefined();
});
