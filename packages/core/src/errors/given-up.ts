import type { RetryError } from './retry-error.ts';

/** By what came out instead of the `RetryError`. Nothing can be written on an error or a response of others. */
const gaveUp = /* @__PURE__ */ new WeakMap<object, RetryError>();

/**
 * The give-up behind an error that `retryingFetch`, `redriveInterceptor` or `axiosAdapter` threw unchanged, or behind a
 * response that they returned: its attempts, and why there was no further one. `undefined`: nothing was given up.
 */
export function retryErrorOf(outcome: unknown): RetryError | undefined {
  return gaveUp.get(outcome as object); // Nothing else than an object is ever found.
}

/** Remembers the give-up behind an outcome; without one, forgets what was known. Only objects have an identity. */
export function rememberGiveUp(outcome: unknown, error?: RetryError): void {
  if (Object(outcome) !== outcome) return;
  if (error) gaveUp.set(outcome as object, error);
  else gaveUp.delete(outcome as object);
}
