import { defineSection, text, value, yesOrNo } from './section.ts';

/** The store where neither the file, `--store` nor `REDRIVE_STORE` names one. */
export const DEFAULT_STORE = 'sqlite:./redrive.db';

/** The store of jobs, their history and the audit log. */
export const storeSection = defineSection('store', {
  kind: 'object',
  meaning:
    'The store of jobs, their history and the audit log. `--store` and `REDRIVE_STORE` override it.',
  fields: {
    url: value(
      text,
      'The path of a SQLite file, relative to the directory of this file, with or without `sqlite:` before it, or `postgres://user@host/database`. Keep passwords in `REDRIVE_STORE`, `PGPASSWORD` or a password file; Redrive never shows them.',
      DEFAULT_STORE,
    ),
    schema: value(
      text,
      'Postgres only: the schema of the tables and functions, a lower-case identifier of at most 40 characters. `?schema=` at the end of `url` means the same. Without both, the schema is `redrive`.',
    ),
    connections: value(
      { kind: 'integer', min: 2, max: 4 },
      'Postgres only: how many connections a process may have: 2, 3 or 4. The same as `?connections=` at the end of `url`; without both it is 4.',
    ),
    migrate: value(
      yesOrNo,
      '`true`: a worker creates or migrates the tables when it starts. `false`: you run `redrive store migrate`, with a role that owns the schema.',
      true,
    ),
  },
});
