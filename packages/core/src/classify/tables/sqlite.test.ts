import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, type TableCases, wrongRows } from '../../testing/table-cases.ts';
import { sqliteErrors } from './sqlite.ts';
import { SQLITE_NUMBERS, SQLITE_ROWS } from './sqlite-rows.ts';

const context = { attempt: 1, nowMs: 0 };
const later = { ...context, attempt: 2 };

const CASES: TableCases = [
  [
    'retryable',
    'none',
    'ABORT|BUSY|LOCKED|INTERRUPT|FULL|CANTOPEN|PROTOCOL|BUSY_RECOVERY|BUSY_SNAPSHOT|BUSY_TIMEOUT|LOCKED_SHAREDCACHE',
  ],
  ['retryable', 'unknown', 'NOMEM|IOERR|IOERR_FSYNC|IOERR_WRITE'],
  [
    'final',
    'none',
    'ERROR|PERM|READONLY|READONLY_DBMOVED|NOTFOUND|SCHEMA|TOOBIG|MISMATCH|MISUSE|NOLFS|AUTH|FORMAT|RANGE|NOTADB|CONSTRAINT|CONSTRAINT_CHECK|CONSTRAINT_DATATYPE|CONSTRAINT_FOREIGNKEY|CONSTRAINT_NOTNULL|CONSTRAINT_TRIGGER|CONSTRAINT_UNIQUE|CONSTRAINT_PRIMARYKEY',
  ],
  ['final', 'unknown', 'INTERNAL|CORRUPT|CORRUPT_INDEX'],
];

describe('sqliteErrors', () => {
  it('knows the names of better-sqlite3, extended ones by their first word', () => {
    const errorOf = (name: string) =>
      Object.assign(new Error('x'), { name: 'SqliteError', code: `SQLITE_${name}` });
    expect(wrongRows(sqliteErrors, SQLITE_ROWS, CASES, errorOf)).toEqual(ALL_RIGHT);
  });

  it('knows the numbers of node:sqlite', () => {
    const numbers = new Map(Object.entries(SQLITE_NUMBERS).map(([code, name]) => [name, code]));
    const errorOf = (name: string) =>
      Object.assign(new Error('x'), {
        code: 'ERR_SQLITE_ERROR',
        errcode: Number(numbers.get(name)),
      });
    const numbered = CASES.map(
      ([errorClass, effect, names]) =>
        [
          errorClass,
          effect,
          names
            .split('|')
            .filter((name) => numbers.has(name))
            .join('|'),
        ] as const,
    );
    expect(wrongRows(sqliteErrors, SQLITE_ROWS, numbered, errorOf)).toEqual(ALL_RIGHT);
  });

  it.each([
    ['BUSY_SNAPSHOT', 517, 'retryable', 'none'],
    ['IOERR_FSYNC', 1034, 'retryable', 'unknown'],
    ['READONLY_DBMOVED', 1032, 'final', 'none'],
    ['CORRUPT_INDEX', 779, 'final', 'unknown'],
  ])('takes %s (%i) for its primary code', (_, errcode, errorClass, effect) => {
    const error = { code: 'ERR_SQLITE_ERROR', errcode };
    expect(sqliteErrors(error, context)).toEqual({ errorClass, effect });
  });

  it.each([
    ['a key that exists', 'SQLITE_CONSTRAINT_UNIQUE', 2067, 'unknown'],
    ['a primary key that exists', 'SQLITE_CONSTRAINT_PRIMARYKEY', 1555, 'unknown'],
    ['a rowid that exists', 'SQLITE_CONSTRAINT_ROWID', 2579, 'unknown'],
    ['a constraint without a name', 'SQLITE_CONSTRAINT', 19, 'unknown'],
    ['a missing value', 'SQLITE_CONSTRAINT_NOTNULL', 1299, 'none'],
    ['a missing parent', 'SQLITE_CONSTRAINT_FOREIGNKEY', 787, 'none'],
    ['a failed check', 'SQLITE_CONSTRAINT_CHECK', 275, 'none'],
    ['a value of another type', 'SQLITE_CONSTRAINT_DATATYPE', 3091, 'none'],
  ])('on a later attempt, %s has its effect', (_, code, errcode, effect) => {
    const expected = { errorClass: 'final', effect };
    expect(sqliteErrors({ code }, later)).toEqual(expected);
    expect(sqliteErrors({ code: 'ERR_SQLITE_ERROR', errcode }, later)).toEqual(expected);
  });

  it('leaves other errors alone', () => {
    for (const error of [
      { code: 'ECONNRESET', errno: -104 },
      { code: 'ERR_INVALID_STATE' },
      { code: 'ERR_SQLITE_ERROR' },
      { code: 'ERR_SQLITE_ERROR', errcode: 200 },
      { code: 'SQLITE_WHATEVER' },
      { code: 5, errcode: 5 },
      { code: 'BUSY' },
      'SQLITE_BUSY',
    ]) {
      expect(sqliteErrors(error, context)).toBeUndefined();
    }
  });
});
