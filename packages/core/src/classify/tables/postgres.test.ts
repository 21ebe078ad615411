import { describe, expect, it } from 'vitest';
import { postgresErrors } from './postgres.ts';
import { POSTGRES_CLASSES, POSTGRES_ROWS } from './postgres-rows.ts';

const context = { attempt: 1, nowMs: 0 };

/** As pg throws it; postgres.js calls its own PostgresError. */
const databaseError = (code: string) =>
  Object.assign(new Error('from the server'), {
    name: 'error',
    severity: 'ERROR',
    code,
    routine: 'r',
  });

const expected = [
  [
    'retryable',
    'none',
    '08001 08004 25006 25P03 40000 40001 40P01 53300 55006 55P03 57P03 72000 HV00N',
  ],
  ['retryable', 'none', 'CONNECT_TIMEOUT'],
  ['retryable', 'unknown', '08000 08003 08006 08007 40003 57P01 57P02 57P05 58000 58030'],
  ['retryable', 'unknown', 'CONNECTION_CLOSED CONNECTION_DESTROYED'],
  ['rate_limited', 'none', '53000 53100 53200'],
  ['final', 'none', '23502 23503 23505 23514 23P01 25P02 25P04 40002 53400 55000 57014 57P04'],
  ['final', 'none', 'CONNECTION_ENDED'],
  ['final', 'unknown', '08P01'],
] as const;
const codes = expected.flatMap(([errorClass, effect, codes]) =>
  codes.split(' ').map((code) => [code, errorClass, effect] as const),
);

const messages = [
  ['timeout exceeded when trying to connect', 'retryable', 'none'],
  ['timeout expired', 'retryable', 'none'],
  ['Connection terminated due to connection timeout', 'retryable', 'none'],
  ['Connection terminated', 'retryable', 'unknown'],
  ['Connection terminated unexpectedly', 'retryable', 'unknown'],
  ['Client has encountered a connection error and is not queryable', 'retryable', 'none'],
  ['Query read timeout', 'retryable', 'unknown'],
  ['Cannot use a pool after calling end on the pool', 'final', 'none'],
] as const;

const classes = [
  ['08', '08009', 'retryable', 'unknown'],
  ['0A', '0A000', 'final', 'none'],
  ['21', '21000', 'final', 'none'],
  ['22', '22P02', 'final', 'none'],
  ['23', '23001', 'final', 'none'],
  ['25', '25001', 'final', 'none'],
  ['26', '26000', 'final', 'none'],
  ['28', '28P01', 'final', 'none'],
  ['2B', '2BP01', 'final', 'none'],
  ['34', '34000', 'final', 'none'],
  ['3D', '3D000', 'final', 'none'],
  ['3F', '3F000', 'final', 'none'],
  ['40', '40999', 'retryable', 'none'],
  ['42', '42P01', 'final', 'none'],
  ['44', '44000', 'final', 'none'],
  ['53', '53999', 'rate_limited', 'none'],
  ['54', '54001', 'final', 'none'],
  ['55', '55P02', 'final', 'none'],
  ['57', '57000', 'retryable', 'unknown'],
  ['58', '58P01', 'retryable', 'unknown'],
  ['F0', 'F0000', 'final', 'none'],
  ['HV', 'HV000', 'final', 'unknown'],
  ['P0', 'P0001', 'final', 'none'],
  ['XX', 'XX000', 'final', 'unknown'],
] as const;

describe('postgresErrors', () => {
  it.each(codes)('%s is %s with effect %s', (code, errorClass, effect) => {
    expect(postgresErrors(databaseError(code), context)).toEqual({ errorClass, effect });
    const wrapped = new Error('Failed query', { cause: databaseError(code) });
    expect(postgresErrors(wrapped, context)).toEqual({ errorClass, effect });
  });

  it.each(messages)('"%s" is %s with effect %s', (message, errorClass, effect) => {
    expect(postgresErrors(new Error(message), context)).toEqual({ errorClass, effect });
  });

  it.each(classes)('class %s, as in %s, is %s with effect %s', (_, code, errorClass, effect) => {
    expect(POSTGRES_ROWS).not.toHaveProperty(code);
    expect(postgresErrors(databaseError(code), context)).toEqual({ errorClass, effect });
  });

  it('has no row that is not tested', () => {
    const tested = [...codes, ...messages].map(([code]) => code);
    expect(tested.sort()).toEqual(Object.keys(POSTGRES_ROWS).sort());
    expect(classes.map(([prefix]) => prefix).sort()).toEqual(Object.keys(POSTGRES_CLASSES).sort());
  });

  it.each(['23505', '23P01'])('makes of %s on a later attempt a matter of doubt', (code) => {
    const later = { ...context, attempt: 3 };
    expect(postgresErrors(databaseError(code), later)).toEqual({
      errorClass: 'final',
      effect: 'unknown',
    });
  });

  it.each([
    new Error('x'),
    databaseError('EPIPE'),
    databaseError('P1001'),
    databaseError('42'),
    databaseError('toString'),
    Object.assign(new Error('Connection terminated'), { code: 'OTHER' }),
    { code: 40001 - 1 },
    'Connection terminated',
    undefined,
  ])('does not know %s', (error) => {
    expect(postgresErrors(error, context)).toBeUndefined();
  });
});
