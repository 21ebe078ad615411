import { BoundedRegistry } from '../registry/bounded-registry.ts';
import type { CircuitBreakerState } from './breaker.ts';
import { type CircuitBreakerOptions, resolveBreakerOptions } from './breaker-options.ts';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';

/** Settings of all breakers in a registry. */
export type CircuitBreakersOptions = Omit<CircuitBreakerOptions, 'key'>;

/** Circuit breakers by dependency, created at first use. Keeps 10,000; idle closed ones are dropped first. */
export class CircuitBreakers {
  readonly #options: CircuitBreakersOptions;
  readonly #breakers = new BoundedRegistry<CircuitBreaker>((breaker) => {
    // An operator's act must not get lost.
    if (breaker.isolated) return 2;
    return breaker.state === 'closed' && breaker.failureCount === 0 ? 0 : 1;
  });

  constructor(options: CircuitBreakersOptions = {}) {
    resolveBreakerOptions(options);
    this.#options = options;
  }

  /**
   * The breaker of a dependency, or of a policy id where no dependency is named. The `settings` of the first call count,
   * because two policies may share a dependency. Call `forget` to make other settings take effect.
   */
  for(
    key: string,
    settings?: Pick<CircuitBreakerOptions, 'threshold' | 'timeoutMs'>,
  ): CircuitBreaker {
    return (
      this.#breakers.get(key) ??
      this.#breakers.add(key, circuitBreaker({ ...this.#options, ...settings, key }))
    );
  }

  /** Drops the breaker of this key; the next `for` creates a new one. */
  forget(key: string): void {
    this.#breakers.delete(key);
  }

  /** The document of every breaker's state. */
  states(): CircuitBreakerState[] {
    return this.#breakers.values().map((breaker) => breaker.toState());
  }
}

/**
 * Makes a registry of circuit breakers, one per dependency.
 *
 * ```ts
 * const breakers = circuitBreakers({ events });
 * breakers.for('payments', { threshold: 5, timeoutMs: 60_000 });
 * ```
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function circuitBreakers(options?: CircuitBreakersOptions): CircuitBreakers {
  return new CircuitBreakers(options);
}
