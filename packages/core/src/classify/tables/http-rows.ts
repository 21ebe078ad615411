import { BROKEN, ECHO, IN_DOUBT, LIMITED, NOT_DONE, REFUSED, type Row, type Rows } from './row.ts';

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
