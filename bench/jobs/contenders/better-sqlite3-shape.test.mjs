import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInBetterShape } from './better-sqlite3-shape.mjs';

test('transactions commit, roll back when they throw, and answer what their function does', () => {
  const database = openInBetterShape(':memory:');
  database.exec('CREATE TABLE t (a)');
  const insert = database.prepare('INSERT INTO t VALUES (@a)');
  const add = database.transaction((a) => insert.run({ a }).changes);
  assert.equal(add(1), 1);
  assert.equal(add.immediate(2), 1);
  const fail = database.transaction(() => {
    insert.run({ a: 3 });
    throw new Error('no');
  });
  assert.throws(() => fail(), /no/);
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM t').get() }, { n: 2 });
  database.close();
});
