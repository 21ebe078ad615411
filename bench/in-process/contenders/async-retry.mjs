import retry from 'async-retry';

// Its default adds jitter, which is arithmetic the others are not asked to do.
export const retrying = ({ attempts, baseMs, factor, maxMs }) => {
  const options = {
    retries: attempts - 1,
    minTimeout: baseMs,
    factor,
    maxTimeout: maxMs,
    randomize: false,
  };
  return (fn) => retry(fn, options);
};
