import { type Clock, type RetryBudget, retryBudget } from '@redrive/core';
import type { Config } from '../config.ts';
import { guardRegistry } from './guard-registry.ts';

/** Retry budgets with the settings of a configuration: what `budgets` of jobs takes. */
export interface ConfiguredBudgets {
  for(dependency: string): RetryBudget;
}

/** An entry of `budgets`; the shape of the section fills in what the file leaves out. */
interface FileBudget {
  readonly ratio?: number;
  readonly floor_per_second?: number;
  readonly burst?: number;
}

/**
 * One budget per dependency, with what `budgets` in the configuration says about it, or core's defaults. Give it a
 * function that answers with the configuration in force: a budget whose settings change is made anew, full.
 */
export function configuredBudgets(
  current: () => Config,
  options: { readonly clock?: Clock } = {},
): ConfiguredBudgets {
  const registry = guardRegistry<FileBudget, RetryBudget>(current, 'budgets');
  return {
    for: (dependency) =>
      registry.for(dependency, '', ({ ratio, floor_per_second: floorPerSecond, burst }) =>
        retryBudget({
          ...(ratio === undefined ? {} : { ratio }),
          ...(floorPerSecond === undefined ? {} : { floorPerSecond }),
          ...(burst === undefined ? {} : { burst }),
          ...options,
        }),
      ),
  };
}
