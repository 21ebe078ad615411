import { definePolicy, type ResolvedPolicy } from '@redrive/core';

/**
 * The default policy of handlers, if no `runs.default` is configured: 8 attempts; waits of a minute, doubled up to an
 * hour; no jitter.
 */
export const RUNS_DEFAULT: ResolvedPolicy = /* @__PURE__ */ definePolicy({
  id: 'runs.default',
  name: 'Durable jobs',
  maxAttempts: 8,
  backoff: 'exponential',
  baseDelayMs: 60_000,
  maxDelayMs: 3_600_000,
  multiplier: 2,
  jitter: 'none',
});
