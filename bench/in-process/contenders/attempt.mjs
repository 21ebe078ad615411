import { retry } from '@lifeomic/attempt';

export const retrying = ({ attempts, baseMs, factor, maxMs }) => {
  const options = { maxAttempts: attempts, delay: baseMs, factor, maxDelay: maxMs };
  return (fn) => retry(fn, options);
};
