import { DatabaseSync } from 'node:sqlite';

/**
 * `node:sqlite` in the shape of better-sqlite3, as far as plainjob uses it: better-sqlite3 itself is
 * built by an install script. Begin and commit are prepared once, as in the original.
 */
export function openInBetterShape(path) {
  const database = new DatabaseSync(path);
  const begin = {
    deferred: database.prepare('BEGIN'),
    immediate: database.prepare('BEGIN IMMEDIATE'),
  };
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');

  const inTransaction = (start, fn) =>
    function transacted(...args) {
      start.run();
      try {
        const result = fn(...args);
        commit.run();
        return result;
      } catch (error) {
        rollback.run();
        throw error;
      }
    };

  return {
    name: path,
    pragma: (text) => database.prepare(`PRAGMA ${text}`).all(),
    exec: (text) => database.exec(text),
    prepare: (text) => database.prepare(text),
    transaction: (fn) =>
      Object.assign(inTransaction(begin.deferred, fn), {
        immediate: inTransaction(begin.immediate, fn),
      }),
    close: () => database.close(),
  };
}
