import type { Breaker, Budget, RetryBudgets } from '@redrive/core';
import type { JobBreaker } from '../control/job-breaker.ts';
import { causes } from '../control/rules/documents.ts';
import type { SharedBreakers } from '../control/shared-breakers.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import type { PolicyVersion } from './policy-versions.ts';

/** The breaker, gate and budget between a job and its dependency. Jobs without a dependency have no budget. */
export interface JobGuards {
  readonly dependency: string;
  readonly breaker: Breaker | undefined;
  /** The same, if it is one that all processes share: then its probe has to be asked for. */
  readonly shared: JobBreaker | undefined;
  /** The cause that jobs are parked under while the breaker is open. */
  readonly breakerCause: string;
  readonly budget: Budget | undefined;
  readonly budgetCause: string;
}

export interface GuardsParts {
  /** Breakers of this process alone, for who wants them. */
  readonly breakers?: JobsOptions['breakers'] | undefined;
  readonly shared: SharedBreakers;
  readonly budgets: Pick<RetryBudgets, 'for'>;
}

/** Finds the guards of jobs. */
export class Guards {
  readonly #parts: GuardsParts;

  constructor(parts: GuardsParts) {
    this.#parts = parts;
  }

  of(handler: ResolvedHandler, { policy }: PolicyVersion): JobGuards {
    const dependency = handler.dependency ?? policy.dependency;
    if (dependency === '' && !policy.enableCircuitBreaker) return NO_GUARDS;
    const key = dependency || policy.id;
    const own = this.#breakerOf(key, policy);
    return {
      dependency,
      ...own,
      breakerCause: own.shared === undefined ? `local-breaker:${key}` : causes.breaker(key),
      budget: dependency === '' ? undefined : found(() => this.#parts.budgets.for(dependency)),
      budgetCause: `budget:${key}`,
    };
  }

  #breakerOf(key: string, policy: PolicyVersion['policy']): Pick<JobGuards, 'breaker' | 'shared'> {
    if (!policy.enableCircuitBreaker || !policy.enabled) return NO_BREAKER;
    const settings = {
      threshold: policy.circuitBreakerThreshold,
      timeoutMs: policy.circuitBreakerTimeoutMs,
    };
    const { breakers, shared } = this.#parts;
    const own = found(() => breakers?.for(key, settings));
    if (own !== undefined && 'admit' in own) return { breaker: own, shared: undefined };
    const breaker = shared.for(key, { ...settings, ...own });
    return { breaker, shared: breaker };
  }
}

/** A look-up that throws knows nothing: one job without its guard is better than a claim whose other jobs are lost. */
function found<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp() ?? undefined;
  } catch {
    return undefined;
  }
}

const NO_BREAKER = { breaker: undefined, shared: undefined };

export const NO_GUARDS: JobGuards = {
  dependency: '',
  ...NO_BREAKER,
  breakerCause: '',
  budget: undefined,
  budgetCause: '',
};
