import { BROKEN, ECHO, IN_DOUBT, NOT_DONE, REFUSED, type Rows } from './row.ts';

/**
 * Result codes of SQLite, without `SQLITE_`. An extended code without a row of its own has the meaning of its primary
 * code: `BUSY_SNAPSHOT` that of `BUSY`.
 */
export const SQLITE_ROWS: Rows = {
  // Locks: the statement did nothing. After BUSY_SNAPSHOT the whole transaction is retried.
  BUSY: NOT_DONE,
  LOCKED: NOT_DONE,
  PROTOCOL: NOT_DONE,
  // The statement was rolled back.
  ABORT: NOT_DONE,
  INTERRUPT: NOT_DONE,
  FULL: NOT_DONE,
  // The file may be on its way: a mount, a restore, too many open files.
  CANTOPEN: NOT_DONE,
  // A commit that fails in the file system may be on disk.
  IOERR: IN_DOUBT,
  NOMEM: IN_DOUBT,
  // Statements that would fail again. A key that exists may be our own earlier success; without an extended code, any
  // constraint may be such a key.
  CONSTRAINT: ECHO,
  CONSTRAINT_CHECK: REFUSED,
  CONSTRAINT_DATATYPE: REFUSED,
  CONSTRAINT_FOREIGNKEY: REFUSED,
  CONSTRAINT_NOTNULL: REFUSED,
  CONSTRAINT_TRIGGER: REFUSED,
  ERROR: REFUSED,
  MISMATCH: REFUSED,
  RANGE: REFUSED,
  TOOBIG: REFUSED,
  // The program, or its rights
  AUTH: REFUSED,
  MISUSE: REFUSED,
  PERM: REFUSED,
  READONLY: REFUSED,
  SCHEMA: REFUSED,
  // The file or the build of SQLite
  CORRUPT: BROKEN,
  FORMAT: REFUSED,
  INTERNAL: BROKEN,
  NOLFS: REFUSED,
  NOTADB: REFUSED,
  NOTFOUND: REFUSED,
};

/** The rows by SQLite's numbers. The lowest eight bits of an extended code are its primary code. */
export const SQLITE_NUMBERS: Readonly<Record<string, string>> = {
  '1': 'ERROR',
  '2': 'INTERNAL',
  '3': 'PERM',
  '4': 'ABORT',
  '5': 'BUSY',
  '6': 'LOCKED',
  '7': 'NOMEM',
  '8': 'READONLY',
  '9': 'INTERRUPT',
  '10': 'IOERR',
  '11': 'CORRUPT',
  '12': 'NOTFOUND',
  '13': 'FULL',
  '14': 'CANTOPEN',
  '15': 'PROTOCOL',
  '17': 'SCHEMA',
  '18': 'TOOBIG',
  '19': 'CONSTRAINT',
  '20': 'MISMATCH',
  '21': 'MISUSE',
  '22': 'NOLFS',
  '23': 'AUTH',
  '24': 'FORMAT',
  '25': 'RANGE',
  '26': 'NOTADB',
  '275': 'CONSTRAINT_CHECK',
  '787': 'CONSTRAINT_FOREIGNKEY',
  '1299': 'CONSTRAINT_NOTNULL',
  '1811': 'CONSTRAINT_TRIGGER',
  '3091': 'CONSTRAINT_DATATYPE',
};
