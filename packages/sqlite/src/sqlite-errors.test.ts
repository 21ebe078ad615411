import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteErrors } from '@redrive/core/classify/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The table of core, with errors of a real database: core itself imports no driver.

const context = { attempt: 1, nowMs: 0 };
const later = { ...context, attempt: 2 };

describe('sqliteErrors, on errors of a real database', () => {
  let directory: string;
  let one: DatabaseSync;
  let other: DatabaseSync;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'redrive-classify-'));
    const file = join(directory, 'test.db');
    one = new DatabaseSync(file);
    one.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      INSERT INTO t VALUES (1, 'ada')`);
    other = new DatabaseSync(file, { timeout: 0 });
  });
  afterEach(() => {
    one.close();
    other.close();
    rmSync(directory, { recursive: true });
  });

  /** The answer about the error of a function. A function that does not throw has none. */
  function meaningOf(run: () => unknown, about = context) {
    try {
      run();
    } catch (error) {
      return sqliteErrors(error, about);
    }
    return 'no error';
  }

  it('a second writer is busy', () => {
    one.exec('BEGIN IMMEDIATE');
    const again = { errorClass: 'retryable', effect: 'none' };
    expect(meaningOf(() => other.exec('BEGIN IMMEDIATE'))).toEqual(again);
    one.exec('COMMIT');
    other.exec('BEGIN; SELECT * FROM t');
    one.exec("INSERT INTO t VALUES (2, 'eve')");
    // BUSY_SNAPSHOT: no wait would help this transaction.
    expect(meaningOf(() => other.exec("INSERT INTO t VALUES (3, 'bob')"))).toEqual(again);
  });

  it.each([
    ['a key that exists', "INSERT INTO t VALUES (2, 'ada')", 'unknown'],
    ['a missing value', 'INSERT INTO t VALUES (2, NULL)', 'none'],
    ['a syntax error', 'SELEC 1', 'none'],
    ['a table that does not exist', 'SELECT * FROM nowhere', 'none'],
    ['a value of another type', "INSERT INTO t VALUES ('x', 'bob')", 'none'],
  ])('%s is final', (_, sql, laterEffect) => {
    expect(meaningOf(() => one.exec(sql))).toEqual({ errorClass: 'final', effect: 'none' });
    const expected = { errorClass: 'final', effect: laterEffect };
    expect(meaningOf(() => one.exec(sql), later)).toEqual(expected);
  });

  it('a directory that does not exist yet, and a full database, are tried again', () => {
    const again = { errorClass: 'retryable', effect: 'none' };
    expect(meaningOf(() => new DatabaseSync(join(directory, 'no', 'x.db')))).toEqual(again);
    one.exec('PRAGMA max_page_count = 1');
    expect(meaningOf(() => one.exec('CREATE TABLE big AS SELECT zeroblob(100000)'))).toEqual(again);
  });

  it('a file that is no database, and one that is read-only, are refused', () => {
    const refused = { errorClass: 'final', effect: 'none' };
    const reader = new DatabaseSync(join(directory, 'test.db'), { readOnly: true });
    expect(meaningOf(() => reader.exec('DELETE FROM t'))).toEqual(refused);
    reader.close();
    writeFileSync(
      join(directory, 'text.db'),
      'This is a text, and longer than the header.'.repeat(20),
    );
    const text = new DatabaseSync(join(directory, 'text.db'));
    expect(meaningOf(() => text.exec('SELECT * FROM t'))).toEqual(refused);
    text.close();
  });
});
