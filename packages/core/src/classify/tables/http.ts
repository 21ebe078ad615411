import { type Fields, fields } from '../causes.ts';
import type {
  Classification,
  Classifier,
  ClassifyContext,
  ResultAnswer,
} from '../classification.ts';
import { hintOf } from '../hints.ts';
import { statusOf } from '../status.ts';
import { vendorHint } from '../vendor-hints.ts';
import {
  answer,
  BROKEN,
  ECHO,
  IN_DOUBT,
  LIMITED,
  NOT_DONE,
  nearestKnown,
  REFUSED,
  type Row,
  type Rows,
  rowOf,
} from './row.ts';

/** Final, unless the response has a Retry-After: GitHub sends its rate limit as a 403, and a 413 may be temporary. */
const REFUSED_UNLESS_HINTED: Row = { ...REFUSED, hinted: LIMITED };
/** A conflict with another request. Sending the same again does not settle it, unless the server says when it will. */
const CONFLICT: Row = { ...ECHO, hinted: NOT_DONE };

/**
 * HTTP statuses. A status without a row counts like its class: 4xx refused, 5xx in doubt. 401 is final, because the
 * caller must fetch new credentials. 409, 412 and 423 are final, because the caller must first read the current version
 * of the resource. An operation that reads it on each attempt lists the error in `retryableExceptions`.
 */
export const HTTP_ROWS: Rows = {
  400: REFUSED,
  401: REFUSED,
  402: REFUSED,
  403: REFUSED_UNLESS_HINTED,
  404: REFUSED,
  405: REFUSED,
  406: REFUSED,
  407: REFUSED,
  408: NOT_DONE,
  409: CONFLICT,
  410: REFUSED,
  411: REFUSED,
  412: ECHO,
  413: REFUSED_UNLESS_HINTED,
  414: REFUSED,
  415: REFUSED,
  416: REFUSED,
  417: REFUSED,
  418: REFUSED,
  // Misdirected: another connection will do.
  421: NOT_DONE,
  422: REFUSED,
  423: CONFLICT,
  424: REFUSED,
  425: NOT_DONE,
  426: REFUSED,
  428: REFUSED,
  429: LIMITED,
  431: REFUSED,
  451: REFUSED,
  // A proxy's word for a client that hung up.
  499: BROKEN,
  500: IN_DOUBT,
  501: REFUSED,
  502: IN_DOUBT,
  503: { ...IN_DOUBT, hinted: LIMITED },
  504: IN_DOUBT,
  505: REFUSED,
  506: REFUSED,
  // Must not be repeated unless a person asks for it (RFC 4918).
  507: REFUSED,
  508: REFUSED,
  509: LIMITED,
  510: REFUSED,
  511: REFUSED,
  // Cloudflare: 520 to 524 and 530 the origin failed it, 525 no TLS session, 526 a bad certificate.
  520: IN_DOUBT,
  521: IN_DOUBT,
  522: IN_DOUBT,
  523: IN_DOUBT,
  524: IN_DOUBT,
  525: NOT_DONE,
  526: REFUSED,
  // Overloaded, as some APIs call it.
  529: LIMITED,
  530: IN_DOUBT,
  // Time-outs of proxies.
  598: IN_DOUBT,
  599: IN_DOUBT,
};

/**
 * Classifies errors that carry an HTTP status (`status`, `statusCode`, or on `response`), with every known kind of hint
 * in their headers. For `classify` of a policy.
 */
export const httpErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => classifyAnswer(cause, context));

/**
 * Classifies the response that an HTTP client returned: a `Response`, or any object with a status and headers. For
 * `classifyResult` of a policy, so that `fetch` can be retried as it is; the body of a response that is retried is
 * cancelled, because it would keep its socket. Without a context an HTTP-date in Retry-After is
 * understood only beside a Date header.
 */
export function httpResponses(
  value: unknown,
  context: ClassifyContext = { attempt: 1, nowMs: Number.NaN },
): (Classification & ResultAnswer) | undefined {
  try {
    const response = fields(value);
    // A domain object may have a `status` of its own; an answer of a server also has headers.
    const known = response.headers ? classifyAnswer(response, context) : undefined;
    const { body } = response;
    return known && body ? { ...known, discard: () => cancelBody(body) } : known;
  } catch {
    return undefined;
  }
}

function cancelBody(body: unknown): void {
  const { cancel } = fields(body);
  if (typeof cancel !== 'function') return;
  // `cancel` rejects while a reader has the body locked; that reader must then end it.
  Promise.resolve(cancel.call(body)).catch(() => {});
}

function classifyAnswer(holder: Fields, context: ClassifyContext): Classification | undefined {
  const status = statusOf(holder);
  if (status === undefined) return undefined;
  const row = rowOf(HTTP_ROWS, status) ?? (status < 500 ? REFUSED : IN_DOUBT);
  const { nowMs } = context;
  const hint =
    hintOf(holder, nowMs) ??
    vendorHint(holder.headers, nowMs, status === 429) ??
    vendorHint(fields(holder.response).headers, nowMs, status === 429);
  return answer(row, context, hint);
}
