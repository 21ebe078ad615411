import { BoundedRegistry } from '../registry/bounded-registry.ts';
import type { Budget } from './retry-budget.ts';
import {
  DEFAULT_BUDGET,
  RetryBudget,
  type RetryBudgetOptions,
  resolveBudgetOptions,
} from './retry-budget.ts';

/** Retry budgets by dependency, created at first use. Keeps 10,000; full budgets are dropped first. */
export class RetryBudgets {
  readonly #options: Required<RetryBudgetOptions>;
  readonly #budgets = new BoundedRegistry<RetryBudget>((budget) => (budget.full ? 0 : 1));

  constructor(options: Required<RetryBudgetOptions>) {
    this.#options = options;
  }

  /** The budget that all calls of this dependency share. */
  for(dependency: string): RetryBudget {
    return (
      this.#budgets.get(dependency) ?? this.#budgets.add(dependency, new RetryBudget(this.#options))
    );
  }
}

/**
 * Makes a registry of retry budgets, one per dependency.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function retryBudgets(options: RetryBudgetOptions = {}): RetryBudgets {
  return new RetryBudgets(resolveBudgetOptions(options));
}

let shared: RetryBudgets | undefined;

/** The budgets of calls that name a dependency and were given no budget: one registry per process, made when needed. */
export function defaultBudgets(): RetryBudgets {
  shared ??= new RetryBudgets(DEFAULT_BUDGET);
  return shared;
}

/** The budget of a call: the given one, none for `false`, else the budget of its dependency, if it has one. */
export function budgetFor(
  dependency: string,
  given: Budget | false | undefined,
): Budget | undefined {
  if (given !== undefined) return given || undefined;
  return dependency === '' ? undefined : defaultBudgets().for(dependency);
}
