import type { Classification, Effect, ErrorClass } from './classification.ts';

/** The short rule of HTTP statuses, for browsers and for errors of AWS. `httpErrors` says more. */
export function classifyStatus(status: number, hinted: boolean): Classification {
  if (status === 429 || (status === 503 && hinted)) return meaning('rate_limited', 'none');
  if (status === 408 || status === 425) return meaning('retryable', 'none');
  const isRefused = status < 500 || status === 501 || status === 505;
  return isRefused ? meaning('final', 'none') : meaning('retryable');
}

/** A classification, always of one shape so that engines keep it cheap. */
export function meaning(
  errorClass: ErrorClass = 'retryable',
  effect: Effect = 'unknown',
  retryAfterMs?: number,
  idempotent?: boolean,
): Classification {
  return { errorClass, effect, retryAfterMs, idempotent };
}
