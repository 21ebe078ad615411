import type { Policy } from './policy.ts';

export {
  type FieldRule,
  type OptionTable,
  refuse,
  resolveOptions,
} from '../fields/check-fields.ts';
export { nearest } from '../fields/nearest.ts';
export { POLICY_FIELDS } from './fields.ts';

/** What people and files need to know of a field, besides its rule in `POLICY_FIELDS`. */
export interface FieldDoc {
  /** Its name in `redrive.yaml`. `undefined`: it holds functions, and so exists only in code. */
  readonly file: string | undefined;
  /** What its number counts in code and in files, where that differs. */
  readonly unit?: { readonly code: 'ms'; readonly file: 'seconds' };
  /** A policy in a file must have it: there is no default. */
  readonly fileRequired?: true;
  /** The default in files, in the file's unit, where it is another than in code. */
  readonly fileDefault?: unknown;
  /** The default in code, in words, where it follows from other fields. */
  readonly derived?: string;
  /** The default in files, in words, where it follows from something else. */
  readonly fileDerived?: string;
  /** One sentence, or two. */
  readonly meaning: string;
}

const TIME = { code: 'ms', file: 'seconds' } as const;

/** Every field of a policy, in the order of `POLICY_FIELDS`. `docs/reference/policy.md` is made from it. */
export const POLICY_FIELD_DOCS: Readonly<Record<keyof Policy, FieldDoc>> = {
  id: {
    file: 'id',
    fileDerived: 'its key in the file',
    meaning: 'Names the policy in records, errors and metrics.',
  },
  name: {
    file: 'name',
    fileRequired: true,
    derived: 'the id',
    meaning: 'What people call the policy.',
  },
  description: { file: 'description', meaning: 'When and why to use the policy.' },
  enabled: {
    file: 'enabled',
    meaning:
      'Whether to retry at all; `false` means one attempt, no breaker, and the reason `policy_disabled`.',
  },
  maxAttempts: {
    file: 'max_attempts',
    fileRequired: true,
    meaning: 'How often the operation may run, the first call included.',
  },
  backoff: {
    file: 'backoff_type',
    fileRequired: true,
    meaning:
      'How waits grow: by a factor, by the same amount each time, not at all, or no waits at all.',
  },
  baseDelayMs: {
    file: 'base_delay',
    unit: TIME,
    fileRequired: true,
    meaning: 'The wait after the first failure, before jitter.',
  },
  maxDelayMs: {
    file: 'max_delay',
    unit: TIME,
    fileRequired: true,
    derived: '30,000, or `baseDelayMs` where that is more',
    meaning: 'The cap of every wait, applied before jitter; at least the base delay.',
  },
  multiplier: { file: 'backoff_multiplier', meaning: 'The factor of exponential back-off.' },
  immediateFirstRetry: {
    file: 'immediate_first_retry',
    meaning: 'Whether the first retry follows at once; the later waits stay as they are.',
  },
  jitter: {
    file: 'jitter_type',
    fileDefault: 'none',
    meaning:
      'How waits are spread, so that callers which failed together do not come back together ([kinds](jitter.md)).',
  },
  jitterAmount: {
    file: 'jitter_amount',
    fileDefault: 0.1,
    derived: '1, and 0.1 for `proportional`',
    meaning: 'The share of a wait that jitter may move; `decorrelated` has none.',
  },
  attemptTimeoutMs: {
    file: 'attempt_timeout',
    unit: TIME,
    meaning:
      'The limit of one attempt: then its signal aborts and it fails with `attempt_timeout`, which is retried.',
  },
  ttlMs: {
    file: 'ttl',
    unit: TIME,
    meaning:
      'The time limit of all attempts and waits together. It counts from the start of the first attempt; on a stored rung, from the first attempt on that rung. No attempt starts after it.',
  },
  horizonMs: {
    file: 'horizon',
    unit: TIME,
    meaning:
      'The longest wait that is slept in process; a longer one goes to the next rung, or gives up with `beyond_horizon`.',
  },
  dependency: {
    file: 'dependency',
    meaning:
      'What the operation talks to: calls that name it share a retry budget, and breakers go by it; `""` has no budget.',
  },
  enableCircuitBreaker: {
    file: 'enable_circuit_breaker',
    meaning: 'Whether a circuit breaker guards the operation.',
  },
  circuitBreakerThreshold: {
    file: 'circuit_breaker_threshold',
    meaning: 'How many failures in a row open the breaker.',
  },
  circuitBreakerTimeoutMs: {
    file: 'circuit_breaker_timeout',
    unit: TIME,
    meaning:
      'How long a breaker stays open before it lets a probe through. The shared breaker of jobs lets one probe through per timeout, up to a tenth later.',
  },
  retryableExceptions: {
    file: 'retryable_exceptions',
    meaning:
      'Where given, only these errors are retried: names or codes, in code also classes and predicates.',
  },
  nonRetryableExceptions: {
    file: 'non_retryable_exceptions',
    meaning: 'These errors are never retried, also when they are in the other list.',
  },
  classify: {
    file: undefined,
    meaning: 'Asked what an error means before the built-in rules are, in order.',
  },
  classifyResult: {
    file: undefined,
    meaning: 'Says when a returned value is a failure.',
  },
  unclassified: {
    file: 'unclassified_errors',
    fileDerived: '`retryable`; `final` for `events.*`',
    meaning: 'The class of an error that no list, no classifier and no built-in rule knows.',
  },
  retryInnerFailures: {
    file: 'retry_inner_failures',
    meaning: 'Whether to retry what a nested session has given up, which multiplies attempts.',
  },
  maxFreeWaits: {
    file: 'max_free_waits',
    meaning:
      'On stored rungs, how many waits for a rate limit with a hint cost no attempt; later ones do.',
  },
  maxFreeWaitMs: {
    file: 'max_free_wait',
    unit: TIME,
    meaning: 'On stored rungs, the total time of waits that cost no attempt.',
  },
};
