// What a competent developer writes without a library: the yardstick for all ratios.
// Each variant is a function of its own that does what its workload needs and nothing more.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const abortableSleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });

/** Rejects at once when the signal aborts, also in the middle of the work, and takes its listener away. */
const untilAborted = (work, signal) =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject);
  });

export function delayAfter(attempt, { baseMs, factor, maxMs, jitter }) {
  const delay = Math.min(maxMs, baseMs * factor ** (attempt - 1));
  return jitter ? Math.random() * delay : delay;
}

async function loop(fn, settings) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (attempt >= settings.attempts) throw error;
      const delay = delayAfter(attempt, settings);
      if (delay > 0) await sleep(delay);
    }
  }
}

async function loopWithSignal(fn, settings, signal) {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await untilAborted(fn(), signal);
    } catch (error) {
      if (attempt >= settings.attempts) throw error;
      const delay = delayAfter(attempt, settings);
      if (delay > 0) await abortableSleep(delay, signal);
    }
  }
}

async function loopWithController(fn, settings) {
  for (let attempt = 1; ; attempt++) {
    const controller = new AbortController();
    try {
      return await fn(controller.signal);
    } catch (error) {
      if (attempt >= settings.attempts) throw error;
      const delay = delayAfter(attempt, settings);
      if (delay > 0) await sleep(delay);
    }
  }
}

const readsSignal = async (signal) => signal.aborted;

/** No retrying at all: the floor under every figure. */
export const noRetry = () => (fn) => fn();

export const retrying = (settings) => (fn) => loop(fn, settings);
export const withSignal = (settings) => (fn, signal) => loopWithSignal(fn, settings, signal);
export const withOwnSignal = (settings) => (fn) =>
  loopWithSignal(fn, settings, new AbortController().signal);
export const readingSignal = (settings) => () => loopWithController(readsSignal, settings);
