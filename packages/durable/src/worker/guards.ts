import type { Breaker, Budget, CircuitBreakers, RetryBudgets } from '@redrive/core';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { PolicyVersion } from './policy-version.ts';

/** What stands between jobs and what they talk to. Jobs without a dependency have no budget. */
export interface JobGuards {
  readonly dependency: string;
  readonly breaker: Breaker | undefined;
  /** What jobs are parked under while the breaker is open. */
  readonly breakerCause: string;
  readonly budget: Budget | undefined;
  readonly budgetCause: string;
}

/** Finds the guards of jobs, in the registries of this process. */
export class Guards {
  readonly #breakers: Pick<CircuitBreakers, 'for'>;
  readonly #budgets: Pick<RetryBudgets, 'for'>;

  constructor(breakers: Pick<CircuitBreakers, 'for'>, budgets: Pick<RetryBudgets, 'for'>) {
    this.#breakers = breakers;
    this.#budgets = budgets;
  }

  of(handler: ResolvedHandler, { policy }: PolicyVersion): JobGuards {
    const dependency = handler.dependency ?? policy.dependency;
    if (dependency === '' && !policy.enableCircuitBreaker) return NO_GUARDS;
    const key = dependency || policy.id;
    return {
      dependency,
      breaker: this.#breaker(key, policy),
      breakerCause: `breaker:${key}`,
      budget: dependency === '' ? undefined : this.#budgets.for(dependency),
      budgetCause: `budget:${key}`,
    };
  }

  #breaker(key: string, policy: PolicyVersion['policy']): Breaker | undefined {
    if (!policy.enableCircuitBreaker || !policy.enabled) return undefined;
    return this.#breakers.for(key, {
      threshold: policy.circuitBreakerThreshold,
      timeoutMs: policy.circuitBreakerTimeoutMs,
    });
  }
}

export const NO_GUARDS: JobGuards = {
  dependency: '',
  breaker: undefined,
  breakerCause: '',
  budget: undefined,
  budgetCause: '',
};
