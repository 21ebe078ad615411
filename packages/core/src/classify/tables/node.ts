import type { Fields } from '../causes.ts';
import type { Classifier } from '../classification.ts';
import { FETCH_FAILED } from '../programmer-error.ts';
import {
  answer,
  BROKEN,
  CANCELLED,
  IN_DOUBT,
  NOT_DONE,
  nearestKnown,
  REFUSED,
  type Row,
  type Rows,
  rowOf,
} from './row.ts';

/** Codes of Node's system errors, of its own errors, of undici (`fetch`) and of TLS. */
export const NODE_ROWS: Rows = {
  // No connection came about: nothing was sent.
  ECONNREFUSED: NOT_DONE,
  EHOSTDOWN: NOT_DONE,
  EHOSTUNREACH: NOT_DONE,
  ENETDOWN: NOT_DONE,
  ENETUNREACH: NOT_DONE,
  EADDRINUSE: NOT_DONE,
  EADDRNOTAVAIL: NOT_DONE,
  UND_ERR_CONNECT_TIMEOUT: NOT_DONE,
  UND_ERR_BPL_MISSING_UPSTREAM: NOT_DONE,
  UND_ERR_PRX_TLS: NOT_DONE,
  ERR_SOCKET_CONNECTION_TIMEOUT: NOT_DONE,
  ERR_TLS_HANDSHAKE_TIMEOUT: NOT_DONE,
  ERR_HTTP2_GOAWAY_SESSION: NOT_DONE,
  // Name resolution. A name that does not exist may be a deployment in progress.
  ENOTFOUND: NOT_DONE,
  EAI_AGAIN: NOT_DONE,
  EAI_FAIL: NOT_DONE,
  EAI_NODATA: NOT_DONE,
  ENODATA: NOT_DONE,
  ESERVFAIL: NOT_DONE,
  EREFUSED: NOT_DONE,
  ETIMEOUT: NOT_DONE,
  // The connection broke, or no response came in time.
  ECONNRESET: IN_DOUBT,
  ECONNABORTED: IN_DOUBT,
  EPIPE: IN_DOUBT,
  ETIMEDOUT: IN_DOUBT,
  ESOCKETTIMEDOUT: IN_DOUBT,
  ENETRESET: IN_DOUBT,
  ENOTCONN: IN_DOUBT,
  ESHUTDOWN: IN_DOUBT,
  UND_ERR_SOCKET: IN_DOUBT,
  UND_ERR_HEADERS_TIMEOUT: IN_DOUBT,
  UND_ERR_BODY_TIMEOUT: IN_DOUBT,
  UND_ERR_INFO: IN_DOUBT,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: IN_DOUBT,
  ERR_STREAM_PREMATURE_CLOSE: IN_DOUBT,
  ERR_STREAM_DESTROYED: IN_DOUBT,
  ERR_SOCKET_CLOSED: IN_DOUBT,
  ERR_HTTP2_SESSION_ERROR: IN_DOUBT,
  ERR_HTTP2_STREAM_ERROR: IN_DOUBT,
  ERR_HTTP2_STREAM_CANCEL: IN_DOUBT,
  // Names, because these have no code of their own: AbortSignal.timeout, browsers.
  TimeoutError: IN_DOUBT,
  NetworkError: IN_DOUBT,
  // axios, in browsers.
  ERR_NETWORK: IN_DOUBT,
  // This process or machine is short of something.
  EMFILE: NOT_DONE,
  ENFILE: NOT_DONE,
  ENOMEM: NOT_DONE,
  ENOBUFS: NOT_DONE,
  EAGAIN: NOT_DONE,
  EWOULDBLOCK: NOT_DONE,
  // Files that another process has locked.
  EBUSY: NOT_DONE,
  ETXTBSY: NOT_DONE,
  ENOLCK: NOT_DONE,
  EDEADLK: NOT_DONE,
  ESTALE: NOT_DONE,
  EINTR: IN_DOUBT,
  EIO: IN_DOUBT,
  // Files and arguments that are as they are.
  ENOENT: REFUSED,
  EEXIST: { ...REFUSED, isEcho: true },
  EACCES: REFUSED,
  EPERM: REFUSED,
  EISDIR: REFUSED,
  ENOTDIR: REFUSED,
  ENOTEMPTY: REFUSED,
  EROFS: REFUSED,
  EXDEV: REFUSED,
  ELOOP: REFUSED,
  EBADF: REFUSED,
  EINVAL: REFUSED,
  ENAMETOOLONG: REFUSED,
  ENOTSUP: REFUSED,
  ENOSYS: REFUSED,
  E2BIG: REFUSED,
  EMSGSIZE: REFUSED,
  EAFNOSUPPORT: REFUSED,
  // Part of it may have been written.
  ENOSPC: BROKEN,
  EDQUOT: BROKEN,
  EFBIG: BROKEN,
  // The client was closed, or was called with wrong arguments.
  ABORT_ERR: CANCELLED,
  UND_ERR_ABORTED: CANCELLED,
  ECANCELED: CANCELLED,
  UND_ERR_DESTROYED: REFUSED,
  UND_ERR_CLOSED: REFUSED,
  UND_ERR_INVALID_ARG: REFUSED,
  UND_ERR_INVALID_RETURN_VALUE: REFUSED,
  UND_ERR_NOT_SUPPORTED: REFUSED,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: REFUSED,
  UND_ERR_HEADERS_OVERFLOW: BROKEN,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: BROKEN,
  HPE_HEADER_OVERFLOW: BROKEN,
  // The other side's certificate or TLS.
  EPROTO: REFUSED,
  DEPTH_ZERO_SELF_SIGNED_CERT: REFUSED,
  SELF_SIGNED_CERT_IN_CHAIN: REFUSED,
  UNABLE_TO_GET_ISSUER_CERT: REFUSED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: REFUSED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: REFUSED,
  HOSTNAME_MISMATCH: REFUSED,
  INVALID_CA: REFUSED,
  INVALID_PURPOSE: REFUSED,
};

/** Families of codes, for codes without a row of their own. */
export const NODE_PREFIXES: Rows = {
  CERT_: REFUSED,
  ERR_TLS_: REFUSED,
  ERR_SSL_: REFUSED,
  ERR_INVALID_: REFUSED,
  // The answer was no HTTP.
  HPE_: IN_DOUBT,
};

/**
 * Classifies errors of Node's `fetch`, `http`, `net`, `dns`, `tls` and `fs`, and the `TypeError` of `fetch` in browsers.
 * A failure of `connect` or of name resolution has no effect, with any code. For `classify` of a policy.
 */
export const nodeErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => {
    const row = rowOf(NODE_ROWS, cause.code) ?? rowOf(NODE_ROWS, cause.name) ?? familyOf(cause);
    return row && answer(neverConnected(cause) && row === IN_DOUBT ? NOT_DONE : row, context);
  });

function familyOf(cause: Fields): Row | undefined {
  const code = String(cause.code);
  const prefix = Object.keys(NODE_PREFIXES).find((each) => code.startsWith(each));
  if (prefix) return NODE_PREFIXES[prefix];
  return FETCH_FAILED.test(String(cause.message)) ? IN_DOUBT : undefined;
}

function neverConnected({ syscall }: Fields): boolean {
  return syscall === 'connect' || syscall === 'getaddrinfo';
}
