import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { mysqlErrors } from './mysql.ts';
import { MYSQL_CLIENTS, MYSQL_ROWS } from './mysql-rows.ts';

const context = { attempt: 1, nowMs: 0 };
const later = { ...context, attempt: 2 };

describe('mysqlErrors', () => {
  it('knows error numbers', () => {
    expect(
      wrongRows(
        mysqlErrors,
        MYSQL_ROWS,
        [
          ['rate_limited', 'none', '1021|1037|1038|1040|1041|1114|1203|1226'],
          ['retryable', 'none', '1205|1213|1614|3101|3572|1290|1836|1042|1043|2002|2003'],
          ['retryable', 'unknown', '1053|1077|1152|1158|1159|1160|1161|1180|1927|2006|2013'],
          [
            'final',
            'none',
            '1044|1045|1048|1049|1050|1054|1062|1064|1129|1142|1146|1264|1317|1364|1366|1406|1451|1452|1586|1792|3024|3819',
          ],
        ],
        (errno) =>
          Object.assign(new Error('x'), {
            errno: Number(errno),
            code: 'ER_SOMETHING',
            sqlState: 'HY000',
          }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it("knows the drivers' own codes and messages", () => {
    expect(
      wrongRows(
        mysqlErrors,
        MYSQL_CLIENTS,
        [
          [
            'retryable',
            'unknown',
            'PROTOCOL_CONNECTION_LOST|PROTOCOL_SEQUENCE_TIMEOUT|PROTOCOL_PACKETS_OUT_OF_ORDER|ER_SOCKET_UNEXPECTED_CLOSE|ER_SOCKET_TIMEOUT',
          ],
          [
            'retryable',
            'none',
            'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR|ER_GET_CONNECTION_TIMEOUT|ER_CONNECTION_TIMEOUT',
          ],
          [
            'final',
            'none',
            'PROTOCOL_ENQUEUE_AFTER_QUIT|POOL_CLOSED|ER_POOL_ALREADY_CLOSED|Pool is closed.',
          ],
          [
            'rate_limited',
            'none',
            'POOL_CONNLIMIT|POOL_ENQUEUELIMIT|No connections available.|Queue limit reached.',
          ],
        ],
        (code) => (/ /.test(code) ? new Error(code) : Object.assign(new Error('x'), { code })),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('says that a key which exists on a later attempt may be our own', () => {
    expect(mysqlErrors({ errno: 1062 }, later)).toEqual({ errorClass: 'final', effect: 'unknown' });
  });

  it('leaves the numbers of Node alone', () => {
    const reset = { errno: -104, code: 'ECONNRESET', syscall: 'read' };
    expect(mysqlErrors(reset, context)).toBeUndefined();
    expect(mysqlErrors('Pool is closed.', context)).toBeUndefined();
  });
});
