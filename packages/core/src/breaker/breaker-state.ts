import type { BreakerStateName } from './breaker.ts';

/** The document of a circuit breaker's state. Durations in seconds, times in ISO 8601. */
export interface CircuitBreakerState {
  /** The breaker's key: the dependency, or the policy's id where none is named. */
  readonly policy_id: string;
  readonly state: BreakerStateName;
  readonly failure_count: number;
  readonly last_failure_time?: string;
  readonly threshold: number;
  readonly timeout: number;
  readonly last_state_change: string;
  /** Redrive's own additions to the shape. */
  readonly redrive?: {
    readonly schema_version: 1;
    /** Mode `ratio`: calls in the window, of which `failure_count` failed. Otherwise 0. */
    readonly calls: number;
    /** An operator keeps it open. */
    readonly isolated: boolean;
  };
}
