import CircuitBreaker from 'opossum';
import pRetry from 'p-retry';
import { options } from './p-retry.mjs';

// opossum has a breaker and a timeout but no retry. One breaker guards one dependency, so the
// function to call travels as its argument. Without a volume threshold the first failure opens it.
const breakerFor = (settings) =>
  new CircuitBreaker((fn) => fn(), {
    timeout: settings.timeoutMs,
    resetTimeout: settings.openMs,
    volumeThreshold: settings.threshold,
  });

export const guardedWithoutRetry = (settings) => {
  const breaker = breakerFor(settings);
  return (fn) => breaker.fire(fn);
};

export const guarded = (settings) => {
  const breaker = breakerFor(settings);
  const shared = options(settings);
  return (fn) => pRetry(() => breaker.fire(fn), shared);
};
