import { backOff } from 'exponential-backoff';

export const retrying = ({ attempts, baseMs, factor, maxMs }) => {
  const options = {
    numOfAttempts: attempts,
    startingDelay: baseMs,
    timeMultiple: factor,
    maxDelay: maxMs,
  };
  return (fn) => backOff(fn, options);
};
