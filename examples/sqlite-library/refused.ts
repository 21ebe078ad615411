// What is refused: better-sqlite3 beside an open store, and a library with an older SQLite.
import { jobsOn } from '@redrive/durable';
import { enqueueIn, openStore, sqlExecutor } from '@redrive/sqlite';
import Database from 'better-sqlite3';
import LibSql from 'libsql';

const store = await openStore('refused.db');
await store.migrate();
const jobs = jobsOn(store, { mail: async (order: string) => order });

for (const [name, Library] of Object.entries({ 'better-sqlite3': Database, libsql: LibSql })) {
  const db: Database.Database = new Library('refused.db');
  db.pragma('synchronous = FULL');
  const sql = sqlExecutor((text, params) => {
    const statement = db.prepare(text);
    return statement.reader ? statement.all(params) : statement.run(params);
  });
  db.exec('begin immediate');
  for (const connection of [sql, db]) {
    try {
      enqueueIn(connection as typeof sql, jobs.prepare('mail', 'order'));
    } catch (error) {
      console.log(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  db.exec('rollback');
}
// Both libraries have the file open: only an end of the process closes all at once.
process.exit();
