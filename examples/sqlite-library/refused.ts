// What is refused: better-sqlite3 beside an open store, and a library with an older SQLite.
import { jobsOn } from '@redrive/durable';
import { enqueueIn, openStore, sqlExecutor } from '@redrive/sqlite';
import Database from 'better-sqlite3';
import LibSql from 'libsql';

const store = await openStore('refused.db');
await store.migrate();
const jobs = jobsOn(store, { mail: async (order: string) => order });

const libraries = {
  'better-sqlite3': new Database('refused.db'),
  libsql: new LibSql('refused.db') as unknown as Database.Database, // The same methods, with other types.
};
for (const [name, db] of Object.entries(libraries)) {
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
