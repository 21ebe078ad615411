import pRetry from 'p-retry';

export const options = ({ attempts, baseMs, factor, maxMs }) => ({
  retries: attempts - 1,
  minTimeout: baseMs,
  factor,
  maxTimeout: maxMs,
});

export const retrying = (settings) => {
  const shared = options(settings);
  return (fn) => pRetry(fn, shared);
};

export const withSignal = (settings) => {
  const shared = options(settings);
  return (fn, signal) => pRetry(fn, { ...shared, signal });
};
