import { type Clock, MAX_DURATION_MS } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/rules.ts';
import type { EventSink } from '../records/record.ts';

export interface CircuitBreakerOptions {
  /** The dependency, or the policy's id where none is named. Default `default`. */
  readonly key?: string;
  /** Mode `consecutive`: the number of failures in a row that opens the breaker. Default 5. */
  readonly threshold?: number;
  /** How long the breaker stays open before it lets a probe through. Default 60,000. */
  readonly timeoutMs?: number;
  /**
   * `consecutive` opens after `threshold` failures in a row. `ratio` opens when at least the share `ratio` of the calls
   * of the last `windowMs` failed, if there were `minimumCalls` of them. Default `consecutive`.
   */
  readonly mode?: 'consecutive' | 'ratio';
  /** Mode `ratio`: the share of failed calls that opens the breaker, above 0 and up to 1. Default 0.5. */
  readonly ratio?: number;
  /** Mode `ratio`: the time window, which moves in steps of a tenth; older calls do not count. Default 10,000. */
  readonly windowMs?: number;
  /** Mode `ratio`: with fewer calls in the window the breaker stays closed. Default 10. */
  readonly minimumCalls?: number;
  /** The number of probes that a half-open breaker lets through before it closes or opens again. Default 1. */
  readonly probes?: number;
  /** The share of the probes that must succeed to close the breaker, above 0 and up to 1. Default 1. */
  readonly probeRatio?: number;
  /** After this time without a result, a probe counts no more and another call may be the probe. Default 30,000. */
  readonly probeTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Gets a record of every change of state. An error that it throws is ignored. */
  readonly events?: Pick<EventSink, 'emit'> | undefined;
}

/** All options, resolved and valid. */
export type ResolvedBreakerOptions = Required<CircuitBreakerOptions>;

const count = { kind: 'integer', min: 1, max: 1_000_000_000 } as const;
const share = { kind: 'number', min: Number.MIN_VALUE, max: 1 } as const;
/** At most ten years, as in policies: with an endless timeout a breaker would never close again. */
export const durationMs = {
  kind: 'number',
  min: Number.MIN_VALUE,
  max: MAX_DURATION_MS,
} as const;

const OPTIONS: OptionTable<CircuitBreakerOptions> = {
  key: ['default', { kind: 'string' }],
  threshold: [5, count],
  timeoutMs: [60_000, durationMs],
  mode: ['consecutive', { kind: 'choice', values: ['consecutive', 'ratio'] }],
  ratio: [0.5, share],
  windowMs: [10_000, durationMs],
  minimumCalls: [10, count],
  probes: [1, count],
  probeRatio: [1, share],
  probeTimeoutMs: [30_000, durationMs],
  clock: [systemClock, aClock],
  events: [undefined],
};

/** Checks the options and fills in the defaults. @throws RedriveError `invalid_option` with every problem at once. */
export function resolveBreakerOptions(options: CircuitBreakerOptions): ResolvedBreakerOptions {
  return resolveOptions('circuit breaker', options, OPTIONS);
}
