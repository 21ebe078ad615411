import type { Policy } from './policy.ts';

export { delaysOf, type PolicyDelay } from '../backoff/delay.ts';
export {
  type FieldProblem,
  type FieldRule,
  fieldProblems,
  type OptionTable,
  refuse,
  resolveOptions,
} from '../fields/check-fields.ts';
export { nearest } from '../fields/nearest.ts';
export { aClock, aSink, port } from '../fields/rules.ts';
export { commandText, type Shell, shellWord } from '../shell/shell-word.ts';
export { POLICY_FIELDS } from './fields.ts';

/** Documentation of a field; its rule is in `POLICY_FIELDS`. */
export interface FieldDoc {
  /** Its name in `redrive.yaml`. `undefined`: its value is a function, so it exists only in code. */
  readonly file: string | undefined;
  /** The units of its number in code and in files, where they differ. */
  readonly unit?: { readonly code: 'ms'; readonly file: 'seconds' };
  /** A policy in a file must have it: there is no default. */
  readonly fileRequired?: true;
  /** The default in files, in the file's unit, where it differs from the default in code. */
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
    meaning: 'The name of the policy for people.',
  },
  description: { file: 'description', meaning: 'When and why to use the policy.' },
  enabled: {
    file: 'enabled',
    meaning: '`false`: one attempt, no breaker, and the reason `policy_disabled`.',
  },
  maxAttempts: {
    file: 'max_attempts',
    fileRequired: true,
    meaning: 'The largest number of attempts, the first call included.',
  },
  backoff: {
    file: 'backoff_type',
    fileRequired: true,
    meaning:
      'How waits grow: `exponential` multiplies each wait by a factor, `linear` adds the base delay each time, `fixed` keeps the base delay, `immediate` does not wait, `schedule` takes them from a list.',
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
    derived: '30,000, or the longest of `baseDelayMs` and `delaysMs` if that is longer',
    meaning: 'The longest wait, before jitter; at least the base delay.',
  },
  multiplier: { file: 'backoff_multiplier', meaning: 'The factor of exponential back-off.' },
  delaysMs: {
    file: 'delays',
    unit: TIME,
    derived: 'none',
    fileDerived: 'none',
    meaning:
      'The waits of a `schedule`, before jitter: 1 to 32, each at most `max_delay`. The last one repeats. Other kinds of back-off ignore it, and so does the jitter `decorrelated`: a file with both is refused.',
  },
  immediateFirstRetry: {
    file: 'immediate_first_retry',
    meaning: '`true`: the first retry follows at once; later waits stay the same.',
  },
  jitter: {
    file: 'jitter_type',
    fileDefault: 'none',
    meaning:
      'The kind of randomness in waits, so that callers that failed together do not retry together ([kinds](jitter.md)).',
  },
  jitterAmount: {
    file: 'jitter_amount',
    fileDefault: 0.1,
    derived: '1; 0.1 for `proportional`',
    meaning: 'The share of a wait that jitter may change; `decorrelated` ignores it.',
  },
  attemptTimeoutMs: {
    file: 'attempt_timeout',
    unit: TIME,
    meaning:
      'The time limit of one attempt. After it the signal of the attempt aborts, and the attempt fails with `attempt_timeout`, which is retryable.',
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
      'The longest wait in process. A longer wait is handed over to the next rung, or the call gives up with `beyond_horizon`.',
  },
  dependency: {
    file: 'dependency',
    meaning:
      'The service or database that the operation calls. Policies with the same dependency share its retry budget and its breaker; `""` has no budget.',
  },
  enableCircuitBreaker: {
    file: 'enable_circuit_breaker',
    meaning: '`true`: a circuit breaker guards the operation.',
  },
  circuitBreakerThreshold: {
    file: 'circuit_breaker_threshold',
    meaning: 'The number of failures in a row that opens the breaker.',
  },
  circuitBreakerTimeoutMs: {
    file: 'circuit_breaker_timeout',
    unit: TIME,
    meaning:
      'How long a breaker stays open before it lets a probe through. A shared breaker of jobs lets one probe through per timeout, at most a tenth of it later.',
  },
  retryableExceptions: {
    file: 'retryable_exceptions',
    meaning:
      'If set, only these errors are retried: names or codes; in code also classes and predicates.',
  },
  nonRetryableExceptions: {
    file: 'non_retryable_exceptions',
    meaning: 'These errors are never retried, even if the list of retryable errors has them too.',
  },
  classify: {
    file: undefined,
    meaning: 'Functions that classify an error, called in order before the built-in rules.',
  },
  classifyResult: {
    file: undefined,
    meaning: 'A function that decides whether a returned value is a failure.',
  },
  unclassified: {
    file: 'unclassified_errors',
    fileDerived: '`retryable`; `final` for `events.*`',
    meaning: 'The class of an error that no list, no classifier and no built-in rule matches.',
  },
  retryInnerFailures: {
    file: 'retry_inner_failures',
    meaning:
      '`true`: retry also when a nested session gave up. This multiplies the attempts of both.',
  },
  maxFreeWaits: {
    file: 'max_free_waits',
    meaning:
      'On stored rungs: the number of waits for a rate limit with a hint that cost no attempt. Later waits cost one each.',
  },
  maxFreeWaitMs: {
    file: 'max_free_wait',
    unit: TIME,
    meaning: 'On stored rungs: the total time of waits that cost no attempt.',
  },
};
