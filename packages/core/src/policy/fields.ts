import type { Policy, ResolvedPolicy } from './policy.ts';

/** What a field of a policy may hold, and what it holds when nobody says. */
export interface FieldRule {
  readonly kind: 'number' | 'boolean' | 'string' | 'function' | 'object';
  /** The default, or how it follows from the fields above. */
  readonly fallback: unknown;
  readonly derive?: (above: ResolvedPolicy) => unknown;
  /** Bounds of a number, both included. */
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
  /** All that a string may be. */
  readonly choices?: readonly string[];
  /** What the entries of a list may be, by `typeof`; a `function` may also stand alone. */
  readonly entries?: readonly string[];
}

/** Ten years: longer waits are mistakes, and all arithmetic stays exact below it. */
export const MAX_DURATION_MS = 315_360_000_000;
const MANY = 1_000_000_000;
/** The smallest limit in time that a timer can keep. */
const ABOVE_ZERO = 0.001;

const number = (fallback: number, min: number, max: number) =>
  ({ kind: 'number', fallback, min, max }) as const;
const whole = (fallback: number, min: number) =>
  ({ ...number(fallback, min, MANY), whole: true }) as const;
const duration = (fallback: number) => number(fallback, 0, MAX_DURATION_MS);
const limit = (fallback: number, min = ABOVE_ZERO) => number(fallback, min, Infinity);
const flag = (fallback: boolean) => ({ kind: 'boolean', fallback }) as const;
const text = (fallback: string) => ({ kind: 'string', fallback }) as const;
const choice = (choices: readonly string[], fallback: string) =>
  ({ kind: 'string', fallback, choices }) as const;
const list = (...entries: string[]) => ({ kind: 'object', fallback: NONE, entries }) as const;

const NONE: readonly never[] = Object.freeze([]);

/** The default of `classifyResult`. The runner knows it by identity and then does not ask. */
export const acceptEveryValue = (): undefined => undefined;

/**
 * The field table: every option of a policy, described once as data. `definePolicy` resolves and validates from it;
 * files, schemas and documentation are derived from it and from the texts in `field-docs.ts`, which are kept apart so
 * that a program that only retries does not carry them.
 */
export const POLICY_FIELDS: Readonly<Record<keyof Policy, FieldRule>> = {
  id: text('default'),
  name: { ...text(''), derive: ({ id }) => id },
  description: text(''),
  enabled: flag(true),
  maxAttempts: whole(3, 1),
  backoff: choice(['exponential', 'linear', 'fixed', 'immediate'], 'exponential'),
  baseDelayMs: duration(1_000),
  maxDelayMs: { ...duration(30_000), derive: ({ baseDelayMs }) => Math.max(30_000, baseDelayMs) },
  multiplier: number(2, 1, 1_000_000),
  immediateFirstRetry: flag(false),
  jitter: choice(['none', 'full', 'equal', 'decorrelated', 'proportional'], 'proportional'),
  jitterAmount: {
    ...number(1, 0, 1),
    derive: ({ jitter }) => (jitter === 'proportional' ? 0.1 : 1),
  },
  attemptTimeoutMs: limit(Infinity),
  ttlMs: limit(Infinity),
  horizonMs: limit(600_000, 0),
  dependency: text(''),
  enableCircuitBreaker: flag(false),
  circuitBreakerThreshold: whole(5, 1),
  circuitBreakerTimeoutMs: number(60_000, ABOVE_ZERO, MAX_DURATION_MS),
  retryableExceptions: list('string', 'function'),
  nonRetryableExceptions: list('string', 'function'),
  classify: list('function'),
  classifyResult: { kind: 'function', fallback: acceptEveryValue },
  retryInnerFailures: flag(false),
  maxFreeWaits: whole(100, 0),
  maxFreeWaitMs: duration(86_400_000),
};
