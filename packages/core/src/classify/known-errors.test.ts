import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { definePolicy } from '../policy/define-policy.ts';
import { retry } from '../run/retry.ts';
import type { Classifier } from './classification.ts';
import { classify } from './classify.ts';
import { amqpErrors } from './tables/amqp.ts';
import { AMQP_MESSAGES } from './tables/amqp-rows.ts';
import { awsErrors } from './tables/aws.ts';
import { AWS_ROWS } from './tables/aws-rows.ts';
import { grpcErrors } from './tables/grpc.ts';
import { GRPC_ROWS } from './tables/grpc-rows.ts';
import { httpErrors } from './tables/http.ts';
import { HTTP_ROWS } from './tables/http-rows.ts';
import { kafkaErrors } from './tables/kafka.ts';
import { KAFKA_ROWS } from './tables/kafka-rows.ts';
import { mongodbErrors } from './tables/mongodb.ts';
import { MONGODB_NAMES, MONGODB_ROWS } from './tables/mongodb-rows.ts';
import { mysqlErrors } from './tables/mysql.ts';
import { MYSQL_ROWS } from './tables/mysql-rows.ts';
import { natsErrors } from './tables/nats.ts';
import { JETSTREAM_ROWS, NATS_ROWS } from './tables/nats-rows.ts';
import { nodeErrors } from './tables/node.ts';
import { NODE_ROWS } from './tables/node-rows.ts';
import { postgresErrors } from './tables/postgres.ts';
import { POSTGRES_ROWS } from './tables/postgres-rows.ts';
import { redisErrors } from './tables/redis.ts';
import { REDIS_REPLIES } from './tables/redis-rows.ts';
import { sqliteErrors } from './tables/sqlite.ts';
import { SQLITE_ROWS } from './tables/sqlite-rows.ts';

const CONTEXT = { attempt: 1, nowMs: 0 };
const EVENTS = definePolicy({ id: 'events.default', baseDelayMs: 1, unclassified: 'final' });

const error = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

class DocumentNotFoundError extends Error {
  override readonly name = 'DocumentNotFoundError';
}
class RetryableError extends Error {
  override readonly name: string = 'RetryableError';
}
class ModelAwayError extends RetryableError {
  override readonly name = 'ModelAwayError';
}

async function callsOf(thrown: unknown): Promise<number> {
  const clock = virtualClock();
  let calls = 0;
  const fail = () => {
    calls += 1;
    throw thrown;
  };
  const ended = retry(fail, EVENTS, { clock }).catch(() => undefined);
  await clock.runAll();
  await ended;
  return calls;
}

describe('retry with events.default', () => {
  it.each([
    ['ECONNRESET', error({ code: 'ECONNRESET' })],
    ['ECONNREFUSED', error({ code: 'ECONNREFUSED', syscall: 'connect' })],
    ['fetch failed', new TypeError('fetch failed', { cause: error({ code: 'ECONNRESET' }) })],
    ['Postgres 40P01', error({ name: 'error', code: '40P01' })],
    ['connection reset', new Error('connection reset')],
    ['DocumentNotFoundError', new DocumentNotFoundError('No messages found')],
    ['RetryableError', new RetryableError('away')],
    ['a class that extends RetryableError', new ModelAwayError('away')],
    [
      'RetryableError with a final cause',
      new RetryableError('x', { cause: error({ status: 404 }) }),
    ],
    ['an abort of a driver', error({ code: 'UND_ERR_ABORTED' })],
  ])('tries again what may pass: %s', async (_, thrown) => {
    expect(await callsOf(thrown)).toBe(3);
  });

  it.each([
    ['a TypeError', new TypeError('x is not a function')],
    ['Postgres 23505', error({ name: 'error', code: '23505' })],
    ['an error that no table knows', new Error('odd')],
  ])('gives up at once on %s', async (_, thrown) => {
    expect(await callsOf(thrown)).toBe(1);
  });
});

describe('all tables together', () => {
  const mongo = (code: string) => error({ name: 'MongoServerError', code: Number(code) });
  const tables: readonly (readonly [string, Classifier, object, (code: string) => unknown])[] = [
    ['amqp', amqpErrors, AMQP_MESSAGES, (text) => error({}, text)],
    ['aws', awsErrors, AWS_ROWS, (name) => error({ name, $metadata: { httpStatusCode: 400 } })],
    ['grpc', grpcErrors, GRPC_ROWS, (code) => error({ code, details: '' })],
    ['http', httpErrors, HTTP_ROWS, (status) => error({ status: Number(status) })],
    [
      'kafka',
      kafkaErrors,
      KAFKA_ROWS,
      (code) => error({ name: 'KafkaJSProtocolError', code: Number(code) }),
    ],
    ['mongodb codes', mongodbErrors, MONGODB_ROWS, mongo],
    ['mongodb names', mongodbErrors, MONGODB_NAMES, (name) => error({ name })],
    ['mysql', mysqlErrors, MYSQL_ROWS, (errno) => error({ errno: Number(errno), code: 'ER_X' })],
    ['nats', natsErrors, NATS_ROWS, (code) => error({ name: 'NatsError', code })],
    [
      'jetstream',
      natsErrors,
      JETSTREAM_ROWS,
      (code) => error({ name: 'JetStreamApiError', code: Number(code), status: 503 }),
    ],
    ['node', nodeErrors, NODE_ROWS, (code) => error({ code, errno: -1, syscall: 'read' })],
    ['postgres', postgresErrors, POSTGRES_ROWS, (code) => error({ name: 'error', code })],
    ['redis', redisErrors, REDIS_REPLIES, (word) => error({ name: 'ReplyError' }, `${word} text`)],
    ['sqlite', sqliteErrors, SQLITE_ROWS, (name) => error({ code: `SQLITE_${name}` })],
  ];

  it.each(tables)('answer as the table of %s alone', (_, table, rows, make) => {
    const other = Object.keys(rows).filter((code) => {
      const alone = table(make(code), CONTEXT);
      // Nobody asked for the cancellation.
      const expected = alone?.errorClass === 'ignored' ? 'retryable' : alone?.errorClass;
      const found = classify(make(code), { strayAborts: 'classified' }, CONTEXT);
      return found.errorClass !== expected || found.effect !== alone?.effect;
    });
    expect(other).toEqual([]);
  });

  it('are in force for a wrapped error, the nearest first', () => {
    const pool = error({ name: 'MongoNetworkError', cause: error({ code: 'ENOENT' }) });
    const wrapped = new Error('Saving failed', { cause: pool });
    expect(classify(wrapped)).toMatchObject({ errorClass: 'retryable', effect: 'unknown' });
  });

  it('are in doubt if one of several failures is', () => {
    const both = new AggregateError([
      error({ code: 'ECONNREFUSED' }),
      error({ code: 'ECONNRESET' }),
    ]);
    expect(classify(both)).toMatchObject({ errorClass: 'retryable', effect: 'unknown' });
  });

  it('leave a cancellation ignored if the caller cancelled', () => {
    const signal = AbortSignal.abort();
    const thrown = error({ code: 'UND_ERR_ABORTED' });
    expect(classify(thrown, {}, { ...CONTEXT, signal }).errorClass).toBe('ignored');
  });
});
