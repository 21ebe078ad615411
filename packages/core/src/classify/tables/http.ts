import type {
  Classification,
  Classifier,
  ClassifyContext,
  ResultAnswer,
} from '../classification.ts';
import { meaning } from '../classify-status.ts';
import { cancelBody, fields, hintOf, isGiveUp, statusOf } from '../error-facts.ts';
import { vendorHint } from '../vendor-hints.ts';
import { HTTP_ROWS } from './http-rows.ts';
import { withMethod } from './request-method.ts';
import { answer, IN_DOUBT, type LookUp, nearestKnown, REFUSED, rowOf } from './row.ts';

/**
 * Classifies errors that carry an HTTP status (`status`, `statusCode`, or on `response`), with every known kind of hint
 * in their headers. For `classify` of a policy.
 */
export const httpErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpHttp(cause, context));

/**
 * Classifies the response that an HTTP client returned: a `Response`, or any object with a status and headers. For
 * `classifyResult` of a policy, so that `fetch` can be retried as it is; the body of a response that is retried is
 * cancelled, because it would keep its socket. A `Response` does not tell the method of its request, so a POST is
 * retried like a GET: `retryingFetch` of `@redrive/core/fetch` knows it. Without a context an HTTP-date in Retry-After is
 * understood only beside a Date header.
 */
export function httpResponses(
  value: unknown,
  context: ClassifyContext = { attempt: 1, nowMs: Number.NaN },
): (Classification & ResultAnswer) | undefined {
  try {
    const response = fields(value);
    // A domain object may have a `status` of its own; an answer of a server also has headers.
    const known = response.headers ? judgeResponse(response, context) : undefined;
    const { body } = response;
    return known && body ? { ...known, discard: () => cancelBody(body) } : known;
  } catch {
    return undefined;
  }
}

/** A response that a session inside gave up on is final, so that attempts do not multiply. */
const judgeResponse: LookUp = (response, context) =>
  isGiveUp(response) ? meaning('final') : lookUpHttp(response, context);

export const lookUpHttp: LookUp = (holder, context) => {
  const status = statusOf(holder);
  if (status === undefined) return undefined;
  const row = rowOf(HTTP_ROWS, status) ?? (status < 500 ? REFUSED : IN_DOUBT);
  const { nowMs } = context;
  const hint =
    hintOf(holder, nowMs) ??
    vendorHint(holder.headers, nowMs, status === 429) ??
    vendorHint(fields(holder.response).headers, nowMs, status === 429);
  return withMethod(answer(row, context, hint), holder);
};
