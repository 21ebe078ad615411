import type { Jitter } from '../backoff/jitter.ts';
import type { Backoff } from '../backoff/nominal-delay.ts';
import type { Classifier, ClassifyContext, ResultAnswer } from '../classify/classification.ts';
import type { ErrorMatcher } from '../classify/matcher.ts';

/** How an operation is retried. Every field is optional; `definePolicy` fills in the defaults named here. */
export interface Policy {
  /** Names the policy in records and errors. Default `"default"`. */
  readonly id?: string;
  /** For people. Default: the id. */
  readonly name?: string;
  /** For people. Default `""`. */
  readonly description?: string;
  /** `false`: one attempt, no breaker, reason `policy_disabled`. Default `true`. */
  readonly enabled?: boolean;
  /** How often the operation may run, the first call included. Default 3. */
  readonly maxAttempts?: number;
  /** How waits grow. Default `exponential`. */
  readonly backoff?: Backoff;
  /** The wait after the first failure. Default 1,000. */
  readonly baseDelayMs?: number;
  /** Cap of every wait, applied before jitter. Default 30,000, or `baseDelayMs` where that is more. */
  readonly maxDelayMs?: number;
  /** Factor of exponential back-off. Default 2. */
  readonly multiplier?: number;
  /** The first retry follows at once; the later waits stay as they are. Default `false`. */
  readonly immediateFirstRetry?: boolean;
  /** How waits are spread. Default `proportional`. */
  readonly jitter?: Jitter;
  /** Share of the wait that jitter may move, 0 to 1. Default 1, and 0.1 for `proportional`. */
  readonly jitterAmount?: number;
  /** Limit of one attempt. Its signal aborts, and the attempt fails as `attempt_timeout`. Default `Infinity`: none. */
  readonly attemptTimeoutMs?: number;
  /** Limit of the whole session, waits included. Default `Infinity`: none. */
  readonly ttlMs?: number;
  /** The longest wait that is slept in process; a longer one is handed over. Default 600,000; `Infinity`: any. */
  readonly horizonMs?: number;
  /** What the operation talks to. Calls that name it share a retry budget. Default `""`: anonymous, no budget. */
  readonly dependency?: string;
  /** Guard the operation with a circuit breaker. Default `false`. */
  readonly enableCircuitBreaker?: boolean;
  /** Consecutive failures that open the breaker. Default 5. */
  readonly circuitBreakerThreshold?: number;
  /** Time from the opening of the breaker, or from the last probe, to the next probe. Default 60,000. */
  readonly circuitBreakerTimeoutMs?: number;
  /** Only these errors are retried: names, codes, classes or predicates. Default: none given, all transient ones. */
  readonly retryableExceptions?: readonly ErrorMatcher[];
  /** These errors are never retried, also when they are in the other list. Default: none. */
  readonly nonRetryableExceptions?: readonly ErrorMatcher[];
  /** Asked before the built-in rules, e.g. `httpErrors`. Default: none. */
  readonly classify?: Classifier | readonly Classifier[];
  /** Says when a returned value is a failure, e.g. `httpResponses`. Default: every value is a success. */
  readonly classifyResult?: (value: unknown, context: ClassifyContext) => ResultAnswer | undefined;
  /** What an error is that no rule knows: `retryable` or `final`. Default `retryable`; `final` for events. */
  readonly unclassified?: 'retryable' | 'final';
  /** Retry what a nested session has given up. Default `false`, so that nested retries do not multiply. */
  readonly retryInnerFailures?: boolean;
  /** Stored rungs: rate-limited waits that cost no attempt. Default 100; then they count. */
  readonly maxFreeWaits?: number;
  /** Stored rungs: total time of waits that cost no attempt. Default 86,400,000 (24 h); then they count. */
  readonly maxFreeWaitMs?: number;
}

/** A policy with every field present, checked and frozen. */
export type ResolvedPolicy = Readonly<Required<Policy>>;
