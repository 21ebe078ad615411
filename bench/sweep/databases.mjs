// The databases with the user's documents. Each has the same four things: documents, the port of Redrive, the bare driver
// as a competent developer uses it, and a store for the jobs.
import { openMongodb } from './mongodb.mjs';
import { openPostgres } from './postgres.mjs';
import { openSqlite } from './sqlite.mjs';

export const databases = {
  mongodb: { label: 'MongoDB, store on SQLite', open: openMongodb },
  postgres: { label: 'Postgres, store on the same server', open: openPostgres },
  sqlite: { label: 'SQLite, store in a file of its own', open: openSqlite },
};
