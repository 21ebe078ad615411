import type { Classification } from './classification.ts';

/** Keyed by the error object: it comes out of a session unchanged, so nothing can be written on it. */
const judged = /* @__PURE__ */ new WeakMap<object, Classification>();

/** Remembers that a session ended because its own policy calls this error final. */
export function rememberFinal(error: unknown, judgement: Pick<Classification, 'effect'>): void {
  if (typeof error !== 'object' || error === null) return;
  judged.set(error, { errorClass: 'final', effect: judgement.effect });
}

/** How a session judged this error, where it judged it final. */
export function judgedFinal(error: unknown): Classification | undefined {
  return typeof error === 'object' && error !== null ? judged.get(error) : undefined;
}
