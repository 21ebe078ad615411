import { type Clock, type RetryBudget, type RetryBudgetOptions, retryBudget } from '@redrive/core';
import type { Config } from '../config.ts';
import { budgets } from '../sections/built-in.ts';
import { guardRegistry } from './guard-registry.ts';

/** Retry budgets with the settings of a configuration: what `budgets` of jobs takes. */
export interface ConfiguredBudgets {
  for(dependency: string): RetryBudget;
}

/**
 * One budget per dependency, with what `budgets` in the configuration says about it, or core's defaults. Give it a
 * function that answers with the configuration in force: a budget whose settings change is made anew, full.
 */
export function configuredBudgets(
  current: () => Config,
  options: { readonly clock?: Clock } = {},
): ConfiguredBudgets {
  const registry = guardRegistry<RetryBudgetOptions, RetryBudget>(current, budgets);
  return {
    for: (dependency) =>
      registry.for(dependency, '', (entry) => retryBudget({ ...entry, ...options })),
  };
}
