import {
  type CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerState,
  circuitBreaker,
} from '@redrive/core';
import type { Config } from '../config.ts';
import { breakers } from '../sections/built-in.ts';
import { guardRegistry } from './guard-registry.ts';

type BreakerSettings = Required<Pick<CircuitBreakerOptions, 'threshold' | 'timeoutMs'>>;

/** Circuit breakers with the settings of a configuration. */
export interface ConfiguredBreakers {
  /** `settings` are the policy's, for what the configuration does not say about this key. */
  for(
    key: string,
    settings?: Pick<CircuitBreakerOptions, 'threshold' | 'timeoutMs'>,
  ): CircuitBreaker;
  /**
   * For `breakers` of jobs: the settings of the breaker that all processes share. A dependency in mode `ratio` has
   * breakers of each process instead, because only they see every call.
   */
  forJobs(key: string, settings: BreakerSettings): BreakerSettings | CircuitBreaker;
  /** Of all breakers of this process that were asked for so far. */
  states(): CircuitBreakerState[];
}

/**
 * One breaker per dependency, with what `breakers` in the configuration says about it; threshold and timeout come from
 * the policy where it says nothing. Give it a function that answers with the configuration in force: a breaker whose
 * settings change is made anew, closed.
 */
export function configuredBreakers(
  current: () => Config,
  options: Pick<CircuitBreakerOptions, 'clock' | 'events'> = {},
): ConfiguredBreakers {
  const registry = guardRegistry<CircuitBreakerOptions, CircuitBreaker>(current, breakers);
  const own: ConfiguredBreakers['for'] = (key, settings = {}) =>
    registry.for(key, `${settings.threshold} ${settings.timeoutMs}`, (entry) =>
      circuitBreaker({ ...options, ...settings, ...entry, key }),
    );
  return {
    for: own,
    forJobs(key, settings) {
      const { mode, threshold, timeoutMs } = registry.options(key);
      if (mode === 'ratio') return own(key, settings);
      return {
        threshold: threshold ?? settings.threshold,
        timeoutMs: timeoutMs ?? settings.timeoutMs,
      };
    },
    states: () => registry.values().map((breaker) => breaker.toState()),
  };
}
