import type { Backoff, Jitter } from '../backoff/delay.ts';
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
  /** The largest number of attempts, the first call included. Default 3. */
  readonly maxAttempts?: number;
  /** How waits grow. Default `exponential`. */
  readonly backoff?: Backoff;
  /** The wait after the first failure. Default 1,000. */
  readonly baseDelayMs?: number;
  /** The longest wait, before jitter. Default 30,000, or the longest of `baseDelayMs` and `delaysMs` if that is longer. */
  readonly maxDelayMs?: number;
  /** Factor of exponential back-off. Default 2. */
  readonly multiplier?: number;
  /** The waits of a `schedule`, 1 to 32, each at most `maxDelayMs`; the last one repeats. Default: none. */
  readonly delaysMs?: readonly number[] | undefined;
  /** `true`: the first retry follows at once; later waits stay the same. Default `false`. */
  readonly immediateFirstRetry?: boolean;
  /** The kind of randomness in waits. Default `proportional`. */
  readonly jitter?: Jitter;
  /** The share of a wait that jitter may change, 0 to 1. Default 1; 0.1 for `proportional`. */
  readonly jitterAmount?: number;
  /** Time limit of one attempt: its signal aborts, and it fails as `attempt_timeout`. Default `Infinity`: none. */
  readonly attemptTimeoutMs?: number;
  /** Time limit of the whole session, waits included. Default `Infinity`: none. */
  readonly ttlMs?: number;
  /** The longest wait in process; a longer wait is handed over. Default 600,000; `Infinity`: no limit. */
  readonly horizonMs?: number;
  /** The service or database that the operation calls; it has one retry budget. Default `""`: no name, no budget. */
  readonly dependency?: string;
  /** `true`: a circuit breaker guards the operation. Default `false`. */
  readonly enableCircuitBreaker?: boolean;
  /** The number of failures in a row that opens the breaker. Default 5. */
  readonly circuitBreakerThreshold?: number;
  /** Time from the opening of the breaker, or from the last probe, to the next probe. Default 60,000. */
  readonly circuitBreakerTimeoutMs?: number;
  /** If set, only these errors are retried: names, codes, classes or predicates. Default: none, so every retryable error. */
  readonly retryableExceptions?: readonly ErrorMatcher[];
  /** These errors are never retried, even if `retryableExceptions` has them too. Default: none. */
  readonly nonRetryableExceptions?: readonly ErrorMatcher[];
  /** Called in order, before the built-in rules and tables. Default: none. */
  readonly classify?: Classifier | readonly Classifier[];
  /** Decides whether a returned value is a failure; e.g. `httpResponses`. Default: every value is a success. */
  readonly classifyResult?: (value: unknown, context: ClassifyContext) => ResultAnswer | undefined;
  /** The class of an error that no rule matches. Default `retryable`; `final` for events. */
  readonly unclassified?: 'retryable' | 'final';
  /** `true`: retry also when a nested session gave up. Default `false`, so that nested retries do not multiply. */
  readonly retryInnerFailures?: boolean;
  /** Stored rungs: the number of rate-limited waits that cost no attempt. Default 100; later waits cost one each. */
  readonly maxFreeWaits?: number;
  /** Stored rungs: the total time of waits that cost no attempt. Default 86,400,000 (24 h). */
  readonly maxFreeWaitMs?: number;
}

/** A policy with every field present, checked and frozen. */
export type ResolvedPolicy = Readonly<Required<Policy>>;
