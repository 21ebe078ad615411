import type { Classification, Effect, ErrorClass } from './classification.ts';

/** A classification, always of one shape so that engines keep it cheap. */
export function meaning(
  errorClass: ErrorClass = 'retryable',
  effect: Effect = 'unknown',
  retryAfterMs?: number,
): Classification {
  return { errorClass, effect, retryAfterMs };
}
