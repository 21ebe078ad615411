/**
 * The field table: every option of a policy, described once as data. `definePolicy` validates from it; files, schemas
 * and documentation are derived from it and from the texts in `field-docs.ts`, which are kept apart so that a program
 * that only retries does not carry them.
 */
export type FieldRule =
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' | 'string' | 'matchers' | 'classifiers' | 'function' };

/** Ten years: longer waits are mistakes, and all arithmetic stays exact below it. */
export const MAX_DURATION_MS = 315_360_000_000;

const durationMs = { kind: 'number', min: 0, max: MAX_DURATION_MS } as const;
/** A limit in time: more than 0, and `Infinity` for none. */
const limitMs = { kind: 'number', min: Number.MIN_VALUE, max: Number.POSITIVE_INFINITY } as const;
const flag = { kind: 'boolean' } as const;
const text = { kind: 'string' } as const;

export const POLICY_FIELDS = {
  id: text,
  name: text,
  description: text,
  enabled: flag,
  maxAttempts: { kind: 'integer', min: 1, max: 1_000_000_000 },
  backoff: { kind: 'choice', values: ['exponential', 'linear', 'fixed', 'immediate'] },
  baseDelayMs: durationMs,
  maxDelayMs: durationMs,
  multiplier: { kind: 'number', min: 1, max: 1_000_000 },
  immediateFirstRetry: flag,
  jitter: { kind: 'choice', values: ['none', 'full', 'equal', 'decorrelated', 'proportional'] },
  jitterAmount: { kind: 'number', min: 0, max: 1 },
  attemptTimeoutMs: limitMs,
  ttlMs: limitMs,
  horizonMs: { kind: 'number', min: 0, max: Number.POSITIVE_INFINITY },
  dependency: text,
  enableCircuitBreaker: flag,
  circuitBreakerThreshold: { kind: 'integer', min: 1, max: 1_000_000_000 },
  circuitBreakerTimeoutMs: { kind: 'number', min: Number.MIN_VALUE, max: MAX_DURATION_MS },
  retryableExceptions: { kind: 'matchers' },
  nonRetryableExceptions: { kind: 'matchers' },
  classify: { kind: 'classifiers' },
  classifyResult: { kind: 'function' },
  retryInnerFailures: flag,
  maxFreeWaits: { kind: 'integer', min: 0, max: 1_000_000_000 },
  maxFreeWaitMs: durationMs,
} as const satisfies Record<string, FieldRule>;

export type PolicyField = keyof typeof POLICY_FIELDS;
