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

/**
 * The default policy of events, if no `events.default` is configured: 8 attempts within 30 minutes; waits of 250 ms,
 * doubled up to a minute, with full jitter. An error that no table classifies is final.
 */
export const EVENTS_DEFAULT = /* @__PURE__ */ definePolicy({
  id: 'events.default',
  name: 'Handlers of events',
  maxAttempts: 8,
  backoff: 'exponential',
  baseDelayMs: 250,
  maxDelayMs: 60_000,
  multiplier: 2,
  jitter: 'full',
  jitterAmount: 1,
  ttlMs: 1_800_000,
  unclassified: 'final',
});
