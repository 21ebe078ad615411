import * as cockatiel from 'cockatiel';

const { handleAll, retry, timeout, circuitBreaker, wrap, TimeoutStrategy } = cockatiel;

// cockatiel's `maxAttempts` counts retries, and its exponential back-off has base 2 without jitter,
// so a list of delays says the same more plainly.
const retryPolicy = ({ attempts, baseMs, factor, maxMs }) => {
  const delays = Array.from({ length: attempts - 1 }, (_, retry) =>
    Math.min(maxMs, baseMs * factor ** retry),
  );
  const backoff =
    factor === 1 ? new cockatiel.ConstantBackoff(baseMs) : new cockatiel.IterableBackoff(delays);
  return retry(handleAll, { maxAttempts: attempts - 1, backoff });
};

export const retrying = (settings) => {
  const policy = retryPolicy(settings);
  return (fn) => policy.execute(fn);
};

export const withSignal = (settings) => {
  const policy = retryPolicy(settings);
  return (fn, signal) => policy.execute(fn, signal);
};

export const guarded = (settings) => {
  const policy = wrap(
    retryPolicy(settings),
    circuitBreaker(handleAll, {
      halfOpenAfter: settings.openMs,
      breaker: new cockatiel.ConsecutiveBreaker(settings.threshold),
    }),
    timeout(settings.timeoutMs, TimeoutStrategy.Aggressive),
  );
  return (fn) => policy.execute(fn);
};
