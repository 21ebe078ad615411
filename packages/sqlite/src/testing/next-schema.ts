import { CURRENT_SCHEMA, MIGRATIONS, type SchemaCode } from '../database/schema.ts';

/** The next version of the schema, for tests of migrations: a table, a column and an index over all jobs. */
export const NEXT_SCHEMA: SchemaCode = {
  steps: [
    ...MIGRATIONS,
    `CREATE TABLE planted (n INTEGER) STRICT;
    ALTER TABLE jobs ADD COLUMN planted TEXT;
    CREATE INDEX jobs_planted ON jobs (planted) WHERE planted IS NOT NULL`,
  ],
  worksFrom: CURRENT_SCHEMA.worksFrom,
};
