import type { CircuitBreakerState } from '@redrive/core';
import { breakerStateAt, forcedAt, type SharedBreaker } from './shared-breaker.ts';

/** The document of a shared breaker's state, as it is at this moment. `key`: the dependency, or the policy's id. */
export function breakerDocument(
  key: string,
  breaker: SharedBreaker,
  nowMs: number,
): CircuitBreakerState {
  const { failures, threshold, timeoutMs, changedAtMs, lastFailureAtMs } = breaker;
  const forced = forcedAt(breaker, nowMs);
  return {
    policy_id: key,
    state: breakerStateAt(breaker, nowMs),
    failure_count: failures,
    ...(lastFailureAtMs !== undefined && { last_failure_time: iso(lastFailureAtMs) }),
    threshold,
    timeout: timeoutMs / 1_000,
    last_state_change: iso(Math.max(changedAtMs, forced?.sinceMs ?? 0)),
    redrive: { schema_version: 1, calls: 0, isolated: forced?.state === 'open' },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
