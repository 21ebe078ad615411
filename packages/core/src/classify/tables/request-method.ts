import type { Classification } from '../classification.ts';
import { type Fields, fields, header } from '../error-facts.ts';

/** Methods whose requests may be sent twice (RFC 9110, 9.2.2). */
const IDEMPOTENT = /^(GET|HEAD|OPTIONS|TRACE|QUERY|PUT|DELETE)$/i;

/**
 * Adds whether the request may be sent twice, where the error or the response of a client tells its request: axios has it
 * as `config`, ky and Octokit as `request`, got as `options`, Node's `http` as `req`. A `Response` of `fetch` does not tell.
 */
export function withMethod(known: Classification, holder: Fields): Classification {
  const { config, request, options, req, response } = holder;
  const places = [config, options, fields(request).options, request, req, fields(response).req];
  const sent = places.map(fields).find(({ method }) => typeof method === 'string');
  if (!sent || IDEMPOTENT.test(String(sent.method)) || keyOf(sent) !== '') return known;
  return { ...known, idempotent: false };
}

/** Node's `ClientRequest` has no property with its headers. */
function keyOf(sent: Fields): string {
  const { getHeader } = sent;
  return typeof getHeader === 'function'
    ? String(getHeader.call(sent, 'idempotency-key') ?? '')
    : header(sent.headers, 'idempotency-key');
}
