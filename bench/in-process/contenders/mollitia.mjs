import { Circuit, Retry, RetryMode, SlidingCountBreaker, Timeout } from 'mollitia';

const retryModule = ({ attempts, baseMs, factor, maxMs }) =>
  new Retry({
    attempts: attempts - 1,
    interval: baseMs,
    mode: factor === 1 ? RetryMode.CONSTANT : RetryMode.EXPONENTIAL,
    factor,
    maxInterval: maxMs,
  });

export const retrying = (settings) => {
  const circuit = new Circuit({ options: { modules: [retryModule(settings)] } });
  return (fn) => circuit.fn(fn).execute();
};

export const guarded = (settings) => {
  const modules = [
    retryModule(settings),
    new SlidingCountBreaker({
      slidingWindowSize: settings.threshold,
      minimumNumberOfCalls: settings.threshold,
      openStateDelay: settings.openMs,
    }),
    new Timeout({ delay: settings.timeoutMs }),
  ];
  const circuit = new Circuit({ options: { modules } });
  return (fn) => circuit.fn(fn).execute();
};
