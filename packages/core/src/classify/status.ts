import { fields } from './causes.ts';
import type { Classification } from './classification.ts';
import { meaning } from './classification.ts';

/** The HTTP status of a failed call, where clients put it: `status`, `statusCode`, or the same on `response`. */
export function statusOf(error: unknown): number | undefined {
  const { status, statusCode, response } = fields(error);
  const inner = fields(response);
  return [status, statusCode, inner.status, inner.statusCode].find(isFailure);
}

function isFailure(status: unknown): status is number {
  return typeof status === 'number' && status >= 400 && status < 600;
}

/** The short rule that `retry` knows without a table. `httpErrors` says more. */
export function classifyStatus(status: number, hinted: boolean): Classification {
  if (status === 429 || (status === 503 && hinted)) return meaning('rate_limited', 'none');
  if (status === 408 || status === 425) return meaning('retryable', 'none');
  const isRefused = status < 500 || status === 501 || status === 505;
  return isRefused ? meaning('final', 'none') : meaning('retryable');
}
