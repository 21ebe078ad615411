import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Classifier } from '../classification.ts';
import { amqpErrors } from './amqp.ts';
import { AMQP_MESSAGES, AMQP_ROWS } from './amqp-rows.ts';
import { awsErrors } from './aws.ts';
import { AWS_CLOCK_SKEW, AWS_ROWS } from './aws-rows.ts';
import { grpcErrors } from './grpc.ts';
import { GRPC_DETAILS, GRPC_ROWS } from './grpc-rows.ts';
import { httpErrors, httpResponses } from './http.ts';
import { HTTP_ROWS } from './http-rows.ts';
import { kafkaErrors } from './kafka.ts';
import { KAFKA_NAMES, KAFKA_ROWS } from './kafka-rows.ts';
import { mongodbErrors } from './mongodb.ts';
import { MONGODB_LABELS, MONGODB_NAMES, MONGODB_ROWS } from './mongodb-rows.ts';
import { mysqlErrors } from './mysql.ts';
import { MYSQL_CLIENTS, MYSQL_ROWS } from './mysql-rows.ts';
import { natsErrors } from './nats.ts';
import { JETSTREAM_ROWS, JETSTREAM_STATUSES, NATS_ROWS } from './nats-rows.ts';
import { nodeErrors } from './node.ts';
import { NODE_PREFIXES, NODE_ROWS } from './node-rows.ts';
import { postgresErrors } from './postgres.ts';
import { POSTGRES_CLASSES, POSTGRES_ROWS } from './postgres-rows.ts';
import { redisErrors } from './redis.ts';
import { REDIS_CLIENTS, REDIS_REPLIES } from './redis-rows.ts';
import { answer, IN_DOUBT, LIMITED, nearestKnown, REFUSED } from './row.ts';
import { sqliteErrors } from './sqlite.ts';
import { SQLITE_ROWS } from './sqlite-rows.ts';

const context = { attempt: 1, nowMs: 0 };

describe('the tables together', () => {
  const tables: Classifier[] = [
    httpErrors,
    nodeErrors,
    grpcErrors,
    postgresErrors,
    awsErrors,
    natsErrors,
    amqpErrors,
    redisErrors,
    kafkaErrors,
    mongodbErrors,
    mysqlErrors,
    sqliteErrors,
    httpResponses,
  ];

  it('have at least 250 rows', () => {
    const rows = [
      HTTP_ROWS,
      NODE_ROWS,
      NODE_PREFIXES,
      GRPC_ROWS,
      GRPC_DETAILS,
      POSTGRES_ROWS,
      POSTGRES_CLASSES,
      AWS_ROWS,
      AWS_CLOCK_SKEW,
      JETSTREAM_ROWS,
      JETSTREAM_STATUSES,
      NATS_ROWS,
      AMQP_MESSAGES,
      AMQP_ROWS,
      REDIS_CLIENTS,
      REDIS_REPLIES,
      KAFKA_NAMES,
      KAFKA_ROWS,
      MONGODB_LABELS,
      MONGODB_NAMES,
      MONGODB_ROWS,
      MYSQL_CLIENTS,
      MYSQL_ROWS,
      SQLITE_ROWS,
    ].flatMap((table) => Object.keys(table));
    expect(rows.length).toBeGreaterThanOrEqual(250);
  });

  it('never throw, whatever is under the names they look at', () => {
    const value = fc.anything({
      withNullPrototype: true,
      withMap: true,
      withBigInt: true,
      maxDepth: 1,
    });
    const headers = fc.dictionary(
      fc.constantFrom(
        'retry-after',
        'ratelimit',
        'x-ratelimit-reset',
        'grpc-retry-pushback-ms',
        'x-amz-retry-after',
      ),
      value,
      { maxKeys: 2 },
    );
    const status = fc.integer({ min: 399, max: 600 });
    const code = fc.constantFrom(
      'UNAVAILABLE',
      '40001',
      'ECONNRESET',
      'TransactionCanceledException',
      14,
    );
    const likely = fc.oneof(
      code.map((code) => ({ code })),
      status.map((status) => ({ status })),
      value.map((api_error) => ({ name: 'NatsError', api_error })),
      value.map((errorLabels) => ({ name: 'MongoServerError', errorLabels })),
      value.map((retriable) => ({ name: 'KafkaJSError', retriable })),
      headers.map((headers) => ({ headers, metadata: headers, $response: { headers } })),
      status.map((httpStatusCode) => ({ $metadata: { httpStatusCode } })),
      value.map((retryDelay) => ({ details: 'text', statusDetails: [{ retryDelay }] })),
      value.map((reason) => ({
        name: 'TransactionCanceledException',
        CancellationReasons: [reason],
      })),
      fc.array(value, { maxLength: 2 }).map((errors) => ({ errors })),
      fc
        .tuple(
          fc.constantFrom('code', 'name', 'message', 'headers', 'cause', '$retryable', 'response'),
          value,
        )
        .map(([key, value]) => ({ [key]: value })),
    );
    const thrown = fc
      .tuple(likely, likely, likely)
      .map(([one, two, three]) => ({ ...one, ...two, cause: three }));
    fc.assert(
      fc.property(fc.oneof(thrown, value), fc.constantFrom(...tables), (error, table) => {
        const found = table(error, context);
        if (found?.retryAfterMs === undefined) return;
        expect(Number.isSafeInteger(found.retryAfterMs)).toBe(true);
        expect(found.retryAfterMs).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each(tables)('know nothing of what cannot be looked at', (table) => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(table(proxy, context)).toBeUndefined();
    expect(
      table({ status: 503, headers: proxy, code: '40001', cause: proxy }, context),
    ).toBeUndefined();
  });
});

describe('answer', () => {
  it('takes the hinted row only with a hint, also one of 0', () => {
    const row = { ...IN_DOUBT, hinted: LIMITED };
    expect(answer(row, context)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
    expect(answer(row, context, 0)).toEqual({
      errorClass: 'rate_limited',
      effect: 'none',
      retryAfterMs: 0,
    });
    expect(answer(IN_DOUBT, context, 5)).toEqual({
      errorClass: 'retryable',
      effect: 'unknown',
      retryAfterMs: 5,
    });
    expect(answer(REFUSED, context, 5)).toEqual({ errorClass: 'final', effect: 'none' });
  });
});

describe('nearestKnown', () => {
  const effectOf = (error: unknown) =>
    nearestKnown(error, ({ effect }) =>
      effect === 'none' || effect === 'unknown' ? { errorClass: 'retryable', effect } : undefined,
    )?.effect;

  it('goes by the nearest cause', () => {
    expect(effectOf({ effect: 'none', cause: { effect: 'unknown' } })).toBe('none');
    expect(effectOf({ cause: { cause: { effect: 'unknown' } } })).toBe('unknown');
  });

  it('has no effect together only if each has none', () => {
    expect(effectOf({ errors: [{ effect: 'none' }, { effect: 'none' }, {}] })).toBe('none');
    expect(effectOf({ errors: [{ effect: 'none' }, { effect: 'unknown' }] })).toBe('unknown');
    expect(effectOf({ errors: [{}] })).toBeUndefined();
  });
});
