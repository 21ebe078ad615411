import type { Effect } from './classification.ts';

/** Keyed by the error object: it comes out of a session unchanged, so nothing can be written on it. */
const judged = /* @__PURE__ */ new WeakMap<object, Effect | undefined>();

/** Remembers that the policy of a session classified this error as final, and the effect of the attempt. */
export function rememberFinal(error: unknown, effect: Effect | undefined): void {
  // Only objects have an identity.
  if (Object(error) === error) judged.set(error as object, effect);
}

/** The effect of an error that a session judged final. */
export function judgedFinal(error: unknown): Effect | undefined {
  return judged.get(error as object); // Nothing else than an object is ever found.
}
