import { MAX_DURATION_MS } from '../clock/clock.ts';
import type { FieldRule, OptionTable } from '../fields/check-fields.ts';
import type { Policy } from './policy.ts';

const MANY = 1_000_000_000;
const flag: FieldRule = { kind: 'boolean' };
const text: FieldRule = { kind: 'string', empty: true };
const duration: FieldRule = { kind: 'number', min: 0, max: MAX_DURATION_MS };
/** A limit in time; `Infinity` is none. */
const limit: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: Infinity };
const matchers: FieldRule = { kind: 'list', of: ['string', 'function'] };

/** The default of `classifyResult`. The runner knows it by identity and then does not ask. */
export const acceptEveryValue = (): undefined => undefined;

/**
 * The field table: every option of a policy with its default and its rule, described once as data. `definePolicy`
 * resolves and validates from it; files, schemas and documentation are derived from it and from the texts in
 * `field-docs.ts`, which are kept apart so that a program that only retries does not carry them.
 *
 * A default of `undefined` follows from other fields: see `definePolicy`.
 */
export const POLICY_FIELDS: OptionTable<Policy> = {
  id: ['default', { kind: 'string' }],
  name: [undefined, text],
  description: ['', text],
  enabled: [true, flag],
  maxAttempts: [3, { kind: 'integer', min: 1, max: MANY }],
  backoff: [
    'exponential',
    { kind: 'choice', values: ['exponential', 'linear', 'fixed', 'immediate', 'schedule'] },
  ],
  baseDelayMs: [1_000, duration],
  maxDelayMs: [undefined, duration],
  multiplier: [2, { kind: 'number', min: 1, max: 1_000_000 }],
  delaysMs: [undefined, { kind: 'list', of: ['number'] }],
  immediateFirstRetry: [false, flag],
  jitter: [
    'proportional',
    { kind: 'choice', values: ['none', 'full', 'equal', 'decorrelated', 'proportional'] },
  ],
  jitterAmount: [undefined, { kind: 'number', min: 0, max: 1 }],
  attemptTimeoutMs: [Infinity, limit],
  ttlMs: [Infinity, limit],
  horizonMs: [600_000, { kind: 'number', min: 0, max: Infinity }],
  dependency: ['', text],
  enableCircuitBreaker: [false, flag],
  circuitBreakerThreshold: [5, { kind: 'integer', min: 1, max: MANY }],
  circuitBreakerTimeoutMs: [
    60_000,
    { kind: 'number', min: Number.MIN_VALUE, max: MAX_DURATION_MS },
  ],
  retryableExceptions: [[], matchers],
  nonRetryableExceptions: [[], matchers],
  classify: [[], { kind: 'list', of: ['function'] }],
  classifyResult: [acceptEveryValue, { kind: 'function' }],
  unclassified: ['retryable', { kind: 'choice', values: ['retryable', 'final'] }],
  retryInnerFailures: [false, flag],
  maxFreeWaits: [100, { kind: 'integer', min: 0, max: MANY }],
  maxFreeWaitMs: [86_400_000, duration],
};
