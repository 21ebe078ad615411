import { describe, expect, it } from 'vitest';
import { classify } from '../classify.ts';
import { nodeErrors } from './node.ts';
import { NODE_PREFIXES, NODE_ROWS } from './node-rows.ts';

const context = { attempt: 1, nowMs: 0 };

const systemError = (code: string, syscall = 'read') =>
  Object.assign(new Error(`${syscall} ${code}`), { code, errno: -1, syscall });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

const expected = [
  [
    'retryable',
    'none',
    'ECONNREFUSED EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH EADDRINUSE EADDRNOTAVAIL',
  ],
  ['retryable', 'none', 'UND_ERR_CONNECT_TIMEOUT UND_ERR_BPL_MISSING_UPSTREAM UND_ERR_PRX_TLS'],
  [
    'retryable',
    'none',
    'ERR_SOCKET_CONNECTION_TIMEOUT ERR_TLS_HANDSHAKE_TIMEOUT ERR_HTTP2_GOAWAY_SESSION',
  ],
  [
    'retryable',
    'none',
    'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA ENODATA ESERVFAIL EREFUSED ETIMEOUT',
  ],
  ['retryable', 'none', 'EMFILE ENFILE ENOMEM ENOBUFS EAGAIN EWOULDBLOCK'],
  ['retryable', 'none', 'EBUSY ETXTBSY ENOLCK EDEADLK ESTALE'],
  [
    'retryable',
    'unknown',
    'ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ESOCKETTIMEDOUT ENETRESET ENOTCONN ESHUTDOWN',
  ],
  [
    'retryable',
    'unknown',
    'UND_ERR_SOCKET UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_INFO',
  ],
  [
    'retryable',
    'unknown',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH ERR_STREAM_PREMATURE_CLOSE ERR_STREAM_DESTROYED',
  ],
  [
    'retryable',
    'unknown',
    'ERR_SOCKET_CLOSED ERR_HTTP2_SESSION_ERROR ERR_HTTP2_STREAM_ERROR ERR_HTTP2_STREAM_CANCEL',
  ],
  ['retryable', 'unknown', 'ERR_NETWORK EINTR EIO TimeoutError NetworkError'],
  [
    'final',
    'none',
    'ENOENT EEXIST EACCES EPERM EISDIR ENOTDIR ENOTEMPTY EROFS EXDEV ELOOP EBADF EINVAL',
  ],
  ['final', 'none', 'ENAMETOOLONG ENOTSUP ENOSYS E2BIG EMSGSIZE EAFNOSUPPORT'],
  [
    'final',
    'none',
    'UND_ERR_DESTROYED UND_ERR_CLOSED UND_ERR_INVALID_ARG UND_ERR_INVALID_RETURN_VALUE',
  ],
  ['final', 'none', 'UND_ERR_NOT_SUPPORTED UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'],
  [
    'final',
    'none',
    'EPROTO DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT',
  ],
  [
    'final',
    'none',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH',
  ],
  ['final', 'none', 'INVALID_CA INVALID_PURPOSE'],
  [
    'final',
    'unknown',
    'ENOSPC EDQUOT EFBIG UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE HPE_HEADER_OVERFLOW',
  ],
  ['ignored', 'unknown', 'ABORT_ERR AbortError UND_ERR_ABORTED ECANCELED'],
] as const;
const rows = expected.flatMap(([errorClass, effect, codes]) =>
  codes.split(' ').map((code) => [code, errorClass, effect] as const),
);
const isName = (code: string) => code.endsWith('Error');

describe('nodeErrors', () => {
  it.each(rows)('%s is %s with effect %s', (code, errorClass, effect) => {
    const error = isName(code) ? new DOMException('x', code) : systemError(code);
    expect(nodeErrors(error, context)).toEqual({ errorClass, effect });
    expect(nodeErrors(fetchFailed(error), context)).toEqual({ errorClass, effect });
  });

  it('has no row that is not tested', () => {
    expect(rows.map(([code]) => code).sort()).toEqual(Object.keys(NODE_ROWS).sort());
  });

  it.each([
    ['CERT_', 'CERT_HAS_EXPIRED', 'final', 'none'],
    ['CERT_', 'CERT_NOT_YET_VALID', 'final', 'none'],
    ['ERR_TLS_', 'ERR_TLS_CERT_ALTNAME_INVALID', 'final', 'none'],
    ['ERR_SSL_', 'ERR_SSL_WRONG_VERSION_NUMBER', 'final', 'none'],
    ['ERR_INVALID_', 'ERR_INVALID_ARG_TYPE', 'final', 'none'],
    ['ERR_INVALID_', 'ERR_INVALID_URL', 'final', 'none'],
    ['HPE_', 'HPE_INVALID_CONSTANT', 'retryable', 'unknown'],
  ])('the family %s covers %s', (prefix, code, errorClass, effect) => {
    expect(Object.keys(NODE_PREFIXES)).toContain(prefix);
    expect(nodeErrors(systemError(code), context)).toEqual({ errorClass, effect });
  });

  it('knows that a failure to connect sent nothing, whatever its code', () => {
    const answer = { errorClass: 'retryable', effect: 'none' };
    expect(nodeErrors(systemError('ETIMEDOUT', 'connect'), context)).toEqual(answer);
    expect(nodeErrors(systemError('ECONNRESET', 'connect'), context)).toEqual(answer);
    expect(nodeErrors(systemError('EIO', 'getaddrinfo'), context)).toEqual(answer);
    expect(nodeErrors(systemError('EACCES', 'connect'), context)).toEqual({
      errorClass: 'final',
      effect: 'none',
    });
  });

  it('knows a connection that failed on every address', () => {
    const error = Object.assign(
      new AggregateError([
        systemError('ECONNREFUSED', 'connect'),
        systemError('ETIMEDOUT', 'connect'),
      ]),
      { code: 'ECONNREFUSED' },
    );
    const answer = { errorClass: 'retryable', effect: 'none' };
    expect(nodeErrors(fetchFailed(error), context)).toEqual(answer);
    expect(nodeErrors(new AggregateError(error.errors), context)).toEqual(answer);
  });

  it('is in doubt when one of several failures is', () => {
    const error = new AggregateError([systemError('ECONNREFUSED'), systemError('ECONNRESET')]);
    expect(nodeErrors(error, context)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
  });

  it.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
    'knows what browsers say: %s',
    (message) => {
      const answer = { errorClass: 'retryable', effect: 'unknown' };
      expect(nodeErrors(new TypeError(message), context)).toEqual(answer);
      expect(
        classify(new TypeError(message), { classify: nodeErrors, unclassified: 'final' }, context),
      ).toEqual(answer);
    },
  );

  it('makes of a file that exists on a later attempt a matter of doubt', () => {
    const later = { ...context, attempt: 2 };
    expect(nodeErrors(systemError('EEXIST', 'open'), later)).toEqual({
      errorClass: 'final',
      effect: 'unknown',
    });
  });

  it.each([
    'connection reset',
    'Error: connection reset by peer',
    'Connection refused',
    'connection timed out',
    'socket hang up',
  ])('knows a broken connection by its text, if there is no code: %s', (message) => {
    const answer = { errorClass: 'retryable', effect: 'unknown' };
    expect(nodeErrors(new Error(message), context)).toEqual(answer);
    expect(nodeErrors(Object.assign(new Error(message), { code: 'X' }), context)).toBeUndefined();
  });

  it('knows a failed fetch that has lost its cause', () => {
    const answer = { errorClass: 'retryable', effect: 'unknown' };
    expect(nodeErrors(new TypeError('fetch failed'), context)).toEqual(answer);
  });

  it.each([
    new Error('x'),
    new Error('the form says: connection reset'),
    new TypeError('x is not a function'),
    fetchFailed(new Error('unknown scheme')),
    fetchFailed(systemError('SOMETHING_NEW')),
    systemError('constructor'),
    undefined,
    'ECONNRESET',
  ])('does not know %s', (error) => {
    expect(nodeErrors(error, context)).toBeUndefined();
  });
});
