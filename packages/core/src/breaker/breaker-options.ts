import { type Clock, MAX_DURATION_MS } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/ports.ts';
import type { EventSink } from '../records/record.ts';

export interface CircuitBreakerOptions {
  /** The dependency, or the policy's id where none is named. Default `default`. */
  readonly key?: string;
  /** Mode `consecutive`: failures in a row that open it. Default 5. */
  readonly threshold?: number;
  /** How long it stays open before it lets a probe through. Default 60,000. */
  readonly timeoutMs?: number;
  /**
   * `consecutive` opens after `threshold` failures in a row; `ratio` when at least `ratio` of the calls of the last
   * `windowMs` failed, given `minimumCalls` of them. Default `consecutive`.
   */
  readonly mode?: 'consecutive' | 'ratio';
  /** Mode `ratio`: share of failed calls that opens it, above 0 and up to 1. Default 0.5. */
  readonly ratio?: number;
  /** Mode `ratio`: how far back calls count, in steps of a tenth. Default 10,000. */
  readonly windowMs?: number;
  /** Mode `ratio`: with fewer calls in the window it stays closed. Default 10. */
  readonly minimumCalls?: number;
  /** Calls let through when half-open, until it is decided. Default 1. */
  readonly probes?: number;
  /** Share of the probes that must succeed, above 0 and up to 1. Default 1. */
  readonly probeRatio?: number;
  /** A probe that has not ended after this time loses its place to the next call. Default 30,000. */
  readonly probeTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Told of every change of state. What it throws is swallowed. */
  readonly events?: Pick<EventSink, 'emit'> | undefined;
}

/** All options, resolved and valid. */
export type ResolvedBreakerOptions = Required<CircuitBreakerOptions>;

const count = { kind: 'integer', min: 1, max: 1_000_000_000 } as const;
const share = { kind: 'number', min: Number.MIN_VALUE, max: 1 } as const;
/** Up to ten years, as in policies: a breaker that waits for ever for its timeout or its probe would be stuck. */
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
