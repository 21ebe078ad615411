import { RedriveError } from '@redrive/core';
import { DocumentNotFoundError, RetryableError } from '@redrive/durable/events';

export interface CommonError {
  /** As it is shown on the page. */
  readonly name: string;
  /** Where it comes from: a driver, a client, the program. */
  readonly from: string;
  readonly make: () => unknown;
}

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);
const system = (code: string, syscall = 'read') =>
  error(`${syscall} ${code}`, { code, errno: -1, syscall });
const row = (from: string, name: string, make: () => unknown): CommonError => ({
  from,
  name,
  make,
});
const node = (code: string, syscall?: string) => row('Node', code, () => system(code, syscall));
const http = (status: number, headers: object = {}) => {
  const asked = Object.keys(headers).length > 0 ? ' with Retry-After' : '';
  return row('HTTP', `status ${status}${asked}`, () => error(`${status}`, { status, headers }));
};
const axiosPost = (status: number, headers: object = {}) => {
  const keyed = Object.keys(headers).length > 0 ? ' with an Idempotency-Key' : '';
  return row('HTTP', `status ${status} of a POST of axios${keyed}`, () =>
    error(`${status}`, { config: { method: 'post', headers }, response: { status, headers: {} } }),
  );
};
const postgres = (code: string, what: string) =>
  row('Postgres', `${code} ${what}`, () => error(what, { name: 'error', severity: 'ERROR', code }));
const mongodb = (what: string, fields: object) =>
  row('MongoDB', what, () => error(what, { name: 'MongoServerError', ...fields }));
const sqlite = (what: string, errcode: number) =>
  row('SQLite', what, () => error(what, { code: 'ERR_SQLITE_ERROR', errcode }));
const redis = (message: string) =>
  row('Redis', message.replace(/ .*/, ''), () => error(message, { name: 'ReplyError' }));
const grpc = (name: string, code: number) =>
  row('gRPC', name, () => error(`${code} ${name}`, { code, details: name, metadata: {} }));
const aws = (name: string, httpStatusCode: number) =>
  row('AWS', name, () => error(name, { name, $metadata: { httpStatusCode } }));

/** Errors that most programs meet, as the drivers throw them. */
export const COMMON_ERRORS: readonly CommonError[] = [
  node('ECONNREFUSED', 'connect'),
  node('ECONNRESET'),
  node('ETIMEDOUT'),
  node('ENOTFOUND', 'getaddrinfo'),
  node('EPIPE', 'write'),
  node('ENOENT', 'open'),
  node('EACCES', 'open'),
  row(
    'Node',
    '`fetch failed`, cause ECONNRESET',
    () => new TypeError('fetch failed', { cause: system('ECONNRESET') }),
  ),
  row('Node', '`fetch failed`, without a cause', () => new TypeError('fetch failed')),
  row('Node', 'text `connection reset`', () => new Error('connection reset')),
  row(
    'Node',
    '`TimeoutError` of AbortSignal.timeout',
    () => new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
  ),
  row(
    'Node',
    '`AbortError`, not by the caller',
    () => new DOMException('This operation was aborted', 'AbortError'),
  ),
  http(400),
  http(404),
  http(429),
  http(429, { 'retry-after': '3' }),
  http(500),
  http(503),
  axiosPost(500),
  axiosPost(500, { 'Idempotency-Key': 'order-7' }),
  postgres('40001', 'serialization failure'),
  postgres('40P01', 'deadlock detected'),
  postgres('57P01', 'admin shutdown'),
  postgres('23505', 'unique violation'),
  postgres('42P01', 'undefined table'),
  row(
    'Postgres',
    'text `Connection terminated unexpectedly`',
    () => new Error('Connection terminated unexpectedly'),
  ),
  mongodb('WriteConflict (112)', { code: 112 }),
  mongodb('duplicate key (11000)', { code: 11000 }),
  row('MongoDB', '`MongoNetworkError`', () =>
    error('connection 3 to 10.0.0.7:27017 closed', { name: 'MongoNetworkError' }),
  ),
  sqlite('SQLITE_BUSY (5)', 5),
  sqlite('SQLITE_CONSTRAINT (19)', 19),
  row('NATS', '`TimeoutError`', () => error('timeout', { name: 'TimeoutError' })),
  row('NATS', '`NoResponders`', () => error('no responders', { name: 'NoResponders' })),
  row('RabbitMQ', '`Channel closed`', () =>
    error('Channel closed', { name: 'IllegalOperationError' }),
  ),
  row('RabbitMQ', '404 NOT_FOUND (no queue)', () =>
    error('Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "NOT_FOUND - no queue"'),
  ),
  redis('LOADING Redis is loading the dataset in memory'),
  redis('OOM command not allowed when used memory > maxmemory'),
  redis('WRONGTYPE Operation against a key holding the wrong kind of value'),
  aws('ThrottlingException', 400),
  aws('NoSuchKey', 404),
  grpc('UNAVAILABLE', 14),
  grpc('RESOURCE_EXHAUSTED', 8),
  grpc('INVALID_ARGUMENT', 3),
  row('Redrive', '`DocumentNotFoundError`', () => new DocumentNotFoundError('No messages found')),
  row('Redrive', '`RetryableError`', () => new RetryableError('The model does not answer')),
  row('Redrive', '`store_unavailable`', () => new RedriveError('store_unavailable', 'away', {})),
  row(
    'the program',
    '`TypeError`: x is not a function',
    () => new TypeError('x is not a function'),
  ),
  row('the program', '`ValidationError`', () => error('no title', { name: 'ValidationError' })),
  row('the program', 'any other `Error`', () => new Error('The archive is odd')),
];
