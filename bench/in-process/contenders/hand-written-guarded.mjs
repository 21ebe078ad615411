// The hand-written equivalent of retry + attempt timeout + breaker (no budget).
import { delayAfter, sleep } from './hand-written.mjs';

class Breaker {
  failures = 0;
  openUntil = 0;

  constructor({ threshold, openMs }) {
    this.threshold = threshold;
    this.openMs = openMs;
  }

  admit() {
    if (this.openUntil > 0 && performance.now() < this.openUntil) throw new Error('breaker open');
  }

  succeeded() {
    this.failures = 0;
    this.openUntil = 0;
  }

  failed() {
    if (++this.failures >= this.threshold) this.openUntil = performance.now() + this.openMs;
  }
}

async function withTimeout(fn, ms) {
  let timer;
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('attempt timed out')), ms);
  });
  try {
    return await Promise.race([fn(), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

async function withAbortingTimeout(fn, ms) {
  const controller = new AbortController();
  let timer;
  const timedOut = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error('attempt timed out');
      controller.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([fn(controller.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

async function guardedLoop(fn, settings, breaker, timeout) {
  for (let attempt = 1; ; attempt++) {
    breaker.admit();
    try {
      const value = await timeout(fn, settings.timeoutMs);
      breaker.succeeded();
      return value;
    } catch (error) {
      breaker.failed();
      if (attempt >= settings.attempts) throw error;
      const delay = delayAfter(attempt, settings);
      if (delay > 0) await sleep(delay);
    }
  }
}

async function guardedLoopWithDeadline(fn, settings, breaker) {
  const deadline = performance.now() + settings.ttlMs;
  for (let attempt = 1; ; attempt++) {
    breaker.admit();
    try {
      const remaining = deadline - performance.now();
      const value = await withTimeout(fn, Math.min(settings.timeoutMs, remaining));
      breaker.succeeded();
      return value;
    } catch (error) {
      breaker.failed();
      const delay = delayAfter(attempt, settings);
      const wouldBeLate = performance.now() + delay >= deadline;
      if (attempt >= settings.attempts || wouldBeLate) throw error;
      if (delay > 0) await sleep(delay);
    }
  }
}

const readsSignal = async (signal) => signal.aborted;

export const guarded = (settings) => {
  const breaker = new Breaker(settings);
  return (fn) => guardedLoop(fn, settings, breaker, withTimeout);
};

export const guardedReadingSignal = (settings) => {
  const breaker = new Breaker(settings);
  return () => guardedLoop(readsSignal, settings, breaker, withAbortingTimeout);
};

export const guardedWithTtl = (settings) => {
  const breaker = new Breaker(settings);
  return (fn) => guardedLoopWithDeadline(fn, settings, breaker);
};
