import { circuitBreaker, definePolicy, retry, retryBudget } from '@redrive/core';

const fields = (settings) => ({
  maxAttempts: settings.attempts,
  backoff: settings.baseMs === 0 ? 'immediate' : 'exponential',
  baseDelayMs: settings.baseMs,
  multiplier: settings.factor,
  maxDelayMs: settings.maxMs,
  jitter: settings.jitter ? 'full' : 'none',
});

const readsSignal = async (ctx) => ctx.signal.aborted;

export const retrying = (settings) => {
  const policy = definePolicy(fields(settings));
  return (fn) => retry(fn, policy);
};

/** A literal written at the call, so a fresh object for each call. */
export const inlineLiteral = ({ attempts, baseMs }) => {
  return (fn) => retry(fn, { maxAttempts: attempts, backoff: 'fixed', baseDelayMs: baseMs });
};

export const withSignal = (settings) => {
  const policy = definePolicy(fields(settings));
  return (fn, signal) => retry(fn, policy, { signal });
};

export const withOwnSignal = (settings) => {
  const policy = definePolicy(fields(settings));
  return (fn) => retry(fn, policy, { signal: new AbortController().signal });
};

export const readingSignal = (settings) => {
  const policy = definePolicy(fields(settings));
  return () => retry(readsSignal, policy);
};

const guardedWith = (settings, extra) => ({
  policy: definePolicy({ ...fields(settings), attemptTimeoutMs: settings.timeoutMs, ...extra }),
  options: {
    breaker: circuitBreaker({ threshold: settings.threshold, timeoutMs: settings.openMs }),
    budget: retryBudget(),
  },
});

export const guarded = (settings) => {
  const { policy, options } = guardedWith(settings);
  return (fn) => retry(fn, policy, options);
};

export const guardedReadingSignal = (settings) => {
  const { policy, options } = guardedWith(settings);
  return () => retry(readsSignal, policy, options);
};

export const guardedWithTtl = (settings) => {
  const { policy, options } = guardedWith(settings, { ttlMs: settings.ttlMs });
  return (fn) => retry(fn, policy, options);
};
